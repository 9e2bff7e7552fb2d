"""How much of the studio's light reaches each place of the resting person: found once by looking from many directions."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.render.light import KEY
from heartfelt.expression.render.raster import WIDTH, raster_solid

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.int32]

_SIZE = 160
_AROUND, _TO_KEY = 26, 8
# Half the width of the key light as it is seen from the face, in radians, and the depth of a shadow that is a rounding error.
_KEY_SPREAD, _BIAS = 0.30, 0.05
_SURROUNDINGS = 8
"""Steps from a vertex to the last of its surroundings."""


def baked(points: Floats, lit: Floats, normals: Floats, triangles: Ints) -> tuple[Floats, Floats]:
    """For each vertex the share of the whole surroundings, and of the key light, that other parts do not hide.

    Triangles of `points` cast the shadows; how much light comes is measured at `lit`.
    """
    around = _spread(_AROUND)
    total, free = np.zeros(len(points), np.float32), np.zeros(len(points), np.float32)
    rays = np.concatenate([around, _cone(KEY[:3], _KEY_SPREAD, _TO_KEY)]).astype(np.float32)
    with ThreadPoolExecutor(2) as pool:
        seen = list(pool.map(partial(_visible, points, lit, triangles), rays))
    for way, visible in zip(around, seen, strict=False):
        cosine = np.maximum(normals @ way.astype(np.float32) + np.float32(0.1), 0)
        free += cosine * visible
        total += cosine
    key = np.mean(seen[_AROUND:], axis=0)
    return (free / np.maximum(total, 1e-6)).astype(np.float32), key.astype(np.float32)


def evened(values: Floats, triangles: Ints, times: int) -> Floats:
    """Values of vertices, smoothed over the surface: few rays leave stains."""
    corners = triangles.ravel()
    number = np.bincount(corners, minlength=len(values))
    for _ in range(times):
        means = values[triangles].mean(1).repeat(3)
        spread = np.bincount(corners, means, len(values)) / np.maximum(number, 1)
        values = np.where(number > 0, spread, values).astype(np.float32)
    return values


def hollows(points: Floats, normals: Floats, triangles: Ints) -> Floats:
    """How deep each vertex lies below its surroundings, in decimetres: folds that are too small for rays."""
    smooth = np.stack([evened(points[:, axis], triangles, _SURROUNDINGS) for axis in range(3)], axis=1)
    return np.maximum(((smooth - points) * normals).sum(1), 0).astype(np.float32)


def _visible(points: Floats, lit: Floats, triangles: Ints, way: Floats) -> Floats:
    side = np.cross([0.0, 1.0, 0.0] if abs(way[1]) < 0.9 else [1.0, 0.0, 0.0], way)
    side /= np.linalg.norm(side)
    axes = np.stack([side, np.cross(way, side), way], axis=1).astype(np.float32)
    turned = points @ axes
    low, high = turned.min(0), turned.max(0)
    scale = (_SIZE - 2) / float(max(high[0] - low[0], high[1] - low[1]))
    vertices = np.empty((len(turned), WIDTH), np.float32)
    vertices[:, 13:] = _on_screen(turned, low, scale)
    depth, seen = np.zeros((_SIZE, _SIZE, 4), np.float32), np.full((_SIZE, _SIZE, 4), -1, np.int32)
    raster_solid(vertices, triangles, depth, seen)
    screen = _on_screen(lit @ axes, low, scale)
    column, row = np.clip(screen[:, 0].astype(np.int32), 0, _SIZE - 1), np.clip(screen[:, 1].astype(np.int32), 0, _SIZE - 1)
    hidden = depth[row, column] > (screen[:, 2] + _BIAS)[:, None]
    return 1 - hidden.mean(1, dtype=np.float32)


def _on_screen(turned: Floats, low: Floats, scale: float) -> Floats:
    x, y, z = (turned - low).T
    return np.stack([1 + x * scale, _SIZE - 1 - y * scale, z + 1], axis=1)


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
