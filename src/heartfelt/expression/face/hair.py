"""Hair: locks that grow from the scalp, lie on the skull, fall, part, curl or are tied, over a cap that closes the gaps.

All lengths are in the measures of the resting head; a person's own head only scales and shifts them.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.face.look import Look
from heartfelt.expression.face.piece import Piece, halves, joined, ribbons, unit

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.int32]

MIDDLE = np.array([0.0, 7.55, 0.08], np.float32)
"""The middle of the resting skull."""


@dataclass(frozen=True)
class Style:
    """How a head of hair grows."""

    locks: int
    length: float
    lift: float
    """How far the locks stand off the skull."""
    width: float
    part: float | None = None
    """Where it parts, to the person's left; None where it grows from a crown."""
    fall: float = 0.0
    """How soon the weight of the locks wins."""
    back: float = 0.0
    """How far it is combed back."""
    curl: float = 0.0
    radial: float = 0.0
    """How far it stands out instead of lying."""
    line: float = 0.0
    """How far the hairline has gone back."""
    fade: float = 9.0
    """How fast the locks grow longer away from the hairline."""
    lowest: float = 5.0
    """Below this height nothing hangs."""


STYLES = {
    "receding": Style(locks=1300, length=0.30, lift=0.035, width=0.04, back=0.5, line=0.42, fade=0.7),
    "short": Style(locks=1900, length=0.50, lift=0.10, width=0.045, back=0.55, fade=1.1),
    "side parting": Style(locks=1700, length=0.85, lift=0.12, width=0.065, part=0.30, back=0.55, fade=1.5),
    "bob": Style(locks=1500, length=1.75, lift=0.14, width=0.085, part=-0.22, fall=0.7, lowest=6.32),
    "long": Style(locks=1700, length=2.9, lift=0.13, width=0.085, part=0.05, fall=0.8, lowest=5.0),
    "bun": Style(locks=1400, length=1.6, lift=0.05, width=0.06, back=3.0),
    "curly": Style(locks=1700, length=1.05, lift=0.17, width=0.065, part=0.15, fall=0.45, curl=0.075, lowest=6.5),
    "afro": Style(locks=2600, length=0.50, lift=0.33, width=0.055, curl=0.06, radial=1.0),
}
_NODES = 11


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
        return (places - MIDDLE) * self.scale + self.middle


def grows(rest: Floats, back: float = 0.0) -> Floats:
    """Positive where hair grows, rising with the distance from the hairline; `back` moves the line up the forehead."""
    x, y, z = rest[..., 0], rest[..., 1], rest[..., 2]
    angle = np.degrees(np.abs(np.arctan2(x, z - 0.1)))
    line = np.interp(
        angle,
        (0, 20, 38, 52, 62, 72, 82, 98, 108, 125, 180),
        (7.99, 7.99, 7.97, 7.80, 7.62, 7.38, 7.28, 7.42, 7.25, 6.85, 6.68),
    )
    recess = back * np.interp(angle, (0, 18, 40, 58, 80), (0.75, 1.0, 1.15, 0.5, 0.0))
    return (y - line - recess).astype(np.float32)


def grown(look: Look, scalp: Scalp) -> Piece | None:
    """All hair of the head as one piece, or None for the bald."""
    style = STYLES.get(look.hair)
    if style is None:
        return None
    chance = np.random.default_rng(look.seed + 17)
    skull = _Skull(scalp)
    roots, normals = _roots(style, scalp, chance)
    paths = _paths(style, roots, normals, skull, chance)
    pieces = [_cap(style, scalp, skull), _locks(style, paths, chance)]
    if look.hair == "bun":
        pieces.append(_bun(chance))
    piece = joined(pieces)
    points = scalp.placed(piece.points)
    return Piece(points, piece.normals, piece.triangles, piece.vectors, piece.numbers, two_sided=True)


# Rows of the table above and below each row; it ends at the poles.
_UP, _DOWN = [0, *range(31)], [*range(1, 32), 31]


class _Skull:
    """How far the head reaches from its middle in each direction."""

    def __init__(self, scalp: Scalp):
        places = scalp.measured(scalp.points)
        keep = (places[:, 1] > 6.1) & (np.abs(scalp.rest[:, 0]) < 0.78)
        away = places[keep] - MIDDLE
        reach = np.linalg.norm(away, axis=1)
        rows, columns = self._cells(away)
        table = np.zeros((32, 64), np.float32)
        np.maximum.at(table, (rows, columns), reach)
        for _ in range(12):  # cells without a vertex take from their neighbours
            near = np.stack([table[_UP], table[_DOWN], np.roll(table, 1, 1), np.roll(table, -1, 1)])
            filled = near.sum(0) / np.maximum((near > 0).sum(0), 1)
            table = np.where(table > 0, table, filled)
        for _ in range(2):
            table = (2 * table + table[_UP] + table[_DOWN] + np.roll(table, 1, 1) + np.roll(table, -1, 1)) / 6
        table[:2] = table[:2].mean()
        self.table = table.astype(np.float32)

    @staticmethod
    def _cells(away: Floats) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        length = np.linalg.norm(away, axis=-1) + 1e-9
        row = np.clip((np.arccos(np.clip(away[..., 1] / length, -1, 1)) / np.pi * 32).astype(np.int64), 0, 31)
        return row, ((np.arctan2(away[..., 0], away[..., 2]) / (2 * np.pi) + 0.5) * 64).astype(np.int64) % 64

    def reach(self, places: Floats) -> Floats:
        away = places - MIDDLE
        length = np.linalg.norm(away, axis=-1) + 1e-9
        down = np.arccos(np.clip(away[..., 1] / length, -1, 1)) / np.pi * 32 - 0.5
        round_ = (np.arctan2(away[..., 0], away[..., 2]) / (2 * np.pi) + 0.5) * 64 - 0.5
        row, column = np.floor(down), np.floor(round_)
        fy, fx = down - row, round_ - column
        r0, r1 = np.clip(row, 0, 31).astype(int), np.clip(row + 1, 0, 31).astype(int)
        c0, c1 = column.astype(int) % 64, (column.astype(int) + 1) % 64
        table = self.table
        above = table[r0, c0] * (1 - fx) + table[r0, c1] * fx
        below = table[r1, c0] * (1 - fx) + table[r1, c1] * fx
        return (above * (1 - fy) + below * fy).astype(np.float32)


def _roots(style: Style, scalp: Scalp, chance: np.random.Generator) -> tuple[Floats, Floats]:
    """Places and normals on the scalp, evenly by area, thinning out at the hairline."""
    triangles = halves(scalp.quads)
    inside = grows(scalp.rest, style.line)[triangles].mean(1) > 0
    triangles = triangles[inside & (np.abs(scalp.rest[triangles][:, :, 0]).max(1) < 0.80)]
    corners = scalp.measured(scalp.points)[triangles]
    area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    chosen = chance.choice(len(triangles), style.locks, p=area / area.sum())
    first, second = np.sqrt(chance.random(style.locks)), chance.random(style.locks)
    weights = np.stack([1 - first, first * (1 - second), first * second], axis=1).astype(np.float32)
    normals = np.einsum("ij,ijk->ik", weights, scalp.normals[triangles[chosen]])
    return np.einsum("ij,ijk->ik", weights, corners[chosen]).astype(np.float32), unit(normals)


def _paths(style: Style, roots: Floats, normals: Floats, skull: _Skull, chance: np.random.Generator) -> Floats:
    strands = len(roots)
    lengths = style.length * (0.75 + 0.4 * chance.random(strands)).astype(np.float32)
    lengths = np.minimum(lengths, 0.10 + style.fade * np.maximum(grows(roots, style.line), 0))
    lifts = style.lift * (0.45 + 0.75 * chance.random(strands)).astype(np.float32)
    steps = (lengths / (_NODES - 1))[:, None]
    stray = 0.22 * unit(chance.normal(size=(strands, 3)))
    place, paths = roots + 0.004 * normals, []
    way = unit(normals)
    for node in range(_NODES):
        paths.append(place)
        share = node / (_NODES - 1)
        away = unit(place - MIDDLE)
        flow = _flow(style, place, roots)
        flow = unit(flow - away * (flow * away).sum(1, keepdims=True) * (1 - style.radial) + style.radial * 2.5 * away)
        down = np.array([0, -1, 0], np.float32) * min(style.fall * 3 * share, 1.0) * 2.0
        way = unit(0.45 * way + flow + down + (0.5 + share) * stray)
        place = _clear(style, place + steps * way, skull, lifts, share)
    curved = np.stack(paths, axis=1)
    return _curled(style, curved, chance) if style.curl else curved


def _flow(style: Style, place: Floats, roots: Floats) -> Floats:
    """Which way hair is combed at a place."""
    x, y, z = place.T
    if style.part is not None:
        side = np.where(roots[:, 0] > style.part, 1.0, -1.0)
        return unit(
            np.stack(
                [side * (1.1 - np.clip(np.abs(x) - 0.3, 0, 1)), -0.75 - 0 * y, -style.back - 0.35 * np.clip(z, 0, 1)], axis=1
            )
        )
    if style.back > 1:  # tied: all towards the knot
        return unit(KNOT - place)
    crown = np.array([0.08, 8.42, -0.45], np.float32)
    away = unit(place - crown)
    return unit(away + np.array([0.15, -0.1, -style.back], np.float32) * np.clip(z, 0, 1)[:, None])


KNOT = np.array([0.0, 8.30, -0.72], np.float32)


def _clear(style: Style, place: Floats, skull: _Skull, lifts: Floats, share: float) -> Floats:
    """Out of the skull, near to it where hair lies, and out of the face."""
    place = place.copy()
    rise = lifts * min(share * 3.5, 1.0)
    if style.radial:
        rise = lifts * share
    away = place - MIDDLE
    distance = np.linalg.norm(away, axis=1)
    least = skull.reach(place) + rise + 0.006
    high = place[:, 1] > 7.0
    wanted = np.where(
        high & (style.radial == 0),
        np.minimum(np.maximum(distance, least), least + 0.05 + 0.2 * style.fall * share),
        np.maximum(distance, least),
    )
    wanted = np.where(place[:, 1] < 6.2, distance, wanted)
    place = MIDDLE + away * (wanted / distance)[:, None]
    # the face stays free
    front = (place[:, 2] > 0.25) & (place[:, 1] < 7.96)
    free = np.interp(place[:, 1], (5.0, 5.8, 6.5, 7.0, 7.4, 7.7, 7.96), (0.56, 0.56, 0.58, 0.645, 0.655, 0.58, 0.38)).astype(
        np.float32
    )
    pushed = np.where(place[:, 0] >= 0, np.maximum(place[:, 0], free), np.minimum(place[:, 0], -free))
    place[:, 0] = np.where(front, pushed, place[:, 0])
    # over the shoulders, and not into them
    low = place[:, 1] < 6.0
    place[:, 2] = np.where(low & (place[:, 2] > 0.0), np.maximum(place[:, 2], 0.42 + 0.45 * (6.0 - place[:, 1])), place[:, 2])
    place[:, 2] = np.where(low & (place[:, 2] <= 0.0), np.minimum(place[:, 2], -0.45), place[:, 2])
    place[:, 1] = np.maximum(place[:, 1], style.lowest + 0.12 * np.sin(40 * lifts))
    return place.astype(np.float32)


def _curled(style: Style, paths: Floats, chance: np.random.Generator) -> Floats:
    strands, nodes = paths.shape[:2]
    way = unit(np.gradient(paths, axis=1))
    across = unit(np.cross(way, unit(chance.normal(size=(strands, 1, 3)))))
    other = np.cross(way, across)
    turns = (1.6 + 1.2 * chance.random((strands, 1))) * 2 * np.pi * np.linspace(0, 1, nodes)[None] + 6 * chance.random(
        (strands, 1)
    )
    grow = style.curl * np.linspace(0.3, 1.2, nodes)[None]
    return (paths + (grow * np.cos(turns))[..., None] * across + (grow * np.sin(turns))[..., None] * other).astype(np.float32)


def _locks(style: Style, paths: Floats, chance: np.random.Generator) -> Piece:
    strands, nodes = paths.shape[:2]
    share = np.linspace(0, 1, nodes, dtype=np.float32)
    taper = np.minimum(0.55 + 2 * share, 1.0) * np.sqrt(np.clip(1.06 - share, 0, 1))
    widths = style.width * (0.6 + 0.8 * chance.random((strands, 1))).astype(np.float32) * taper[None]
    return ribbons(paths, unit(paths - MIDDLE), widths, chance.random(strands).astype(np.float32))


def _cap(style: Style, scalp: Scalp, skull: _Skull) -> Piece:
    """The skin under the hair, lifted a little: what is seen between the locks."""
    inside = grows(scalp.rest, style.line)
    quads = scalp.quads[(inside[scalp.quads].min(1) > 0.03) & (np.abs(scalp.rest[scalp.quads][:, :, 0]).max(1) < 0.80)]
    kept, inverse = np.unique(quads, return_inverse=True)
    places, normals = scalp.measured(scalp.points)[kept], scalp.normals[kept]
    height = (0.55 if style.radial == 0 else 0.75) * style.lift * np.clip(inside[kept] / 0.25, 0, 1)
    flow = _flow(style, places, places)
    way = unit(flow - normals * (flow * normals).sum(1, keepdims=True))
    numbers = np.stack([np.full(len(kept), 0.35), np.full(len(kept), -1.0)], axis=1).astype(np.float32)
    points = places + height[:, None].astype(np.float32) * normals
    return Piece(
        points.astype(np.float32), normals, halves(inverse.reshape(-1, 4).astype(np.int32)), way, numbers, two_sided=True
    )


def _bun(chance: np.random.Generator) -> Piece:
    """A knot of hair: locks wound round a ball."""
    strands, nodes = 240, 12
    tilt = unit(chance.normal(size=(strands, 3)) * np.array([0.5, 1.0, 0.5]))
    first = unit(np.cross(tilt, unit(chance.normal(size=(strands, 3)))))
    second = np.cross(tilt, first)
    turn = np.linspace(0, 2.4, nodes)[None, :, None]
    ball = 0.36 * (0.93 + 0.1 * chance.random((strands, 1, 1)))
    away = np.cos(turn) * first[:, None] + np.sin(turn) * second[:, None]
    paths = (KNOT + np.array([0, 0.12, -0.12]) + ball * away).astype(np.float32)
    widths = np.full((strands, nodes), 0.07, np.float32)
    return ribbons(paths, unit(away), widths, chance.random(strands).astype(np.float32))
