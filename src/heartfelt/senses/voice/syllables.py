"""Counts syllables without knowing a word: each has one vowel, and a vowel is a voiced peak of loudness (de Jong and Wempe)."""

import numpy as np
from numpy.typing import NDArray

from heartfelt.senses.voice.levels import Levels
from heartfelt.senses.voice.pitch import Numbers

_DIP = 2.0
"""Decibels by which the loudness must fall between two vowels."""
_BELOW_PEAK = 25.0
"""A vowel is not further below the loudest one."""
_SMOOTHING = np.hanning(9)[1:-1] / np.hanning(9).sum()


def syllables(levels: Levels, voiced: NDArray[np.bool_]) -> list[int]:
    """The rows of the syllables' vowels, in their order."""
    if len(levels.vowels) < len(_SMOOTHING):
        return []
    padded = np.pad(levels.vowels, len(_SMOOTHING) // 2, mode="edge")
    curve = np.lib.stride_tricks.sliding_window_view(padded, len(_SMOOTHING)) @ _SMOOTHING
    loudest = float(curve[voiced].max()) if voiced.any() else 0.0
    return [row for row in _peaks(curve) if voiced[row] and curve[row] > loudest - _BELOW_PEAK]


def _peaks(curve: Numbers) -> list[int]:
    """Maxima with a fall of `_DIP` on both sides: a climb ends where the curve has fallen enough, and the other way round."""
    found: list[int] = []
    top = low = 0
    climbing = True
    for row in range(len(curve)):
        if climbing:
            top = row if curve[row] > curve[top] else top
            if curve[top] - curve[row] >= _DIP:
                found.append(top)
                low, climbing = row, False
        else:
            low = row if curve[row] < curve[low] else low
            if curve[row] - curve[low] >= _DIP:
                top, climbing = row, True
    return found
