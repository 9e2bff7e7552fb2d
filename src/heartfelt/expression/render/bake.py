"""How much of the studio's light reaches each place of the resting person: found once by looking from many directions."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.render.light import KEY
from heartfelt.expression.render.raster import OFFSETS, WIDTH, raster

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.int32]

_SIZE = 192
_AROUND, _TO_KEY = 36, 10
# Half the width of the key light as it is seen from the face, in radians, and the depth of a shadow that is a rounding error.
_KEY_SPREAD, _BIAS = 0.26, 0.035


def baked(points: Floats, normals: Floats, triangles: Ints) -> tuple[Floats, Floats]:
    """For each vertex the share of the whole surroundings, and of the key light, that other parts do not hide."""
    around = _spread(_AROUND)
    total, free = np.zeros(len(points), np.float32), np.zeros(len(points), np.float32)
    rays = np.concatenate([around, _cone(KEY[:3], _KEY_SPREAD, _TO_KEY)])
    with ThreadPoolExecutor(2) as pool:
        seen = list(pool.map(partial(_visible, points, triangles), rays))
    for way, visible in zip(around, seen, strict=False):
        cosine = np.maximum(normals @ way + 0.1, 0)
        free += cosine * visible
        total += cosine
    key = np.mean(seen[_AROUND:], axis=0)
    return (free / np.maximum(total, 1e-6)).astype(np.float32), key.astype(np.float32)


def _visible(points: Floats, triangles: Ints, way: NDArray[np.floating]) -> Floats:
    side = np.cross([0.0, 1.0, 0.0] if abs(way[1]) < 0.9 else [1.0, 0.0, 0.0], way)
    side /= np.linalg.norm(side)
    turned = (points @ np.stack([side, np.cross(way, side), way], axis=1)).astype(np.float32)
    low, high = turned.min(0), turned.max(0)
    scale = (_SIZE - 2) / float(max(high[0] - low[0], high[1] - low[1]))
    vertices = np.empty((len(turned), WIDTH), np.float32)
    screen = vertices[:, 13:]
    screen[:, 0] = 1 + (turned[:, 0] - low[0]) * scale
    screen[:, 1] = _SIZE - 1 - (turned[:, 1] - low[1]) * scale
    screen[:, 2] = turned[:, 2] - low[2] + 1
    depth, seen = np.zeros((_SIZE, _SIZE, 4), np.float32), np.full((_SIZE, _SIZE, 4), -1, np.int32)
    raster(vertices, triangles, np.ones(len(triangles), np.bool_), 0, 0, _SIZE, depth, seen, OFFSETS)
    column, row = np.clip(screen[:, 0].astype(np.int32), 0, _SIZE - 1), np.clip(screen[:, 1].astype(np.int32), 0, _SIZE - 1)
    hidden = depth[row, column] > (screen[:, 2] + _BIAS)[:, None]
    return 1 - hidden.mean(1, dtype=np.float32)


def _spread(count: int) -> NDArray[np.float64]:
    """Directions all round, evenly."""
    place = np.arange(count) + 0.5
    y = 1 - 2 * place / count
    angle = np.pi * (1 + 5**0.5) * place
    ring = np.sqrt(1 - y * y)
    return np.stack([ring * np.cos(angle), y, ring * np.sin(angle)], axis=1)


def _cone(way: Floats, spread: float, count: int) -> NDArray[np.float64]:
    place = np.arange(count) + 0.5
    radius, angle = spread * np.sqrt(place / count), np.pi * (1 + 5**0.5) * place
    side = np.cross([0.0, 1.0, 0.0], way)
    side /= np.linalg.norm(side)
    rays = way + np.outer(radius * np.cos(angle), side) + np.outer(radius * np.sin(angle), np.cross(way, side))
    return rays / np.linalg.norm(rays, axis=1, keepdims=True)
