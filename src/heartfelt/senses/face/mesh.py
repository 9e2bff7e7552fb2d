"""478 points of one face: the mesh, with the closer looks at lips, eyes and irises put into it."""

import math
from dataclasses import dataclass

import numpy as np

from heartfelt.senses.face.detect import Box
from heartfelt.senses.face.frame import Frame, Points
from heartfelt.senses.face.networks import MESH_SIDE, FaceNetworks, Tensors
from heartfelt.senses.face.regions import (
    LEFT_EYE,
    LEFT_IRIS,
    LEFT_LIDS,
    LIPS,
    MESH,
    OUTER_CORNERS,
    RIGHT_EYE,
    RIGHT_IRIS,
    RIGHT_LIDS,
)
from heartfelt.senses.face.warp import Square, cut

# The crop of the next frame, in sides of the box around all points: what the mesh was taught with.
_CROP = 1.5


@dataclass(frozen=True)
class Mesh:
    """One face, closely."""

    points: Points
    """[478, 3] in pixels of the frame; depth in the same unit, smaller where nearer to the camera."""
    score: float
    """How sure the network is that this is a face, from 0 to 1."""

    @property
    def box(self) -> Box:
        low, high = self.points[:MESH, :2].min(axis=0), self.points[:MESH, :2].max(axis=0)
        return Box(float(low[0]), float(low[1]), float(high[0]), float(high[1]))

    @property
    def square(self) -> Square:
        """The crop in which to look for the same face in the next frame: level with the eyes, around all points."""
        right, left = self.points[list(OUTER_CORNERS), :2]
        turn = math.atan2(float(left[1] - right[1]), float(left[0] - right[0]))
        cosine, sine = math.cos(turn), math.sin(turn)
        level = self.points[:MESH, :2] @ np.array([[cosine, -sine], [sine, cosine]], np.float32)
        low, high = level.min(axis=0), level.max(axis=0)
        x, y = ((low + high) / 2).tolist()
        return Square(cosine * x - sine * y, sine * x + cosine * y, _CROP * float((high - low).max()), turn)


def look(frame: Frame, square: Square, networks: FaceNetworks) -> Mesh:
    """Lay the mesh over whatever the square holds; its score says whether that is a face."""
    seen = networks.mesh(cut(frame, square, MESH_SIDE))
    present = float(np.clip(seen["present"].reshape(()), -80, 80))
    return Mesh(square.placed(_refined(seen), MESH_SIDE), 1 / (1 + math.exp(-present)))


def _refined(seen: Tensors) -> Points:
    """The closer looks know places but no depth: that stays the mesh's own, and an iris has the mean of its lids."""
    points = np.zeros((MESH + len(RIGHT_IRIS) + len(LEFT_IRIS), 3), np.float32)
    points[:MESH] = seen["mesh"].reshape(-1, 3)
    for name, region in (("lips", LIPS), ("right_eye", RIGHT_EYE), ("left_eye", LEFT_EYE)):
        points[list(region), :2] = seen[name].reshape(-1, 2)
    for name, region, lids in (("right_iris", RIGHT_IRIS, RIGHT_LIDS), ("left_iris", LEFT_IRIS, LEFT_LIDS)):
        points[list(region), :2] = seen[name].reshape(-1, 2)
        points[list(region), 2] = points[list(lids), 2].mean()
    return points
