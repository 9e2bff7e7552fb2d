"""Strays: single hairs that leave the others, so that an outline, a hairline and the ends are no clean edges.

Each is a strip that is as wide as a few hairs at its root and comes to a point; it faces the viewer, for hair is round.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.face.piece import MeshPiece, halves, unit
from heartfelt.expression.face.scalp import Field

Floats = NDArray[np.floating[Any]]

_BEFORE = np.array([0.0, 0.0, 1.0], np.float32)
_LIFT = 0.14
"""How far off the hair its light is measured."""


def strays(paths: Floats, normals: Floats, width: Floats, chance: np.random.Generator) -> MeshPiece:
    """Hairs along paths [hairs, steps, 3] over hair with these normals; `width` is each one's at its root."""
    hairs, steps = paths.shape[:2]
    way = unit(np.gradient(paths, axis=1))
    beside = unit(np.cross(way, _BEFORE))
    share = np.linspace(0, 1, steps)[None]
    half = 0.5 * width[:, None] * (1 - 0.7 * share**2)
    both = np.stack([paths - half[..., None] * beside, paths + half[..., None] * beside], axis=2)
    number = np.arange(hairs * steps * 2).reshape(hairs, steps, 2)
    quads = np.stack([number[:, :-1, 0], number[:, 1:, 0], number[:, 1:, 1], number[:, :-1, 1]], axis=2).reshape(-1, 4)
    flat = both.reshape(-1, 3).astype(np.float32)
    every = np.repeat(unit(normals), 2, axis=1).reshape(-1, 3)
    across = np.broadcast_to(chance.random((hairs, 1, 1)), number.shape)
    along = np.broadcast_to(0.2 * share[..., None], number.shape)
    return MeshPiece(
        points=flat,
        normals=every,
        triangles=halves(quads.astype(np.int32)),
        vectors=np.repeat(way, 2, axis=1).reshape(-1, 3),
        numbers=np.stack([across, along], axis=3).reshape(-1, 2).astype(np.float32),
        cover=np.full(len(flat), 1.3, np.float32),
        lit=(flat + _LIFT * every).astype(np.float32),
        exposure=np.full(len(flat), 0.85, np.float32),
    )


def off_a_sheet(grid: Floats, normals: Floats, count: int, chance: np.random.Generator) -> tuple[Floats, Floats]:
    """Paths of hairs that lift off a sheet of falling hair [round, along], and the normals under them."""
    columns, rows = grid.shape[:2]
    steps = 12
    start = chance.uniform(0.22, 0.76, count)[:, None]
    length = chance.uniform(0.08, 0.20, count)[:, None]
    share = np.linspace(0, 1, steps)[None]
    row = np.clip(start + length * share, 0, 1) * (rows - 1)
    drift = chance.normal(0, 1.1, (count, 1)) * share**2
    column = np.clip(chance.uniform(0.2, 0.8, count)[:, None] * (columns - 1) + drift, 0, columns - 1)
    away = _between(normals, column, row)
    lift = 0.008 + chance.uniform(0.006, 0.034, count)[:, None] * share**1.5
    sway = 0.010 * np.sin(2 * np.pi * (share * chance.uniform(0.6, 1.6, (count, 1)) + chance.random((count, 1))))
    beside = unit(np.cross(away, np.array([0.0, 1.0, 0.0])))
    return _between(grid, column, row) + lift[..., None] * away + (sway * share)[..., None] * beside, away


def over_the_scalp(
    ground: Field, way: Floats, roots: NDArray[np.integer[Any]], chance: np.random.Generator, *, length: float
) -> tuple[Floats, Floats]:
    """Paths of hairs that grow at these vertices of the scalp and lie along `way`, and the normals under them."""
    count, steps = len(roots), 7
    place = ground.places[roots] + chance.normal(0, 0.012, (count, 3))
    pace = length * chance.uniform(0.35, 1, (count, 1)) / steps
    turn = chance.normal(0, 0.35, (count, 1))
    paths, normals = np.zeros((count, steps, 3)), np.zeros((count, steps, 3))
    for step in range(steps):
        near = ((place[:, None] - ground.places[None]) ** 2).sum(2).argmin(1)
        away = ground.normals[near]
        place = place - away * ((place - ground.places[near]) * away).sum(1, keepdims=True)
        paths[:, step], normals[:, step] = place + away * (0.008 + 0.07 * step / steps), away
        place = place + pace * unit(way[near] + turn * (step / steps) * np.cross(away, way[near]))
    return paths, normals


def _between(grid: Floats, column: Floats, row: Floats) -> Floats:
    """What lies at broken places of a grid."""
    c, r = np.minimum(column.astype(int), grid.shape[0] - 2), np.minimum(row.astype(int), grid.shape[1] - 2)
    fc, fr = (column - c)[..., None], (row - r)[..., None]
    near = grid[c, r] * (1 - fr) + grid[c, r + 1] * fr
    return near * (1 - fc) + (grid[c + 1, r] * (1 - fr) + grid[c + 1, r + 1] * fr) * fc
