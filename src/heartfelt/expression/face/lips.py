"""Closed lips: the two lips are drawn together until they touch, whatever else the face does with a shut mouth."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.face.head import Head

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.int32]

_SLIT = 6.6075
"""The height of the resting slit between the lips."""
_WIDE, BINS = 0.26, 13
# Subdivision rounds the lips off, so their coarse edges have to overlap by as much for the fine ones to touch.
OVERLAP = 0.020


class Lips:
    """Which vertices are lips, found once on the resting head."""

    def __init__(self, head: Head):
        rows = np.unique(head.quads[head.of_part("skin")]).astype(np.int32)
        x, y, z = head.points[rows].T
        near = (np.abs(y - _SLIT) < 0.12) & (z > 1.30) & (np.abs(x) < _WIDE + 0.04)
        self.rows = rows[near]
        x, y, z = head.points[self.rows].T
        self.upper = y > _SLIT
        fade = np.clip((_WIDE + 0.03 - np.abs(x)) / 0.06, 0, 1)
        self.weight = np.exp(-(((y - _SLIT) / 0.055) ** 2)) * fade * np.where(self.upper, -0.5, 0.5)
        self.place = (x / _WIDE + 1) / 2 * (BINS - 1)
        edge = (np.abs(y - _SLIT) < 0.016) & (z > 1.36) & (np.abs(x) < _WIDE)
        self.edges = [self.rows[edge & self.upper], self.rows[edge & ~self.upper]]
        self.bins = [np.rint((head.points[rows, 0] / _WIDE + 1) / 2 * (BINS - 1)).astype(int) for rows in self.edges]

    def gaps(self, points: Floats) -> Floats:
        """How far apart the lips are, at places from the right corner of the mouth to the left; negative where they overlap."""
        upper, lower = np.full(BINS, np.inf), np.full(BINS, -np.inf)
        np.minimum.at(upper, self.bins[0], points[self.edges[0], 1])
        np.maximum.at(lower, self.bins[1], points[self.edges[1], 1])
        gaps = upper - lower
        known = np.isfinite(gaps)
        return np.interp(np.arange(BINS), np.flatnonzero(known), gaps[known])

    def close(self, points: Floats, units: Mapping[str, float]) -> None:
        """Draw the lips together as far as the mouth is meant to be shut."""
        shut = closed(units)
        if shut > 0:
            missing = np.maximum(self.gaps(points) + OVERLAP, 0)
            pull = np.interp(self.place, np.arange(BINS), missing)
            points[self.rows, 1] += (shut * pull * self.weight).astype(np.float32)


def closed(units: Mapping[str, float]) -> float:
    """1 where nothing parts the lips, 0 where they are to be open."""
    apart = 7 * max(units["jawOpen"] - units["mouthClose"], 0) + 1.5 * units["mouthFunnel"] + 4 * units["tongueOut"]
    apart += sum(1.2 * units[f"mouth{name}{side}"] for name in ("UpperUp", "LowerDown") for side in ("Left", "Right"))
    return min(max(1.15 - apart, 0.0), 1.0)
