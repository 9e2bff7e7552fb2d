"""Clothes: made of the body's own shape from the neck down, smoothed, lifted off the skin, and edged with a collar."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.face.look import Look
from heartfelt.expression.face.piece import Piece, halves, joined, plain, tube, unit

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.int32]

# Height of the neckline at the front, the sides and the back, and how deep its point is.
NECKLINES = {
    "sweater": (5.50, 5.72, 5.86, 0.0),
    "t-shirt": (5.46, 5.70, 5.85, 0.0),
    "shirt": (5.52, 5.84, 6.02, 0.34),
    "blazer": (5.52, 5.84, 6.02, 0.28),
}


def below(clothes: str, rest: Floats) -> Floats:
    """Positive under the neckline of these clothes, in the measures of the resting body."""
    front, side, back, point = NECKLINES[clothes]
    x, y, z = rest[:, 0], rest[:, 1], rest[:, 2]
    angle = np.degrees(np.abs(np.arctan2(x, z - 0.12)))
    line = np.interp(angle, (0, 30, 90, 180), (front, front + 0.30 * (side - front), side, back))
    if point:
        line = line - point * np.clip(1 - angle / 22, 0, 1) ** 0.9 * (z > 0)
    return (line - y).astype(np.float32)


def worn(look: Look, rest: Floats, points: Floats, quads: Ints) -> list[tuple[str, Piece]]:
    """Pieces by the name of their colour: «main», «collar», or «under» for a jacket over a shirt."""
    body = quads[(below(look.clothes, rest)[quads].max(1) > 0)]
    cloth = _cloth(rest, points, body, thick=0.085 if look.clothes in ("sweater", "t-shirt") else 0.05)
    pieces: list[tuple[str, Piece]] = [("under", _jacket(cloth)) if look.clothes == "blazer" else ("main", cloth)]
    edge = _edge(look.clothes, rest, points, quads)
    away = unit((edge - edge.mean(0)) * np.array([1, 0, 1], np.float32) + np.array([0, 0.35, 0], np.float32))
    if look.clothes == "sweater":
        pieces.append(
            ("main", tube(edge + 0.02 * away, np.full(len(edge), 0.085, np.float32), closed=True, flat=0.75, up=away))
        )
    elif look.clothes == "t-shirt":
        pieces.append(("main", tube(edge + 0.02 * away, np.full(len(edge), 0.085, np.float32), closed=True, flat=0.7, up=away)))
    else:
        pieces.append(("collar", _collar(edge, away)))
    return pieces


def _cloth(rest: Floats, points: Floats, quads: Ints, thick: float) -> Piece:
    kept, inverse = np.unique(quads, return_inverse=True)
    faces = inverse.reshape(-1, 4).astype(np.int32)
    places = points[kept].astype(np.float64)
    edges = np.concatenate([faces[:, [a, b]] for a, b in ((0, 1), (1, 2), (2, 3), (3, 0))])
    degree = np.bincount(edges.ravel(), minlength=len(kept)).astype(np.float64)[:, None]
    smooth = places.copy()
    for _ in range(14):
        total = np.zeros_like(smooth)
        np.add.at(total, edges[:, 0], smooth[edges[:, 1]])
        np.add.at(total, edges[:, 1], smooth[edges[:, 0]])
        smooth = 0.4 * smooth + 0.6 * total / degree
    normals = _normals(smooth, faces)
    # never closer to the skin than the cloth is thick
    gap = ((smooth - places) * normals).sum(1, keepdims=True)
    smooth += normals * np.maximum(thick - gap, 0.0)
    x, y = rest[kept, 0], rest[kept, 1]
    fold = 0.012 * np.sin(9 * y + 5 * np.abs(x)) * np.clip((np.abs(x) - 0.7) / 0.6, 0, 1)
    smooth += normals * fold[:, None]
    normals = _normals(smooth, faces)
    return plain(
        smooth.astype(np.float32), normals.astype(np.float32), halves(faces), (90 * np.stack([x, y], axis=1)).astype(np.float32)
    )


def _normals(points: Floats, quads: Ints) -> Floats:
    a, b, c, d = (points[quads[:, place]] for place in range(4))
    flat = np.cross(c - a, d - b)
    total = np.zeros_like(points)
    for place in range(4):
        np.add.at(total, quads[:, place], flat)
    return total / (np.linalg.norm(total, axis=1, keepdims=True) + 1e-12)


def _edge(clothes: str, rest: Floats, points: Floats, quads: Ints) -> Floats:
    """The neckline on this person: a closed line round the neck, smoothed to a few waves."""
    under = below(clothes, rest)
    pairs = np.concatenate([quads[:, [a, b]] for a, b in ((0, 1), (1, 2), (2, 3), (3, 0))])
    pairs = pairs[(under[pairs[:, 0]] > 0) != (under[pairs[:, 1]] > 0)]
    share = (under[pairs[:, 0]] / (under[pairs[:, 0]] - under[pairs[:, 1]]))[:, None]
    crossing = points[pairs[:, 0]] * (1 - share) + points[pairs[:, 1]] * share
    middle = np.array([0.0, 0.0, float(crossing[:, 2].mean())])
    angle = np.arctan2(crossing[:, 0], crossing[:, 2] - middle[2])
    radius = np.hypot(crossing[:, 0], crossing[:, 2] - middle[2])
    waves = 9 if NECKLINES[clothes][3] else 5
    goal = np.linspace(-np.pi, np.pi, 72, endpoint=False)

    def fitted(values: Floats) -> Floats:
        rows = np.stack([np.cos(k * angle) for k in range(waves)], axis=1)
        solved = np.linalg.lstsq(rows, values, rcond=None)[0]
        return np.stack([np.cos(k * goal) for k in range(waves)], axis=1) @ solved

    reach = fitted(radius)
    return np.stack([reach * np.sin(goal), fitted(crossing[:, 1]), middle[2] + reach * np.cos(goal)], axis=1).astype(np.float32)


def _collar(edge: Floats, away: Floats) -> Piece:
    """A shirt's collar: a band that stands up round the neck and folds over, open in front."""
    front = np.arctan2(edge[:, 0], edge[:, 2] - edge[:, 2].mean())
    order = np.argsort(np.where(front < 0, front + 2 * np.pi, front))
    line, out = edge[order], unit(away[order] * np.array([1, 0, 1], np.float32))
    share = np.linspace(0, 1, len(line))
    open_ = np.clip(np.minimum(share, 1 - share) / 0.10, 0, 1)[:, None]
    point = np.clip(1 - np.minimum(share, 1 - share) / 0.16, 0, 1)[:, None]
    up = np.array([0, 1, 0], np.float32)
    rows = [
        line - 0.02 * up + 0.01 * out,
        line + (0.10 + 0.13 * open_) * up + 0.015 * out,
        line + (0.115 + 0.14 * open_) * up + 0.06 * out,
        line + (0.02 + 0.05 * open_) * up + (0.15 + 0.02 * point) * out,
        line - (0.05 + 0.14 * point) * up + (0.19 + 0.05 * point) * out,
    ]
    return _sheet(np.stack(rows, axis=0).astype(np.float32))


def _sheet(grid: Floats) -> Piece:
    rows, columns = grid.shape[:2]
    row, column = np.meshgrid(np.arange(rows - 1), np.arange(columns - 1), indexing="ij")
    quads = np.stack(
        [row * columns + column, (row + 1) * columns + column, (row + 1) * columns + column + 1, row * columns + column + 1], 2
    )
    points = grid.reshape(-1, 3)
    faces = quads.reshape(-1, 4).astype(np.int32)
    piece = plain(points, _normals(points.astype(np.float64), faces).astype(np.float32), halves(faces), 90 * points[:, :2])
    back = plain(points, -piece.normals, piece.triangles[:, ::-1].copy(), piece.numbers)
    return joined([piece, back])


def _jacket(cloth: Piece) -> Piece:
    """The cloth with its distance from a jacket's edge in place of its threads: a deep V, by hundredths."""
    x, y, z = cloth.points.T
    edge = 0.10 + 0.42 * np.clip((y - (y.max() - 1.35)) / 1.35, 0, 1)
    distance = np.where(z > 0.1, 100 * (np.abs(x) - edge), 100 * (y.max() - 0.16 - y))
    numbers = np.stack([distance, 90 * y], axis=1).astype(np.float32)
    return plain(cloth.points, cloth.normals, cloth.triangles, numbers)
