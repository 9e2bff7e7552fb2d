"""A double for the networks: wherever one looks, there is the same face. For tests, and for trying out without weights."""

import numpy as np

from heartfelt.senses.face.canonical import canonical
from heartfelt.senses.face.frame import Frame, Points
from heartfelt.senses.face.networks import DETECTOR_SIDE, MESH_SIDE, Tensors
from heartfelt.senses.face.regions import LEFT_EYE, LEFT_IRIS, LIPS, MESH, RIGHT_EYE, RIGHT_IRIS

# The crop is half as large again as the face in it, as with the real networks: then the next crop is the same.
_FACE = 1 / 1.5
_ROWS = 896
# A box of the coarse grid, left and above of the middle by half a cell.
_MIDDLE = 512 + (3 * 8 + 3) * 6
_CELL = 16


class OneFace:
    """Shows `face`, 478 points as the canonical face has them: y up, in centimetres. A black picture shows nobody."""

    def __init__(self, face: Points | None = None):
        self.face = canonical() if face is None else face

    def detect(self, picture: Frame) -> Tensors:
        boxes, scores = np.zeros((_ROWS, 16), np.float32), np.full((_ROWS, 1), -50, np.float32)
        if picture.any():
            side = DETECTOR_SIDE / 2
            centre = np.full(2, _CELL / 2)
            eyes = [centre + np.array([sign * side / 4, -side / 6]) for sign in (-1, 1)]
            boxes[_MIDDLE] = np.concatenate([centre, [side, side], *eyes, np.zeros(8)])
            scores[_MIDDLE] = 50
        return {"boxes": boxes, "scores": scores}

    def mesh(self, picture: Frame) -> Tensors:
        points = self._in_crop()
        regions = {"lips": LIPS, "right_eye": RIGHT_EYE, "left_eye": LEFT_EYE, "right_iris": RIGHT_IRIS, "left_iris": LEFT_IRIS}
        seen = {name: points[list(region), :2] for name, region in regions.items()}
        return seen | {"mesh": points[:MESH], "present": np.full((1, 1), 50.0 if picture.any() else -50.0, np.float32)}

    def _in_crop(self) -> Points:
        points = self.face * np.array([1, -1, -1], np.float32)
        low, high = points[:MESH, :2].min(axis=0), points[:MESH, :2].max(axis=0)
        scale = MESH_SIDE * _FACE / float((high - low).max())
        middle = np.append((low + high) / 2, 0)
        return ((points - middle) * scale + [MESH_SIDE / 2, MESH_SIDE / 2, 0]).astype(np.float32)
