"""The inside of the mouth: its lining, where each tooth lies, and how much light comes in."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.face.head import Head
from heartfelt.expression.face.names import PARTS
from heartfelt.expression.face.piece import halves
from heartfelt.expression.render.palette import LOWER_TEETH, TONGUE, UPPER_TEETH
from heartfelt.expression.render.raster import smooth_normals

Floats = NDArray[np.floating[Any]]
Flags = NDArray[np.bool_]


_INNER_LIP = (0.0, 6.508, 1.497)
_LIPS_END = 1.3
"""How far back skin that faces forward is still the outside of the lips."""
_RIM_ENDS = 0.232
_FRONT, _BACK = 1.50, 0.92
"""Where light comes into the mouth, and where none is left."""


def lining(head: Head) -> Flags:
    """The coarse quads of the skin that line the mouth: all that is reached from the inner lip without coming out again."""
    quads = np.where(head.of_part("skin"))[0]
    corners, normals = head.quads[quads], np.zeros_like(head.points)
    smooth_normals(head.points, halves(corners), normals)
    outside = (head.points[:, 2] > _LIPS_END) & (normals[:, 2] > 0.15)
    inside, count = np.zeros(len(head.points), np.bool_), 0
    inside[np.linalg.norm(head.points - np.array(_INNER_LIP), axis=1).argmin()] = True
    while inside.sum() > count:
        count = int(inside.sum())
        inside[corners[inside[corners].any(1)]] = True
        inside &= ~outside
    found = np.zeros(len(head.quads), np.bool_)
    # near the corners, where shut lips may leave a gap, the rim stays skin
    middle = np.abs(head.points[corners, 0]).max(1) < _RIM_ENDS
    found[quads] = inside[corners].all(1) | (inside[corners].any(1) & middle)
    return found


def daylight(z: Floats) -> Floats:
    """How much light of what comes in between the lips is left so far back."""
    share = np.clip((z - _BACK) / (_FRONT - _BACK), 0, 1)
    return (0.02 + 0.98 * share**2.2).astype(np.float32)


def mouth_numbers(head: Head, rest: Floats, coordinates: Floats) -> Floats:
    """The atlas' coordinates, but of teeth how far round the arch they lie, and how far from their tips (0) to the gums (1)."""
    numbers = coordinates.copy()
    # the atlas knows one layer: what lies behind the lips' sides would take the colour of the skin beside them
    behind = _behind_lips(rest)
    numbers[:, 0] = 0.5 + (numbers[:, 0] - 0.5) * (1 - 0.35 * behind)
    for name in ("upper teeth", "lower teeth"):
        rows = np.unique(head.fine.quads[head.of_part(name)[head.fine.parents]])
        x, y, z = rest[rows].T
        depth = np.clip(z.max() - z, 0, None)
        numbers[rows, 0] = np.sign(x) * np.hypot(x, 0.8 * np.clip(depth - 0.06, 0, None))
        # the bands bend, so their heights are measured against their tips and gums at the same place round the arch
        low, high = _bent(np.abs(x), y, lower=True), _bent(np.abs(x), y, lower=False)
        share = (y - low) / np.maximum(high - low, 1e-3)
        numbers[rows, 1] = share if name == PARTS[1] else 1 - share
    return numbers.astype(np.float32)


def _behind_lips(rest: Floats) -> Floats:
    x, y, z = rest.T
    front = np.interp(np.abs(x), (0, 0.11, 0.17, 0.21, 0.26), (1.55, 1.517, 1.48, 1.44, 1.415))
    near = (np.abs(y - 6.6) < 0.10) & (z > 1.2)
    return near * np.clip((front - z) / 0.03, 0, 1) * np.clip((0.25 - np.abs(x)) / 0.015, 0, 1)


def _bent(side: Floats, y: Floats, *, lower: bool) -> Floats:
    cells = np.minimum((side / 0.32 * 6).astype(int), 5)
    ends = np.array([(y[cells == cell].min() if lower else y[cells == cell].max()) for cell in range(6)])
    return np.interp(side, (np.arange(6) + 0.5) * 0.32 / 6, ends)


def mouth_light(palette: Floats, units: Mapping[str, float]) -> None:
    """More light falls into a mouth that is wider open."""
    lips = 0.5 * (units["mouthUpperUpLeft"] + units["mouthLowerDownLeft"]) + 0.4 * units["mouthSmileLeft"]
    wide = min(max(units["jawOpen"] - units["mouthClose"], 0) * 2.0 + 0.7 * lips, 1.0)
    palette[UPPER_TEETH, 4] = 0.22 + 0.75 * wide
    palette[LOWER_TEETH, 4] = 0.08 + 0.62 * wide
    palette[TONGUE, 4] = 0.12 + 0.48 * wide + 0.30 * units["tongueOut"]
