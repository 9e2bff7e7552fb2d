"""Voice breaks: places where the voice gives way, or leaps into another register, in the middle of a sound that goes on.

A consonant stops the voice as well. So a gap counts only where there is voice on both sides and the vowel goes on sounding
without hiss, or where the pitch after it is not the pitch before it.
"""

from itertools import pairwise

import numpy as np

from heartfelt.senses.voice.levels import Levels
from heartfelt.senses.voice.pitch import PitchTrack
from heartfelt.senses.voice.samples import runs

_FLANK = 6
"""Rows of voice that are needed on either side: 60 ms."""
_SHORTEST, _LONGEST = 5, 20
_LOSS = 6.0
"""Decibels of the vowel's band: a consonant loses more."""
_HISS = 0.15
_INSTANT = 4
"""Rows: a leap takes no longer."""
_LEAP, _BEYOND = 5.0, 14.0
"""Semitones: no larynx glides so far so fast, and none leaps much more than an octave."""


def breaks(pitch: PitchTrack, levels: Levels) -> list[tuple[int, int]]:
    """The first row of each break and the one after its last, in their order."""
    voiced = runs(pitch.voiced)
    found: list[tuple[int, int]] = []
    for (left, first), (last, right) in pairwise(voiced):
        flanked = first - left >= _FLANK and right - last >= _FLANK
        if flanked and _goes_on(levels, first, last) and (_lapses(first, last) or _leaps(pitch, first, last)):
            found.append((first, last))
    return found


def _goes_on(levels: Levels, first: int, last: int) -> bool:
    around = np.concatenate([levels.vowels[first - _FLANK : first], levels.vowels[last : last + _FLANK]])
    sounding = levels.vowels[first:last].min() > np.median(around) - _LOSS
    return bool(sounding and levels.hiss[first:last].mean() < _HISS)


def _lapses(first: int, last: int) -> bool:
    return _SHORTEST <= last - first <= _LONGEST


def _leaps(pitch: PitchTrack, first: int, last: int) -> bool:
    before, after = np.median(pitch.hertz[first - 3 : first]), np.median(pitch.hertz[last : last + 3])
    return last - first <= _INSTANT and _LEAP <= abs(12 * np.log2(after / before)) <= _BEYOND
