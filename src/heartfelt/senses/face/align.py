"""A face as the expression network wants it: grey, upright, eyes and mouth where the pictures it learnt from have them.

FER2013 frames a face loosely: the whole face with a little forehead and chin. The three places below are the medians of
its own frontal pictures, found with this very mesh.
"""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from heartfelt.senses.face.frame import Points, checked, grey
from heartfelt.senses.face.regions import INNER_CORNERS, MOUTH_CORNERS, OUTER_CORNERS
from heartfelt.senses.face.warp import warped

SIZE = 48
"""Pixels a side of the pictures that the network learns from."""

_PLACES = np.array([(0.318, 0.393), (0.682, 0.393), (0.5, 0.77)])
"""The right eye, the left eye and the middle of the mouth, in sides of the picture."""


class Pointed(Protocol):
    """A `Face`, or a `Mesh` that nobody has read yet."""

    @property
    def points(self) -> Points: ...


def aligned(frame: NDArray[Any], face: Pointed, size: int = SIZE) -> NDArray[np.uint8]:
    """[size, size], grey. Turned, scaled and shifted only, so that a wide face stays wide; black outside the frame."""
    return grey(warped(checked(frame), placement(face.points, size), size))


def placement(points: Points, size: int = SIZE) -> NDArray[np.float64]:
    """[2, 3]: from a pixel of the aligned picture to the frame, the nearest similarity to eyes and mouth."""
    wanted, seen = _PLACES * size, _anchors(points)
    middle, target = wanted.mean(axis=0), seen.mean(axis=0)
    # A similarity of the plane is one complex number: its length is the scale, its angle the turn.
    one, other = wanted - middle, seen - target
    factor = (np.vdot(one @ [1, 1j], other @ [1, 1j])) / (one**2).sum()
    turn = np.array([[factor.real, -factor.imag], [factor.imag, factor.real]])
    return np.column_stack([turn, target - turn @ middle])


def _anchors(points: Points) -> NDArray[np.float64]:
    """Eyes as the middle of their corners: an iris wanders with the gaze."""
    pairs = (
        (OUTER_CORNERS[0], INNER_CORNERS[0]),
        (OUTER_CORNERS[1], INNER_CORNERS[1]),
        MOUTH_CORNERS,
    )
    return np.array([points[list(pair), :2].astype(np.float64).mean(axis=0) for pair in pairs])
