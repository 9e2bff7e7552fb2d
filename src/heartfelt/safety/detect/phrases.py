"""Weighed phrases: a small linear reading of runs of words, a second opinion beside the reader and a substitute where it fails.

It was taught the same lessons and needs no model to run: rules find what is said outright, this finds some of what is meant.
"""

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from heartfelt.records import Danger, Sign
from heartfelt.safety.detect.message import windows
from heartfelt.safety.tiers import DANGERS

FILE = Path(__file__).with_name("phrases.npz")
PLACES = 1 << 16
LONGEST = 3
"""Words in a run."""
ALARM = 0.5
"""How likely danger must be; chosen on validation messages (docs/design/safety.md)."""
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|[.?!]")


class Weights(NamedTuple):
    """(places, 1 + dangers): how much each run speaks for danger at all, and for which."""

    table: NDArray[np.float32]
    start: NDArray[np.float32]


def runs(text: str) -> NDArray[np.int64]:
    """Where in the table the runs of words of a text stand, each once."""
    words = ["^", *_WORD.findall(text.lower().replace("’", "'")), "$"]
    found = {
        crc32(" ".join(words[i : i + length]).encode()) % PLACES
        for length in range(1, LONGEST + 1)
        for i in range(len(words) - length + 1)
    }
    return np.fromiter(sorted(found), np.int64)


def weighed(text: str) -> tuple[float, Danger]:
    """How likely danger is, and which it would be."""
    weights, places = _weights(), runs(text)
    sums = weights.start + weights.table[places].sum(0) / np.sqrt(len(places))
    return float(1 / (1 + np.exp(-sums[0]))), DANGERS[int(sums[1:].argmax())]


def signs(text: str) -> list[Sign]:
    found = [(*weighed(piece), piece) for piece in windows(text)]
    share, danger, piece = max(found)
    if share < ALARM:
        return []
    return [Sign(by="phrases", tier="active", danger=danger, quote=piece, confidence=round(share, 3))]


@cache
def _weights() -> Weights:
    with np.load(FILE, allow_pickle=False) as data:
        return Weights(data["table"].astype(np.float32) * data["scale"], data["start"].astype(np.float32))
