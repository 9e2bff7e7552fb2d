"""A voice that is heard piece by piece, against the same sentences made whole: how soon, and whether the seams show.

Part of `make bench`; alone: `python bench/pieces.py`. Spectra are compared in forty mel bands, where something is heard at all.
"""

import json
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

SAID = (
    "I'm so sorry about your grandmother, she sounds like someone who held everyone together.",
    "Losing the ring at the wedding must have been awful.",
    "That took courage, walking back in there after what he said.",
    "How lovely that she called you first when the letter came.",
    "Three nights without sleep would wear anybody down.",
    "You did what you could with the time you had, and it still hurts.",
)
FEELINGS = {"heart": "", "michael": "sadness", "emma": "joy", "ruth": ""}
"""Voices, and how they speak."""
NEAR = 5
"""Spectra, 10 ms each, on either side of a seam."""
HEARD = 45.0
"""Decibels below the loudest that are still compared."""
SEAMS = "spoken in pieces, apart from the same in one, at the seams, dB"
TARGETS: dict[str, Callable[[float], bool]] = {SEAMS: lambda decibels: decibels < 1}


def measure() -> dict[str, Any]:
    from heartfelt.expression.voice import kokoro
    from heartfelt.expression.voice.emotions import manner_of
    from heartfelt.expression.voice.manner import NEUTRAL
    from heartfelt.expression.voice.spoken import joined
    from heartfelt.expression.voice.voices import voice

    speaker = kokoro.Kokoro()
    soon, late, level, near, far = [], [], [], [], []
    for name, feeling in FEELINGS.items():
        manner = manner_of(feeling, 0.7, "") if feeling else NEUTRAL
        for _ in speaker.prepare(voice(name)):
            pass
        for text in SAID:
            began = time.perf_counter()
            whole = speaker.say(text, voice=name, manner=manner)
            late.append((time.perf_counter() - began) / whole.seconds)
            began = time.perf_counter()
            making = speaker.stream(text, voice=name, manner=manner, piecewise=True)
            pieces = [next(making)]
            soon.append(time.perf_counter() - began)
            pieces += making
            level.append(10 * np.log10(np.mean(np.square(joined(pieces).samples)) / np.mean(np.square(whole.samples))))
            cuts, uncut = _unedited(speaker, text, name, manner)
            apart, seams = (
                _apart(uncut, np.concatenate(cuts)),
                _near(np.cumsum([len(piece) for piece in cuts])[:-1], len(uncut)),
            )
            near.append(np.nanmean(apart[seams[: len(apart)]]))
            far.append(np.nanmean(apart[~seams[: len(apart)]]))
    return {
        "spoken in pieces, sentences": len(soon),
        "spoken in pieces, first sound, median, s": round(float(np.median(soon)), 2),
        "spoken whole, seconds for a second, median": round(float(np.median(late)), 2),
        "spoken in pieces, louder than whole, dB, mean and largest": [
            round(float(np.mean(level)), 1),
            round(float(np.abs(level).max()), 1),
        ],
        SEAMS: round(float(np.mean(near)), 2),
        "spoken in pieces, apart from the same in one, elsewhere, dB": round(float(np.mean(far)), 2),
    }


def _unedited(speaker: Any, text: str, name: str, manner: Any) -> tuple[list[NDArray[np.float32]], NDArray[np.float32]]:
    """In pieces and in one, with the same norms and with all silences as they are, so that each sound lies beside its like."""
    from heartfelt.expression.voice import kokoro

    kept = kokoro.places, kokoro.heard, kokoro.paced
    kokoro.heard, kokoro.paced = lambda sounds, _samples: sounds, lambda sounds, samples, *_: (sounds, samples)
    try:
        pieces = [piece.samples for piece in speaker.stream(text, voice=name, manner=manner, piecewise=True)]
        kokoro.places = lambda sounds: (kept[0](sounds)[0], [])
        whole = [stretch.samples for stretch in speaker.stream(text, voice=name, manner=manner, piecewise=True)]
    finally:
        kokoro.places, kokoro.heard, kokoro.paced = kept
    return pieces, np.concatenate(whole)


def _apart(one: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.float64]:
    first, second = _mel(one), _mel(other)
    return np.where(first > first.max() - HEARD, np.abs(second - first), np.nan)


def _near(seams: NDArray[np.int64], length: int) -> NDArray[np.bool_]:
    here = np.zeros(length // 240 + 2, bool)
    for seam in seams // 240:
        here[max(seam - NEAR, 0) : seam + NEAR] = True
    return here


def _mel(sound: NDArray[np.float32]) -> NDArray[np.float64]:
    """Decibels, [spectra, bands]."""
    size, hop = 1024, 240
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(sound, size // 2), size)[::hop] * np.hanning(size)
    power, hertz = np.abs(np.fft.rfft(windows)) ** 2, np.fft.rfftfreq(size, 1 / 24_000)
    low, high = (2595 * np.log10(1 + edge / 700) for edge in (80, 8000))
    edges = 700 * (10 ** (np.linspace(low, high, 42) / 2595) - 1)
    rise = (hertz - edges[:-2, None]) / np.diff(edges)[:-1, None]
    fall = (edges[2:, None] - hertz) / np.diff(edges)[1:, None]
    return 10 * np.log10(power @ np.maximum(0, np.minimum(rise, fall)).T + 1e-4)


if __name__ == "__main__":
    print(json.dumps(measure(), indent=2))
