"""The head under the hair: where hair grows, how far the skull reaches, and coats of short hair that follow the skin."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.face.piece import unit
from heartfelt.expression.face.subdivide import subdivided

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.int32]

MIDDLE = np.array([0.0, 7.55, 0.08], np.float32)
"""The middle of the resting skull."""

_HAIRLINE = (
    (0, 7.935), (6, 7.945), (12, 7.965), (18, 7.985), (24, 7.995), (30, 7.97), (36, 7.87), (40, 7.74), (43, 7.57), (45, 7.37),
    (47, 7.18), (51, 7.15), (53, 7.24), (56, 7.36), (68, 7.38), (76, 7.34), (82, 7.20), (108, 7.12), (125, 6.85), (180, 6.68),
)  # fmt: skip
"""Over the forehead, down in front of the ear and round it, to the nape: the angle from the front, and the height."""


@dataclass(frozen=True)
class Scalp:
    """The skin of one person as hair needs it: the resting places of its vertices, and where this person has them."""

    rest: Floats
    points: Floats
    normals: Floats
    quads: Ints
    middle: Floats
    scale: float

    def measured(self, places: Floats) -> Floats:
        """Places of this person in the measures of the resting head."""
        return (places - self.middle) / self.scale + MIDDLE

    def placed(self, places: Floats) -> Floats:
        return ((places - MIDDLE) * self.scale + self.middle).astype(np.float32)


@dataclass(frozen=True)
class Field:
    """The part of the scalp on which hair grows, and a margin of skin, in the measures of the resting head."""

    rest: Floats
    places: Floats
    normals: Floats
    quads: Ints
    inside: Floats
    """As `grows` says."""


def grows(rest: Floats, back: float = 0.0) -> Floats:
    """Positive where hair grows, rising with the distance from the hairline; `back` moves the line up the forehead."""
    x, y, z = rest[..., 0], rest[..., 1], rest[..., 2]
    angle = np.degrees(np.abs(np.arctan2(x, z - 0.1)))
    line = np.interp(angle, *np.array(_HAIRLINE).T)
    recess = back * np.interp(angle, (0, 18, 40, 58, 80), (0.75, 1.0, 1.15, 0.5, 0.0))
    return (y - line - recess).astype(np.float32)


def on_the_ears(rest: Floats) -> NDArray[np.bool_]:
    """The ears, and the skin behind them, which falling hair hides."""
    x, y, z = rest.T
    return (y > 6.78) & (y < 7.46) & (np.abs(x) > np.where(z < 0.66, 0.64, 0.72)) & (z < 0.74)


def field(scalp: Scalp, back: float, *, fine: bool) -> Field:
    near = (grows(scalp.rest, back) > -0.12) & (np.abs(scalp.rest[:, 0]) < 0.77) & (scalp.rest[:, 1] > 6.5)
    kept, inverse = np.unique(scalp.quads[near[scalp.quads].all(1)], return_inverse=True)
    quads = inverse.reshape(-1, 4).astype(np.int32)
    rest, places, normals = scalp.rest[kept], scalp.measured(scalp.points)[kept], scalp.normals[kept]
    if fine:
        table = subdivided(quads, len(kept))
        rest, places, normals = table.apply(rest), table.apply(places), unit(table.apply(normals))
        quads = table.quads
    return Field(rest, places, normals, quads, grows(rest, back))


# Rows of the table above and below each row; it ends at the poles.
_UP, _DOWN = [0, *range(31)], [*range(1, 32), 31]


class Skull:
    """How far the head reaches from its middle in each direction."""

    def __init__(self, scalp: Scalp):
        places = scalp.measured(scalp.points)
        keep = (places[:, 1] > 6.1) & (np.abs(scalp.rest[:, 0]) < 0.78)
        away = places[keep] - MIDDLE
        reach = np.linalg.norm(away, axis=1)
        down, round_ = _angles(away)
        table = np.zeros((32, 64), np.float32)
        np.maximum.at(table, (np.clip(down, 0, 31).astype(int), round_.astype(int) % 64), reach)
        for _ in range(12):  # cells without a vertex take from their neighbours
            near = np.stack([table[_UP], table[_DOWN], np.roll(table, 1, 1), np.roll(table, -1, 1)])
            filled = near.sum(0) / np.maximum((near > 0).sum(0), 1)
            table = np.where(table > 0, table, filled)
        for _ in range(3):
            table = (2 * table + table[_UP] + table[_DOWN] + np.roll(table, 1, 1) + np.roll(table, -1, 1)) / 6
        table[:2] = table[:2].mean()
        self.table = table.astype(np.float32)

    def reach(self, away: Floats) -> Floats:
        """The distance from the middle to the skin in these directions, smoothly."""
        down, round_ = _angles(away)
        down, round_ = down - 0.5, round_ - 0.5
        row, column = np.floor(down), np.floor(round_)
        fy, fx = down - row, round_ - column
        r0, r1 = np.clip(row, 0, 31).astype(int), np.clip(row + 1, 0, 31).astype(int)
        c0, c1 = column.astype(int) % 64, (column.astype(int) + 1) % 64
        above = self.table[r0, c0] * (1 - fx) + self.table[r0, c1] * fx
        below = self.table[r1, c0] * (1 - fx) + self.table[r1, c1] * fx
        return (above * (1 - fy) + below * fy).astype(np.float32)


def _angles(away: Floats) -> tuple[Floats, Floats]:
    """Rows down from the pole and columns round it."""
    length = np.linalg.norm(away, axis=-1) + 1e-9
    down = np.arccos(np.clip(away[..., 1] / length, -1, 1)) / np.pi * 32
    return down, (np.arctan2(away[..., 0], away[..., 2]) / (2 * np.pi) + 0.5) * 64
