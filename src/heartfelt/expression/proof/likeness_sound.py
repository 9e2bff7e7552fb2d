"""Sound as Resemblyzer's speaker encoder takes it: loud enough, without its silences, as spectra of 40 mel bands.

As in the original but for one thing: there a small detector (WebRTC's) finds the speech, here Silero does, which the senses use
too. Its frames are 32 ms and not 30, and it is sure enough to need no smoothing.
"""

from collections.abc import Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.proof.likeness_graph import BANDS
from heartfelt.senses.voice.detect import FRAME, Detector
from heartfelt.senses.voice.samples import RATE, Samples

LEVEL = -30.0
"""Decibels below full scale: quieter sound is raised to it, louder sound stays."""
SPEECH = 0.5
"""How likely a frame must be speech."""
AROUND = 3
"""Frames of 32 ms that are kept on both sides of speech."""
HOP, WINDOW = RATE // 100, RATE // 40
PARTIAL = 160
"""Frames of 10 ms that the encoder was taught with, and so is asked with."""
_STEP = 77
"""Frames from one partial to the next: 1.3 a second."""
_COVERED = 0.75
"""How much of the last partial must be sound and not padding."""
_BLOCK = 4096
"""Frames at once, so that a long recording needs little memory."""


def raised(sound: Samples) -> Samples:
    """The sound at the level that the encoder knows, or as it is where that is louder."""
    power = float(np.mean(np.square(sound, dtype=np.float64)))
    return sound * np.float32(max(1.0, 10 ** (LEVEL / 20) / np.sqrt(power)))


def voiced(sound: Samples, detector: Detector) -> NDArray[np.bool_]:
    """Which frames of 32 ms hold speech; what is left over at the end is no frame."""
    detector.reset()
    return detector.detect(sound[: len(sound) // FRAME * FRAME].reshape(-1, FRAME)) >= SPEECH


def trimmed(sound: Samples, speech: NDArray[np.bool_]) -> Samples:
    """The speech and a little around it, end to end: silences of more than six frames become shorter, and the ends go."""
    around = np.convolve(speech, np.ones(2 * AROUND + 1), "full")[AROUND:-AROUND] > 0.5
    return sound[: len(speech) * FRAME].reshape(-1, FRAME)[around].ravel()


def partials(length: int) -> list[int]:
    """The first frame of each partial of a sound of so many samples. They overlap by half; the last may need padding."""
    frames = -(-(length + 1) // HOP)
    firsts = list(range(0, max(1, frames - PARTIAL + _STEP + 1), _STEP))
    covered = (length / HOP - firsts[-1]) / PARTIAL
    return firsts[:-1] if covered < _COVERED and len(firsts) > 1 else firsts


def spectra(sound: Samples) -> Samples:
    """One row of 40 numbers for each 10 ms: the power of each band, not its logarithm."""
    padded = np.pad(sound, WINDOW // 2)
    frames = np.lib.stride_tricks.sliding_window_view(padded, WINDOW)[::HOP]
    return np.concatenate([_powers(frames[start : start + _BLOCK]) for start in range(0, len(frames), _BLOCK)])


def partial_spectra(sound: Samples) -> Samples:
    """[partials, 160, 40]: what the encoder is asked with."""
    firsts = partials(len(sound))
    missing = max(0, (firsts[-1] + PARTIAL) * HOP - len(sound))
    rows = spectra(np.pad(sound, (0, missing)))
    return np.stack([rows[first : first + PARTIAL] for first in firsts])


def _powers(frames: Samples) -> Samples:
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(WINDOW) / WINDOW)
    power = np.square(np.abs(np.fft.rfft(frames * window.astype(np.float32))))
    return (power @ bands().T).astype(np.float32)


@cache
def bands() -> Samples:
    """[40, 201]: triangles that are evenly wide on Slaney's mel scale and have the same area each."""
    edges = _hertz(np.linspace(0.0, _mel(RATE / 2), BANDS + 2))
    hertz = np.linspace(0.0, RATE / 2, WINDOW // 2 + 1)
    return np.stack(list(_triangles(edges, hertz))).astype(np.float32)


def _triangles(edges: NDArray[np.float64], hertz: NDArray[np.float64]) -> Iterator[NDArray[np.float64]]:
    for low, peak, high in zip(edges, edges[1:], edges[2:], strict=False):
        shape = np.minimum((hertz - low) / (peak - low), (high - hertz) / (high - peak))
        yield np.maximum(shape, 0.0) * 2 / (high - low)


# Slaney's scale is even up to 1,000 hertz, 15 mel, and grows by the same factor from there: 6.4 times in 27 mel.
_EVEN = 200 / 3
_BEND, _GROWTH = 1000.0, np.log(6.4) / 27


def _mel(hertz: float) -> float:
    return hertz / _EVEN if hertz < _BEND else _BEND / _EVEN + float(np.log(hertz / _BEND)) / _GROWTH


def _hertz(mel: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(mel < _BEND / _EVEN, mel * _EVEN, _BEND * np.exp(_GROWTH * (mel - _BEND / _EVEN)))
