"""Triangles of many parts in one set of arrays."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.render.raster import WIDTH

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.int32]


@dataclass
class Meshes:
    """One thing to draw. The columns of `vertices` are told at `raster.WIDTH`; the first nine change as it moves."""

    vertices: Floats
    cover: Floats
    """How far each vertex covers what is behind it; read only where the triangle's edge asks for it."""
    triangles: Ints
    rows: NDArray[np.uint8]
    """For each triangle its row in the palette."""
    edges: NDArray[np.uint8]
    """For each triangle how it ends: see `raster.SOLID`."""

    @property
    def points(self) -> Floats:
        return self.vertices[:, 0:3]

    @property
    def normals(self) -> Floats:
        return self.vertices[:, 3:6]

    @property
    def vectors(self) -> Floats:
        return self.vertices[:, 6:9]

    @property
    def attributes(self) -> Floats:
        return self.vertices[:, 9:13]

    def only(self, kept: NDArray[np.integer]) -> "Meshes":
        """The same vertices with fewer triangles."""
        return Meshes(self.vertices, self.cover, self.triangles[kept].copy(), self.rows[kept], self.edges[kept])


class Builder:
    """Collects vertices and triangles."""

    def __init__(self) -> None:
        self.count = 0
        self._numbers: list[Floats] = []
        self._cover: list[Floats] = []
        self._triangles: list[Ints] = []
        self._rows: list[NDArray[np.uint8]] = []
        self._edges: list[NDArray[np.uint8]] = []

    def add(self, numbers: Floats, cover: Floats | None = None) -> slice:
        """Vertices with their two numbers; the answer is where they lie."""
        span = slice(self.count, self.count + len(numbers))
        self.count += len(numbers)
        self._numbers.append(numbers)
        self._cover.append(np.ones(len(numbers), np.float32) if cover is None else cover)
        return span

    def triangles(self, triangles: Ints, row: int, edge: int) -> None:
        self._triangles.append(triangles.astype(np.int32))
        self._rows.append(np.full(len(triangles), row, np.uint8))
        self._edges.append(np.full(len(triangles), edge, np.uint8))

    def meshes(self) -> Meshes:
        vertices = np.zeros((self.count, WIDTH), np.float32)
        vertices[:, 9:11], vertices[:, 11:13] = np.concatenate(self._numbers), 1
        return Meshes(
            vertices,
            np.concatenate(self._cover).astype(np.float32),
            np.concatenate(self._triangles),
            np.concatenate(self._rows),
            np.concatenate(self._edges),
        )
