"""Beards: coats of hair over the moving skin of jaw, chin and upper lip."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.face.look import Look
from heartfelt.expression.face.piece import halves, unit

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.int32]

_COATS = (0.55, 1.0)


@dataclass(frozen=True)
class Coat:
    """A layer that hangs over skin: for each of its vertices the row of the skin, the height above it, and its hair."""

    rows: Ints
    heights: Floats
    triangles: Ints
    ways: Floats
    numbers: Floats
    cover: Floats

    def place(self, points: Floats, normals: Floats) -> tuple[Floats, Floats]:
        """Where its vertices are on the skin as it is now, and their normals."""
        away = normals[self.rows]
        return points[self.rows] + self.heights[:, None] * away, away


def beard_area(side: Floats, y: Floats, z: Floats) -> Floats:
    """Where a beard grows, softly: jaw, chin, upper lip, and up to the ears."""
    top = np.interp(side, (0, 0.10, 0.22, 0.34, 0.5, 0.6, 0.7), (6.80, 6.80, 6.76, 6.72, 6.80, 6.98, 7.2)).astype(np.float32)
    return _soft((top + 0.04 - y) / 0.10) * _soft((y - 5.98) / 0.24) * _soft((z - 0.30) / 0.25)


def beard(look: Look, rest: Floats, normals: Floats, quads: Ints) -> Coat | None:
    if look.beard not in ("full", "moustache"):
        return None
    amount = _amount(look, rest, normals)
    chosen = quads[amount[quads].max(1) > 0.02]
    kept, inverse = np.unique(chosen, return_inverse=True)
    faces, share = halves(inverse.reshape(-1, 4).astype(np.int32)), amount[kept]
    x, y, z = rest[kept].T
    length = np.where(y > 6.66, 0.030, 0.030 + 0.075 * _soft((6.62 - y) / 0.3) * _soft((z - 0.9) / 0.5)) * _soft(share / 0.8)
    turn = np.arctan2(x, z - 0.1)
    way = np.stack([0.35 * np.sign(x) * (y > 6.66) + 0.25 * x, -np.ones_like(y), 0.3 + 0 * y], axis=1)
    way = unit(way - normals[kept] * (way * normals[kept]).sum(1, keepdims=True))
    count = len(kept)
    return Coat(
        rows=np.tile(kept, len(_COATS)).astype(np.int32),
        heights=np.concatenate([0.004 + coat * length for coat in _COATS]).astype(np.float32),
        triangles=np.concatenate([faces + layer * count for layer in range(len(_COATS))]).astype(np.int32),
        ways=np.tile(way, (len(_COATS), 1)).astype(np.float32),
        numbers=np.tile(np.stack([1.9 * turn, -4.5 * (y + 0.7 * z)], axis=1), (len(_COATS), 1)).astype(np.float32),
        cover=np.concatenate([share * (1.45 - 0.85 * coat**2) for coat in _COATS]).astype(np.float32),
    )


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
    if look.beard == "moustache":
        amount = amount * _soft((y - 6.56) / 0.06) * _soft((0.36 - side) / 0.06)
    return amount.astype(np.float32)


def _soft(value: Floats) -> Floats:
    share = np.clip(value, 0, 1)
    return share * share * (3 - 2 * share)
