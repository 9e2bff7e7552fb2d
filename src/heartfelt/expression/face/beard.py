"""Beards: coats of hair over the moving skin of jaw, chin and upper lip."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.face.look import Look
from heartfelt.expression.face.piece import halves, unit

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.int32]

_COATS = ((0.5, -0.42), (1.0, 0.34))
"""The layers: the share of the length at which each lies, and how far its hairs lean outwards, so that those of two cross."""
_MOUTH = 6.64
"""The height of the corners of the mouth, about which hair turns outwards into a moustache."""


@dataclass(frozen=True)
class Coat:
    """A layer that hangs over skin: for each of its vertices the row of the skin, the height above it, and its hair."""

    rows: Ints
    heights: Floats
    triangles: Ints
    ways: Floats
    numbers: Floats
    cover: Floats
    exposure: Floats
    """Which share of the skin's light is left."""

    def place(self, points: Floats, normals: Floats) -> tuple[Floats, Floats]:
        """Where its vertices are on the skin as it is now, and their normals."""
        away = normals[self.rows]
        return points[self.rows] + self.heights[:, None] * away, away


def beard_area(side: Floats, y: Floats, z: Floats) -> Floats:
    """Where a beard grows, softly: jaw, chin, upper lip, and up to the ears."""
    top = np.interp(side, (0, 0.10, 0.22, 0.34, 0.5, 0.6, 0.7), (6.80, 6.80, 6.76, 6.72, 6.80, 6.98, 7.2)).astype(np.float32)
    return _soft((top + 0.06 - y) / 0.16) * _soft((y - 5.98) / 0.24) * _soft((z - 0.30) / 0.25)


def beard(look: Look, rest: Floats, normals: Floats, coarse: Ints, fine: Ints) -> Coat | None:
    """Layers over the quads of the skin, of which the outermost needs the fine ones: its hairs curl."""
    if look.beard not in ("full", "moustache"):
        return None
    amount = _amount(look, rest, normals)
    lower, upper = (
        _layer(look, rest, normals, amount, quads, coat) for quads, coat in zip((coarse, fine), _COATS, strict=True)
    )
    return Coat(
        rows=np.concatenate([lower.rows, upper.rows]),
        heights=np.concatenate([lower.heights, upper.heights]),
        triangles=np.concatenate([lower.triangles, upper.triangles + np.int32(len(lower.rows))]),
        ways=np.concatenate([lower.ways, upper.ways]),
        numbers=np.concatenate([lower.numbers, upper.numbers]),
        cover=np.concatenate([lower.cover, upper.cover]),
        exposure=np.concatenate([lower.exposure, upper.exposure]),
    )


def _layer(look: Look, rest: Floats, normals: Floats, amount: Floats, quads: Ints, coat: tuple[float, float]) -> Coat:
    high, lean = coat
    kept, inverse = np.unique(quads[amount[quads].max(1) > 0.02], return_inverse=True)
    share = amount[kept]
    _, y, z = rest[kept].T
    length = np.where(y > 6.66, 0.030, 0.030 + 0.075 * _soft((6.62 - y) / 0.3) * _soft((z - 0.9) / 0.5)) * _soft(share / 0.8)
    length = length * (1 + 0.35 * _uneven(rest[kept], look.seed))
    way, numbers = _grown(rest[kept], normals[kept], lean)
    return Coat(
        rows=kept.astype(np.int32),
        heights=(0.004 + high * length).astype(np.float32),
        triangles=halves(inverse.reshape(-1, 4).astype(np.int32)),
        ways=way.astype(np.float32),
        numbers=numbers.astype(np.float32),
        cover=(share * (1.40 - 0.85 * high**2)).astype(np.float32),
        exposure=np.full(len(kept), 0.70 + 0.30 * high, np.float32),
    )


def _grown(rest: Floats, normals: Floats, lean: float) -> tuple[Floats, Floats]:
    """The way of the hairs, and how far across and along them each place is.

    They grow down, on the cheeks also forwards, and over the lip outwards; and they curl.
    """
    x, y, z = rest.T
    turn = np.arctan2(x, z - 0.1)
    side, high = np.abs(turn), y + 0.5 * (z - 1.3) - _MOUTH
    lip = _soft((y - 6.46) / 0.26) * _soft((0.62 - np.abs(x)) / 0.36)
    angle = lean * (1 - 0.4 * lip) + 0.9 * lip - 0.30 * _soft((np.abs(x) - 0.35) / 0.3)
    across, along = side * np.cos(angle) + high * np.sin(angle), side * np.sin(angle) - high * np.cos(angle)
    curl = 0.007 * np.sin(38 * along + 23 * across) + 0.005 * np.sin(61 * along - 37 * across + 1)
    out = np.stack([np.cos(turn), 0 * turn, -np.sin(turn)], axis=1) * np.sign(x)[:, None]
    way = np.sin(angle)[:, None] * out - np.cos(angle)[:, None] * np.array([0.0, 1.0, -0.3])
    way = unit(way - normals * (way * normals).sum(1, keepdims=True))
    return way, np.stack([1.6 * np.sign(x) * (across + curl) + lean, 9.0 * along], axis=1)


def _uneven(rest: Floats, seed: int) -> Floats:
    """Soft lumps, from about -1 to 1."""
    chance = np.random.default_rng(seed + 41)
    return np.sin(rest @ (11 * chance.normal(size=(3, 9))) + 6 * chance.random(9)).sum(1) / 3


def _amount(look: Look, rest: Floats, normals: Floats) -> Floats:
    x, y, z = rest.T
    side = np.abs(x)
    low = np.interp(side, (0, 0.3, 0.5, 0.65), (6.14, 6.18, 6.32, 6.6)) + 0.12 * _soft((1.15 - z) / 0.3) * _soft(
        (0.52 - side) / 0.2
    )
    amount = beard_area(side, y, z) * _soft((y - low) / 0.18)
    # not on the lips, nor below the lower one's middle, nor inside the mouth
    lip_top, lip_low = (
        np.interp(side, (0, 0.08, 0.18, 0.275), (6.70, 6.715, 6.68, 6.61)),
        np.interp(side, (0, 0.13, 0.23, 0.275), (6.470, 6.485, 6.54, 6.60)),
    )
    mouth = _soft((y - lip_low + 0.03) / 0.04) * _soft((lip_top + 0.03 - y) / 0.04) * _soft((0.33 - side) / 0.04)
    # thin beside the ears, and not on them; on the cheeks it ends softly
    amount = amount * _soft((0.735 - side) / 0.10) * (1 - 0.62 * _soft((y - 6.80) / 0.30) * _soft((side - 0.48) / 0.12))
    cheek = np.interp(side, (0.34, 0.5, 0.6, 0.7), (6.72, 6.80, 6.98, 7.2)) + 0.04 - y
    amount = amount * np.where(side > 0.34, 0.35 + 0.65 * _soft(cheek / 0.26), 1.0)
    amount = amount * (1 - mouth) * _soft((normals[:, 2] + 0.35) / 0.3)
    amount = amount * np.where((side < 0.3) & (y > 6.3) & (z < 1.38 - 0.12 * _soft((side - 0.16) / 0.1)), 0.0, 1.0)
    amount = amount * np.clip(1 + 0.22 * _uneven(rest, look.seed + 1) * (1 - _soft((6.5 - y) / 0.2)), 0, 1.2)
    if look.beard == "moustache":
        amount = amount * _soft((y - 6.56) / 0.06) * _soft((0.36 - side) / 0.06)
    return amount.astype(np.float32)


def _soft(value: Floats) -> Floats:
    share = np.clip(value, 0, 1)
    return share * share * (3 - 2 * share)
