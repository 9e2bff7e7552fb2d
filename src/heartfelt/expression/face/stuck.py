"""Small things that grow on moving skin: each of their vertices holds on to one triangle of it."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.face.piece import unit

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.int32]

_CELL = 0.06


@dataclass(frozen=True)
class Stuck:
    """Vertices over skin."""

    corners: Ints
    weights: Floats
    heights: Floats
    """How far above the skin."""

    def place(self, points: Floats, normals: Floats) -> tuple[Floats, Floats]:
        """Where the vertices are on the skin as it is now, and its normals there."""
        away = unit(np.einsum("ij,ijk->ik", self.weights, normals[self.corners]))
        on = np.einsum("ij,ijk->ik", self.weights, points[self.corners])
        return (on + self.heights[:, None] * away).astype(np.float32), away


def stick(spots: Floats, heights: Floats, rest: Floats, triangles: Ints) -> Stuck:
    """Hold on where an arrow from the front meets the resting skin at each spot's x and y; beyond it, on its nearest edge."""
    facing = _facing(rest, triangles)
    triangles = triangles[facing]
    corners = rest[triangles]
    low, high = spots.min(0) - 0.05, spots.max(0) + 0.05
    near = ((corners[:, :, :2].max(1) > low) & (corners[:, :, :2].min(1) < high)).all(1)
    triangles, corners = triangles[near], corners[near]
    chosen = np.zeros(len(spots), np.int64)
    weights = np.zeros((len(spots), 3), np.float32)
    middles = corners[:, :, :2].mean(1)
    cells = np.floor(spots / _CELL).astype(np.int64)
    for cell in np.unique(cells, axis=0):
        here = np.flatnonzero((cells == cell).all(1))
        beside = np.flatnonzero((np.abs(middles - (cell + 0.5) * _CELL) < 1.6 * _CELL).all(1))
        if len(beside) == 0:
            beside = np.arange(len(triangles))
        found, weights[here] = _nearest(spots[here], corners[beside])
        chosen[here] = beside[found]
    return Stuck(triangles[chosen].astype(np.int32), weights, heights.astype(np.float32))


def _facing(rest: Floats, triangles: Ints) -> NDArray[np.bool_]:
    a, b, c = (rest[triangles[:, place]] for place in range(3))
    return (np.cross(b - a, c - a)[:, 2] > 0) & (rest[triangles][:, :, 2].min(1) > -0.1)


def _nearest(spots: Floats, corners: Floats) -> tuple[NDArray[np.int64], Floats]:
    a, b, c = (corners[None, :, place, :2] for place in range(3))
    ab, ac, ap = b - a, c - a, spots[:, None] - a
    area = ab[..., 0] * ac[..., 1] - ac[..., 0] * ab[..., 1] + 1e-12
    wb = (ap[..., 0] * ac[..., 1] - ac[..., 0] * ap[..., 1]) / area
    wc = (ab[..., 0] * ap[..., 1] - ap[..., 0] * ab[..., 1]) / area
    weights = np.stack([1 - wb - wc, wb, wc], axis=2)
    outside = -np.minimum(weights.min(2), 0)
    # of several layers the front one
    score = outside * 10 - 0.02 * corners[None, :, :, 2].mean(2)
    chosen = score.argmin(1)
    found = np.clip(weights[np.arange(len(spots)), chosen], 0, 1)
    return chosen, (found / found.sum(1, keepdims=True)).astype(np.float32)
