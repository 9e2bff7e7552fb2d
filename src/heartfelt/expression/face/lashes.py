"""Lashes: a thin veil on the rims of the upper lids, which stands away from the eyeball wherever the lids are."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.face.piece import halves, unit

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.int32]

_PLACES, _ROWS = 25, 4


@dataclass(frozen=True)
class Rim:
    """One lid's edge: fine vertices from the inner corner outwards, and where the veil stands between them."""

    line: Ints
    place: Floats
    length: Floats
    side: str

    def veil(self, points: Floats, middle: Floats) -> Floats:
        """Rows of vertices from the rim to the tips, each along the lid."""
        line = points[self.line]
        left = np.floor(self.place).astype(int)
        share = (self.place - left)[:, None]
        root = line[left] * (1 - share) + line[left + 1] * share
        away = unit(root - middle)
        fan = np.array([1 if self.side == "Left" else -1, 0, 0], np.float32) * (self.place / len(self.line) - 0.35)[:, None]
        rows = [root - 0.004 * away]
        for step in (0.35, 0.7, 1.0):
            rows.append(root + self.length[:, None] * (step * (0.7 * away + 0.5 * fan) + _UP * (0.75 * step**2 - 0.08)))
        return np.concatenate(rows).astype(np.float32)


_UP = np.array([0, 1, 0], np.float32)


def triangles() -> Ints:
    row, column = np.meshgrid(np.arange(_ROWS - 1), np.arange(_PLACES - 1), indexing="ij")
    corner = row * _PLACES + column
    quads = np.stack([corner, corner + 1, corner + _PLACES + 1, corner + _PLACES], 2).reshape(-1, 4)
    return halves(quads.astype(np.int32))


def cover(fullness: float) -> Floats:
    """Dense at the rim, nothing at the tips, and less at the inner corner."""
    along = np.array([1.0, 0.85, 0.45, 0.0])[:, None] * (0.70 + 0.30 * fullness)
    across = np.clip(np.linspace(0.1, 1, _PLACES) / 0.4, 0.3, 1)[None]
    return (along * across).reshape(-1).astype(np.float32)


def rims(rest: Floats, skin: Ints, fullness: float) -> list[Rim]:
    """The upper rims, found on the resting head: the vertices where the lids' fronts end."""
    found: list[Rim] = []
    for side, sign in (("Left", 1), ("Right", -1)):
        line = _line(rest, skin, sign)
        place = np.linspace(0.3, len(line) - 1.02, _PLACES).astype(np.float32)
        share = place / (len(line) - 1)
        length = (0.034 + 0.030 * share) * (0.55 + 0.45 * fullness)
        found.append(Rim(line, place, length.astype(np.float32), side))
    return found


_OPENING = (0.185, 0.21, 0.24, 0.27, 0.30, 0.33, 0.36, 0.39, 0.415, 0.435)
_UPPER = (7.272, 7.292, 7.312, 7.326, 7.332, 7.332, 7.328, 7.317, 7.305, 7.292)


def _line(rest: Floats, skin: Ints, sign: int) -> Ints:
    vertices = np.unique(skin)
    vertices = vertices[(rest[vertices, 2] > 1.2) & (sign * rest[vertices, 0] > 0.1)]
    goal = np.stack([sign * np.array(_OPENING), np.array(_UPPER)], axis=1)
    gaps = np.linalg.norm(rest[vertices][None, :, :2] - goal[:, None], axis=2) - 0.15 * rest[vertices][None, :, 2]
    line = vertices[gaps.argmin(1)]
    return line[np.sort(np.unique(line, return_index=True)[1])].astype(np.int32)
