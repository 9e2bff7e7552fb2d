"""A part of a person that is made once for a look: hair, brows, glasses, clothes."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.int32]


@dataclass(frozen=True)
class MeshPiece:
    """Triangles in the place of the resting person."""

    points: Floats
    normals: Floats
    triangles: Ints
    vectors: Floats
    """Of hair the way of the strand, at each vertex; elsewhere nothing."""
    numbers: Floats
    """Two numbers a vertex: of hair how far across and along its strands it is, of cloth how far from its edge and round it."""
    cover: Floats
    """How far the piece covers what is behind it (see `render.raster`)."""
    lit: Floats
    """Where the light of each vertex is measured: of the lower coats of hair, at the height of the uppermost."""
    exposure: Floats
    """Which share of that light is left: less between locks of hair, and at the roots."""


def plain(
    points: Floats, normals: Floats, triangles: Ints, numbers: Floats | None = None, cover: Floats | None = None
) -> MeshPiece:
    """A piece without strands."""
    count = len(points)
    numbers = np.zeros((count, 2), np.float32) if numbers is None else numbers
    cover = np.ones(count, np.float32) if cover is None else cover
    return MeshPiece(
        points, normals, triangles, np.zeros((count, 3), np.float32), numbers, cover, points, np.ones(count, np.float32)
    )


def joined(pieces: list[MeshPiece]) -> MeshPiece:
    starts = np.cumsum([0, *(len(piece.points) for piece in pieces)])
    return MeshPiece(
        points=np.concatenate([piece.points for piece in pieces]),
        normals=np.concatenate([piece.normals for piece in pieces]),
        triangles=np.concatenate([piece.triangles + start for piece, start in zip(pieces, starts, strict=False)]).astype(
            np.int32
        ),
        vectors=np.concatenate([piece.vectors for piece in pieces]),
        numbers=np.concatenate([piece.numbers for piece in pieces]),
        cover=np.concatenate([piece.cover for piece in pieces]),
        lit=np.concatenate([piece.lit for piece in pieces]),
        exposure=np.concatenate([piece.exposure for piece in pieces]),
    )


def halves(quads: Ints) -> Ints:
    """Two triangles for each quad, the one after the other."""
    return np.stack([quads[:, :3], quads[:, [0, 2, 3]]], axis=1).reshape(-1, 3).astype(np.int32)


def tube(
    path: Floats, radius: Floats, spokes: int = 10, *, closed: bool = False, flat: float = 1.0, up: Floats | None = None
) -> MeshPiece:
    """A pipe along a path; `flat` squeezes it across `up` (which points away from what it lies on)."""
    ahead, behind = np.roll(path, -1, axis=0), np.roll(path, 1, axis=0)
    if not closed:
        ahead[-1], behind[0] = path[-1], path[0]
    way = unit(ahead - behind)
    away = unit(up if up is not None else np.broadcast_to(np.array([0, 1, 0], np.float32), path.shape))
    side = unit(np.cross(way, away))
    away = np.cross(side, way)
    angle = np.arange(spokes) / spokes * 2 * np.pi
    ring = np.cos(angle)[None, :, None] * side[:, None] + flat * np.sin(angle)[None, :, None] * away[:, None]
    around = np.cos(angle)[None, :, None] * flat * side[:, None] + np.sin(angle)[None, :, None] * away[:, None]
    points = (path[:, None] + radius[:, None, None] * ring).reshape(-1, 3).astype(np.float32)
    rows = len(path) if closed else len(path) - 1
    row, column = np.meshgrid(np.arange(rows), np.arange(spokes), indexing="ij")
    below, following = (row + 1) % len(path), (column + 1) % spokes
    quads = np.stack([row * spokes + column, below * spokes + column, below * spokes + following, row * spokes + following], 2)
    return plain(points, unit(around.reshape(-1, 3)), halves(quads.reshape(-1, 4)))


def unit(vectors: NDArray[np.floating]) -> Floats:
    return (vectors / (np.linalg.norm(vectors, axis=-1, keepdims=True) + 1e-9)).astype(np.float32)
