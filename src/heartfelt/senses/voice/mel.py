"""Log-mel bands as Whisper was taught on them: 80 bands of 25 ms every 10 ms, down to 80 decibels under the loudest."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from heartfelt.senses.voice.samples import RATE, Samples

HOP = 160
_WINDOW, _BANDS = 400, 80
_LINEAR, _CORNER, _GROWTH = 200 / 3, 1000.0, np.log(6.4) / 27
"""Hertz in one mel below the corner; above it the hertz grow by this power a mel (Slaney's scale)."""


def log_mel(samples: Samples) -> NDArray[np.float32]:
    """[80, n] for n whole hops of sound."""
    hops = len(samples) // HOP
    around = np.pad(samples, _WINDOW // 2, mode="reflect")
    frames = np.lib.stride_tricks.sliding_window_view(around, _WINDOW)[::HOP][:hops]
    power = np.square(np.abs(np.fft.rfft(frames * np.hanning(_WINDOW + 1)[:-1], axis=1)))
    bands = np.log10(np.maximum(_filters() @ power.T, 1e-10))
    return ((np.maximum(bands, bands.max() - 8) + 4) / 4).astype(np.float32)


@cache
def _filters() -> NDArray[np.float64]:
    """[80, 201]: overlapping triangles of the same area, evenly spaced in mel."""
    corner = _CORNER / _LINEAR
    top = corner + np.log(RATE / 2 / _CORNER) / _GROWTH
    mels = np.linspace(0, top, _BANDS + 2)
    hertz = np.where(mels < corner, mels * _LINEAR, _CORNER * np.exp(_GROWTH * (mels - corner)))
    left, centre, right = hertz[:-2, None], hertz[1:-1, None], hertz[2:, None]
    lines = np.fft.rfftfreq(_WINDOW, 1 / RATE)
    slopes = np.minimum((lines - left) / (centre - left), (right - lines) / (right - centre))
    return np.maximum(slopes, 0) * 2 / (right - left)
