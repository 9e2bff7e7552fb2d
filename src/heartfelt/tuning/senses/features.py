"""From a sound to the picture of it that the voice network reads: speech cut out, its loudness evened, log-mel bands.

numpy alone, and the same code for training and for the runtime: a network is only right about what it was shown.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from heartfelt.errors import InputError

Floats = NDArray[np.float32]

RATE = 16_000
"""Samples a second."""
WINDOW = 400
"""Samples of a frame: 25 ms, a few periods of a low voice."""
HOP = 160
"""Samples from one frame to the next: 10 ms."""
SIZE = 512
"""Points of the Fourier transform."""
BANDS = 64
LOW, HIGH = 60.0, 7_600.0
"""Hertz between which the bands lie."""
LOUDNESS = 0.1
"""Root mean square to which speech is brought: how far the microphone stood says nothing about a feeling."""
FLOOR = 1e-4
"""Power under which all is silence, so that the hiss of a quiet recording is not read as speech."""
RANGE = 35.0
"""Decibels under the loud frames at which speech begins and ends."""
MARGIN = 10
"""Frames that are kept on either side of the speech."""
STEP = 16
"""The network halves the time four times: frames come in this many."""
FEWEST = 6 * STEP
"""Frames that the network wants at least. A shorter sound is repeated, as it was in training."""


def features(wave: NDArray[np.floating] | NDArray[np.int16]) -> Floats:
    """(bands, frames) of one utterance at 16 kHz, from -1 to 1 or in 16-bit integers."""
    bands = log_mel(levelled(spoken(_checked(wave))))
    bands = np.tile(bands, (1, -(-FEWEST // bands.shape[1])))
    return bands[:, : bands.shape[1] // STEP * STEP]


def spoken(wave: Floats) -> Floats:
    """The sound from its first to its last frame that is not far quieter than its loud ones."""
    decibels = 10 * np.log10(np.mean(_frames(wave) ** 2, axis=1) + 1e-12)
    loud = np.flatnonzero(decibels > np.quantile(decibels, 0.95) - RANGE)
    first, last = max(0, int(loud[0]) - MARGIN), int(loud[-1]) + MARGIN
    return wave[first * HOP : last * HOP + WINDOW]


def levelled(wave: Floats) -> Floats:
    return wave * np.float32(LOUDNESS / max(1e-9, float(np.sqrt(np.mean(wave**2)))))


def log_mel(wave: Floats) -> Floats:
    """(bands, frames): the natural logarithm of the power in each band."""
    spectrum = np.fft.rfft(_frames(wave) * _window(), SIZE)
    power = (spectrum.real**2 + spectrum.imag**2).astype(np.float32)
    return np.log(power @ _bands().T + np.float32(FLOOR)).T.astype(np.float32)


def _checked(wave: NDArray[np.floating] | NDArray[np.int16]) -> Floats:
    if wave.ndim != 1:
        raise InputError(f"A sound of the shape {wave.shape} is not one channel; mix it to mono first.")
    sound = wave.astype(np.float32) / np.float32(32_768 if wave.dtype == np.int16 else 1)
    if len(sound) < 2 * WINDOW:
        raise InputError(f"The sound has {len(sound)} samples; give at least {2 * WINDOW}, a twentieth of a second.")
    if not np.isfinite(sound).all():
        raise InputError("The sound holds numbers that are none; decode it again.")
    if not np.any(np.abs(sound) > 1e-5):
        raise InputError("The sound is silent; leave it out, for there is nothing to hear.")
    return sound


def _frames(wave: Floats) -> Floats:
    return np.lib.stride_tricks.sliding_window_view(wave, WINDOW)[::HOP]


@cache
def _window() -> Floats:
    return np.hanning(WINDOW + 1)[:-1].astype(np.float32)


@cache
def _bands() -> Floats:
    """(bands, points): triangles that are equally wide in mel, after O'Shaughnessy's formula."""
    edges = 700 * (10 ** (np.linspace(_mel(LOW), _mel(HIGH), BANDS + 2) / 2595) - 1)
    points = np.arange(SIZE // 2 + 1) * RATE / SIZE
    rising = (points - edges[:-2, None]) / (edges[1:-1] - edges[:-2])[:, None]
    falling = (edges[2:, None] - points) / (edges[2:] - edges[1:-1])[:, None]
    return np.maximum(0, np.minimum(rising, falling)).astype(np.float32)


def _mel(hertz: float) -> float:
    return 2595 * float(np.log10(1 + hertz / 700))
