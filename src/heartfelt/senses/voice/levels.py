"""Loudness every 10 ms, in all and in two bands, and the background that it stands on."""

from dataclasses import dataclass

import numpy as np

from heartfelt.senses.voice.pitch import HOP, Numbers
from heartfelt.senses.voice.samples import RATE, Samples, decibels

_WINDOW = 400
_SIZE = 512


@dataclass(frozen=True)
class Levels:
    """One row for each 10 ms, centred like the rows of the pitch; in decibels, where 0 is full scale."""

    level: Numbers
    vowels: Numbers
    """Only 300 to 2,500 hertz: there vowels are loud and hisses are not."""
    hiss: Numbers
    """The share of the power above 3,000 hertz, from 0 to 1: high in «s» and «sh»."""
    floor: float
    """The background: what the quietest tenth stays below, or what was heard before, whichever is quieter."""


def measure_levels(samples: Samples, background: float | None = None) -> Levels:
    rows = len(samples) // HOP
    padded = np.pad(samples, (_WINDOW // 2, _WINDOW))
    frames = np.lib.stride_tricks.sliding_window_view(padded, _WINDOW)[: rows * HOP : HOP]
    power = np.square(np.abs(np.fft.rfft(frames * np.hanning(_WINDOW), _SIZE)))
    hertz = np.fft.rfftfreq(_SIZE, 1 / RATE)
    # By Parseval, so that a full-scale sine is -3 dB.
    scale = 2 / (_SIZE * float(np.square(np.hanning(_WINDOW)).sum()))
    total = power[:, hertz >= 50].sum(axis=1) * scale
    level = decibels(total)
    quietest = float(np.percentile(level, 10)) if rows else -100.0
    return Levels(
        level=level,
        vowels=decibels(power[:, (hertz >= 300) & (hertz <= 2500)].sum(axis=1) * scale),
        hiss=power[:, hertz > 3000].sum(axis=1) * scale / np.maximum(total, 1e-10),
        floor=quietest if background is None else min(quietest, background),
    )
