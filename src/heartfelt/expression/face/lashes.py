"""Lashes: hairs on the rims of the lids, which stand away from the eyeball wherever the lids are."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.face.piece import unit

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.int32]


@dataclass(frozen=True)
class Rim:
    """One lid's edge: fine vertices from the inner corner outwards, and where its lashes stand between them."""

    line: Ints
    place: Floats
    length: Floats
    lift: float
    """Upwards for an upper lid, downwards for a lower one."""
    side: str
    width: float

    @property
    def count(self) -> int:
        return len(self.place)

    def lashes(self, points: Floats, middle: Floats) -> Floats:
        """Four vertices for each lash: two at its root, one at its bend, one at its tip."""
        line = points[self.line]
        left = np.floor(self.place).astype(int)
        share = (self.place - left)[:, None]
        root = line[left] * (1 - share) + line[left + 1] * share
        along = unit(line[left + 1] - line[left])
        away = unit(root - middle)
        up = np.array([0, self.lift, 0], np.float32)
        fan = along * ((self.place / (len(self.line) - 1) - 0.42) * 0.9)[:, None]
        bend = root + self.length[:, None] * (0.55 * away + 0.10 * up + 0.3 * fan)
        tip = bend + self.length[:, None] * (0.25 * away + 0.45 * up + 0.35 * fan)
        half = along * self.width / 2
        return np.stack([root - half, root + half, bend, tip], axis=1).reshape(-1, 3).astype(np.float32)


def triangles(count: int) -> Ints:
    start = 4 * np.arange(count)[:, None]
    return (start[:, None] + np.array([[0, 1, 2], [0, 2, 3], [2, 1, 3]])[None]).reshape(-1, 3).astype(np.int32)


def rims(rest: Floats, skin: Ints, seed: int, fullness: float) -> list[Rim]:
    """The four rims, found on the resting head: the vertices where the lids' fronts end, above and below each eye."""
    chance = np.random.default_rng(seed + 3)
    found: list[Rim] = []
    for side, sign in (("Left", 1), ("Right", -1)):
        for lift in (1.0, -1.0):
            line = _line(rest, skin, sign, lift)
            count = 100 if lift > 0 else 24
            place = np.sort(chance.uniform(0.6 if lift > 0 else 1.5, len(line) - 1.05, count)).astype(np.float32)
            share = place / (len(line) - 1)
            length = (0.044 + 0.030 * share) * (0.65 + 0.5 * fullness) * chance.uniform(0.75, 1.15, count)
            length = length if lift > 0 else 0.45 * length
            width = (0.0065 + 0.002 * fullness) if lift > 0 else 0.002
            found.append(Rim(line, place, length.astype(np.float32), lift, side, width))
    return found


_OPENING = (0.185, 0.21, 0.24, 0.27, 0.30, 0.33, 0.36, 0.39, 0.415, 0.435)
_UPPER = (7.272, 7.292, 7.312, 7.326, 7.332, 7.332, 7.328, 7.317, 7.305, 7.292)
_LOWER = (7.262, 7.258, 7.250, 7.244, 7.241, 7.241, 7.245, 7.254, 7.266, 7.280)


def _line(rest: Floats, skin: Ints, sign: int, lift: float) -> Ints:
    vertices = np.unique(skin)
    vertices = vertices[(rest[vertices, 2] > 1.2) & (sign * rest[vertices, 0] > 0.1)]
    heights = _UPPER if lift > 0 else _LOWER
    goal = np.stack([sign * np.array(_OPENING), np.array(heights)], axis=1)
    gaps = np.linalg.norm(rest[vertices][None, :, :2] - goal[:, None], axis=2) - 0.15 * rest[vertices][None, :, 2]
    line = vertices[gaps.argmin(1)]
    return line[np.sort(np.unique(line, return_index=True)[1])].astype(np.int32)
