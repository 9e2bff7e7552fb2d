"""Where on a flat picture each place of the skin is painted: the resting head of nobody, unrolled round its upright axis.

All people share it, so that a lip is a lip wherever a person's own lips are. A painter works in the coordinates of the resting
head: the map `places` holds them for every dot.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.face.head import Head
from heartfelt.expression.render.raster import WIDTH, raster_solid

Floats = NDArray[np.floating[Any]]

SIZE = 1024
_AXIS = 0.1
"""Where the axis stands, forward of the middle of the body."""
_WIDEST = np.radians(135)
_TOP, _SPAN = 8.75, 4.25


@dataclass(frozen=True, eq=False)
class Atlas:
    """The picture's coordinates of all fine vertices, and the places of all its dots."""

    head: Head

    @cached_property
    def rest(self) -> Floats:
        """The fine vertices of nobody in particular."""
        return self.head.fine.apply(self.head.points)

    @cached_property
    def coordinates(self) -> Floats:
        """u to the person's left and v downwards, from 0 to 1."""
        x, y, z = self.rest.T
        angle = np.arctan2(x, z - _AXIS)
        return np.stack([0.5 + 0.5 * angle / _WIDEST, (_TOP - y) / _SPAN], axis=1).astype(np.float32)

    @cached_property
    def places(self) -> Floats:
        """The resting place of each dot; where layers of skin lie over each other, of the outermost."""
        quads = self.head.fine.quads[self.head.of_part("skin")[self.head.fine.parents]]
        triangles = np.concatenate([quads[:, :3], quads[:, [0, 2, 3]]]).astype(np.int32)
        vertices = np.empty((len(self.rest), WIDTH), np.float32)
        screen = vertices[:, 13:]
        screen[:, :2] = self.coordinates * (SIZE - 1) + 0.5
        screen[:, 2] = 10 + np.hypot(self.rest[:, 0], self.rest[:, 2] - _AXIS)
        # a triangle across the seam at the back would lie over the whole picture
        across = np.ptp(screen[triangles][:, :, 0], axis=1) < SIZE / 4
        triangles = triangles[across]
        depth, seen = np.zeros((SIZE, SIZE, 4), np.float32), np.full((SIZE, SIZE, 4), -1, np.int32)
        raster_solid(vertices, triangles, depth, seen)
        return _filled(self.rest, triangles, screen, seen[:, :, 0])


_ATLASES: "WeakKeyDictionary[Head, Atlas]" = WeakKeyDictionary()


def atlas_of(head: Head) -> Atlas:
    """The atlas of a head; people of one head share it."""
    if head not in _ATLASES:
        _ATLASES[head] = Atlas(head)
    return _ATLASES[head]


def _filled(rest: Floats, triangles: NDArray[np.int32], screen: Floats, seen: NDArray[np.int32]) -> Floats:
    corners = triangles[np.maximum(seen, 0)]
    row, column = np.mgrid[0:SIZE, 0:SIZE].astype(np.float32) + 0.5
    a, b, c = (screen[corners[:, :, place], :2] for place in range(3))
    ab, ac, ap = b - a, c - a, np.stack([column, row], axis=2) - a
    area = ab[..., 0] * ac[..., 1] - ac[..., 0] * ab[..., 1]
    area = np.where(np.abs(area) < 1e-9, 1, area)
    wb = (ap[..., 0] * ac[..., 1] - ac[..., 0] * ap[..., 1]) / area
    wc = (ab[..., 0] * ap[..., 1] - ap[..., 0] * ab[..., 1]) / area
    weights = np.stack([1 - wb - wc, wb, wc], axis=2)
    places = np.einsum("ijk,ijkl->ijl", weights, rest[corners])
    places[seen < 0] = (0, 0, -9)
    return places.astype(np.float32)
