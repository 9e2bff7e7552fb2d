"""Clothes: layers over the body's own shape, smoothed, lifted off the skin, and cut along smooth lines.

A layer reaches beyond its edge; its cover says how far inside each vertex lies, and the rasteriser cuts it where that is zero.
So necklines run smoothly across the quads of any body.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.face.look import Look
from heartfelt.expression.face.piece import MeshPiece, halves, plain

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.int32]

# Height of the neckline at the front, the sides and the back, and how deep its point is.
NECKLINES = {
    "sweater": (5.62, 5.84, 5.98, 0.0),
    "t-shirt": (5.50, 5.78, 5.94, 0.0),
    "shirt": (5.66, 5.90, 6.02, 0.42),
    "blazer": (5.66, 5.90, 6.02, 0.36),
}


def below(clothes: str, rest: Floats) -> Floats:
    """Positive under the neckline of these clothes, in the measures of the resting body."""
    front, side, back, point = NECKLINES[clothes]
    angle = _angle(rest)
    share = np.interp(angle, (0, 25, 60, 100, 180), (0, 0.08, 0.75 if point else 0.55, 1.0, 1.0))
    line = front + (side - front) * share + (back - side) * _soft((angle - 90) / 80)
    if point:
        line = line - point * np.clip(1 - angle / 26, 0, 1) * (rest[:, 2] > 0)
    # shoulders are as high as the neckline, but far from it
    outward = np.maximum(np.hypot(rest[:, 0], rest[:, 2] - 0.12) - 0.80, 0) * (rest[:, 1] < 6.05)
    return (line - rest[:, 1] + 1.5 * outward).astype(np.float32)


def worn(look: Look, rest: Floats, points: Floats, quads: Ints) -> list[tuple[str, MeshPiece]]:
    """Layers by the name of their colour: «main», «collar», «jacket»."""
    inside = below(look.clothes, rest)
    body = quads[inside[quads].min(1) > -0.45]
    if look.clothes in ("sweater", "t-shirt"):
        hem, rise = (0.10, 0.030) if look.clothes == "sweater" else (0.055, 0.012)
        thick = (0.040 if look.clothes == "sweater" else 0.028) + rise * _soft((hem - inside) / 0.02)
        return [("main", _layer(rest, points, body, inside, thick))]
    collar = _collar(inside, rest)
    # beside and behind the neck it lies close, as an edge that stands off would end in a spike where it turns away
    beside = _soft((_angle(rest) - 35) / 45)
    lift = 0.105 - 0.022 * beside + 0.035 * (1 - beside) * _soft((0.16 - collar) / 0.16)
    pieces = [("main", _layer(rest, points, body, inside, 0.03)), ("collar", _layer(rest, points, body, collar, lift))]
    if look.clothes == "blazer":
        pieces.append(("jacket", _layer(rest, points, body, _jacket(rest, inside), 0.062)))
    return pieces


def _collar(inside: Floats, rest: Floats) -> Floats:
    """Positive on a collar that lies on the shirt: from its neckline to a lower edge with two points."""
    angle = _angle(rest)
    low = np.interp(angle, (0, 10, 17, 26, 45, 90, 180), (5.9, 5.42, 5.235, 5.34, 5.56, 5.70, 5.88))
    near = 0.92 - np.hypot(rest[:, 0], rest[:, 2] - 0.12)
    return np.minimum(np.minimum(inside, rest[:, 1] - low), near).astype(np.float32)


def _jacket(rest: Floats, inside: Floats) -> Floats:
    """Positive on a jacket that is open in a deep V."""
    x, y, z = np.abs(rest[:, 0]), rest[:, 1], rest[:, 2]
    edge = np.interp(y, (4.2, 5.0, 5.5, 5.8, 6.2), (0.06, 0.20, 0.40, 0.56, 0.62))
    return np.where(z > 0.1, np.minimum(x - edge, inside), inside - 0.10).astype(np.float32)


def _layer(rest: Floats, points: Floats, quads: Ints, inside: Floats, thick: Floats | float) -> MeshPiece:
    kept, inverse = np.unique(quads, return_inverse=True)
    faces = inverse.reshape(-1, 4).astype(np.int32)
    places = points[kept].astype(np.float64)
    edges = np.concatenate([faces[:, [a, b]] for a, b in ((0, 1), (1, 2), (2, 3), (3, 0))])
    smooth = _smoothed(places, edges, 10)
    normals = _normals(smooth, faces)
    # outside of the skin and of its smooth shape, and layers always over each other
    gap = ((smooth - places) * normals).sum(1)
    lift = np.maximum(-gap, 0.0) + np.broadcast_to(thick, (len(points),))[kept]
    smooth += normals * lift[:, None]
    smooth = _smoothed(smooth, edges, 1) + normals * 0.004
    x, y = rest[kept, 0], rest[kept, 1]
    fold = 0.014 * np.sin(6 * y + 4 * np.abs(x) + 1.0 * np.sin(3 * x)) * np.clip((np.abs(x) - 0.6) / 0.6, 0, 1)
    smooth += normals * fold[:, None]
    numbers = np.stack([100 * inside[kept], 1.9 * _angle(rest[kept])], axis=1).astype(np.float32)
    return plain(smooth.astype(np.float32), _normals(smooth, faces).astype(np.float32), halves(faces), numbers, inside[kept])


def _smoothed(places: Floats, edges: Ints, times: int) -> Floats:
    degree = np.bincount(edges.ravel(), minlength=len(places)).astype(np.float64)[:, None]
    for _ in range(times):
        total = np.zeros_like(places)
        for axis in range(3):
            total[:, axis] = np.bincount(edges[:, 0], places[edges[:, 1], axis], len(places))
            total[:, axis] += np.bincount(edges[:, 1], places[edges[:, 0], axis], len(places))
        places = 0.4 * places + 0.6 * total / degree
    return places


def _normals(points: Floats, quads: Ints) -> Floats:
    a, b, c, d = (points[quads[:, place]] for place in range(4))
    flat = np.cross(c - a, d - b)
    total = np.zeros_like(points)
    for place in range(4):
        np.add.at(total, quads[:, place], flat)
    return total / (np.linalg.norm(total, axis=1, keepdims=True) + 1e-12)


def _angle(rest: Floats) -> Floats:
    """Degrees round the neck from its front, the same to both sides."""
    return np.degrees(np.abs(np.arctan2(rest[:, 0], rest[:, 2] - 0.12)))


def _soft(value: Floats) -> Floats:
    share = np.clip(value, 0, 1)
    return share * share * (3 - 2 * share)
