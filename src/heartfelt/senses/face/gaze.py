"""Where the eyes look, against the head: the iris in the picture, laid back onto the ball of the eye.

Only the place of the iris in the picture is used: the network gives it no depth of its own.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heartfelt.senses.face.frame import Points
from heartfelt.senses.face.pose import HeadPose
from heartfelt.senses.face.regions import INNER_CORNERS, LEFT_IRIS, OUTER_CORNERS, RIGHT_IRIS

RADIUS = 1.05
"""Centimetres from the middle of the eye's ball to the iris."""
DEPTH = 0.55
LIFT = 0.15
"""Centimetres from the line between the corners of an eye back to the middle of its ball, and up to it."""


@dataclass(frozen=True)
class Gaze:
    """Degrees against the head; 0, 0 is straight ahead."""

    yaw: float
    """Positive to the right of the picture."""
    pitch: float
    """Positive up."""


def gaze(points: Points, head: HeadPose) -> Gaze:
    """Both eyes together; the eye that is turned towards the camera counts for more."""
    frontal = head.normalised(points)
    weights = np.array([max(0.05, 1 - max(0.0, sign * head.forward[0]) * 1.5) for sign in (1, -1)])
    # A head that turns to the right of the picture hides the eye on that side, which is the person's left one.
    weights = weights[::-1]
    looks = [
        _direction(frontal, head, corners, iris)
        for corners, iris in zip(zip(OUTER_CORNERS, INNER_CORNERS, strict=True), (RIGHT_IRIS[0], LEFT_IRIS[0]), strict=True)
    ]
    x, y, z = (float(value) for value in weights @ np.array(looks))
    return Gaze(math.degrees(math.atan2(x, z)), math.degrees(math.atan2(y, math.hypot(x, z))))


def _direction(frontal: Points, head: HeadPose, corners: tuple[int, int], iris: int) -> NDArray[np.float64]:
    """From the middle of the ball to where the line of sight of the camera through the iris meets the ball."""
    middle = frontal[list(corners)].astype(np.float64).mean(axis=0) + np.array([0, LIFT, -DEPTH])
    towards_camera = head.rotation.T @ [0.0, 0.0, 1.0]
    offset = frontal[iris].astype(np.float64) - middle
    along = float(offset @ towards_camera)
    beside = offset - along * towards_camera
    distance = float(np.linalg.norm(beside))
    if distance >= RADIUS:  # an iris beside its ball: a person whose eyes are larger, or noise
        return beside / distance
    return (beside + math.sqrt(RADIUS**2 - distance**2) * towards_camera) / RADIUS
