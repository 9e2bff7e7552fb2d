"""How far the picture of a face can be trusted, from 0 to 1: what a later voter reads as reliability."""

import numpy as np
from numpy.typing import NDArray

from heartfelt.senses.face.align import aligned
from heartfelt.senses.face.frame import Frame, Points
from heartfelt.senses.face.mesh import Mesh
from heartfelt.senses.face.pose import HeadPose
from heartfelt.senses.face.regions import MESH

# Pixels a side: finer than what the expression network is shown, nothing needs to be sharp.
_LOOKED_AT = 32
# The width of a face in pixels: at the first number nothing can be read from it, at the second nothing is missing.
_SIZE = (16.0, 60.0)
# Degrees away from the camera, likewise but falling.
_TURN = (65.0, 25.0)
# How much of the contrast lies between neighbouring pixels: a face out of focus, and one in focus.
_SHARPNESS = (0.03, 0.11)
# The share of pixels that are pure black or pure white.
_BURNT = (0.7, 0.15)
# The share of points within the picture.
_INSIDE = (0.55, 0.98)


def quality(frame: Frame, mesh: Mesh, head: HeadPose) -> float:
    """The product of what each fault leaves: one bad fault is enough to make a face unreadable."""
    crop = aligned(frame, mesh, _LOOKED_AT)
    away = float(np.degrees(np.arccos(np.clip(head.forward[2], -1, 1))))
    burnt = float(((crop <= 2) | (crop >= 253)).mean())
    return (
        mesh.score
        * _between(mesh.box.width, *_SIZE)
        * _between(sharpness(crop), *_SHARPNESS)
        * _between(away, *_TURN)
        * _between(burnt, *_BURNT)
        * _between(inside(frame, mesh.points), *_INSIDE)
    )


def sharpness(picture: NDArray[np.uint8]) -> float:
    """The mean step between neighbours twice over, as a share of the picture's contrast."""
    values = picture.astype(np.float32)
    contrast = float(values.std())
    if contrast < 1:
        return 0.0
    bend = values[1:-1, 1:-1] * 4 - values[:-2, 1:-1] - values[2:, 1:-1] - values[1:-1, :-2] - values[1:-1, 2:]
    return float(np.abs(bend).mean()) / 4 / contrast


def inside(frame: Frame, points: Points) -> float:
    """The share of the mesh that lies within the picture."""
    height, width = frame.shape[:2]
    x, y = points[:MESH, 0], points[:MESH, 1]
    return float(((x >= 0) & (x < width) & (y >= 0) & (y < height)).mean())


def _between(value: float, nothing: float, full: float) -> float:
    return float(np.clip((value - nothing) / (full - nothing), 0, 1))
