"""When each word was said, by where the recogniser listened while it wrote the word.

The rule: a token begins where its attention peaks, and peaks stand in the order of the tokens. Against the word times of a
synthesiser the starts are about 40 ms off on average, and nine in ten within 100 ms. A word ends where the next begins, less
the quiet at its end.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from heartfelt.senses.voice.samples import RATE, Samples, decibels

_ROW = 384
"""Samples in one row of loudness: 24 ms."""
_QUIET = 25.0
"""A word's end is over once it is so many decibels below the word's loudest."""
_SHORTEST = 0.04


def peaks(attention: NDArray[np.float32]) -> list[int]:
    """One frame for each row of [tokens, frames], never going back, with the most attention in all."""
    scores = np.log(attention.astype(np.float64) + 1e-3)
    places = np.arange(scores.shape[1])
    best, backs = scores[0], list[NDArray[np.intp]]()
    for row in scores[1:]:
        highest = np.maximum.accumulate(best)
        backs.append(np.maximum.accumulate(np.where(best == highest, places, 0)))
        best = highest + row
    path = [int(best.argmax())]
    for back in reversed(backs):
        path.append(int(back[path[-1]]))
    return path[::-1]


def spans(starts: Sequence[int], samples: Samples, *, step: int, late: float) -> list[tuple[float, float]]:
    """From the frames in which words begin, of `step` samples each, to the seconds in which they start and end.

    `late`: how many seconds after a word has begun the attention peaks, whatever the word.
    """
    length = len(samples) / RATE
    begins = [min(max((start + 0.5) * step / RATE - late, 0.0), length) for start in starts]
    ends = [*begins[1:], length]
    return [(begin, _end(begin, max(begin, end), samples)) for begin, end in zip(begins, ends, strict=True)]


def _end(begin: float, end: float, samples: Samples) -> float:
    word = samples[int(begin * RATE) : int(end * RATE)]
    rows = len(word) // _ROW
    if rows < 2:
        return end
    levels = decibels(np.mean(np.square(word[: rows * _ROW].reshape(rows, _ROW)), axis=1))
    loud = np.flatnonzero(levels > levels.max() - _QUIET)
    sounding = begin + (int(loud[-1]) + 1) * _ROW / RATE
    return min(end, max(sounding, begin + _SHORTEST)) if loud[-1] < rows - 1 else end
