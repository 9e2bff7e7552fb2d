"""How a person is framed: the eyes at one height and the head at one size, whoever it is."""

from dataclasses import dataclass

import numpy as np

from heartfelt.expression.face.rig import SIDES, Rig

_DISTANCE = 15.0
_HEIGHT = 3.75
EYES_AT = 0.405
"""How far below the upper border the eyes are, as a share of the height."""


@dataclass(frozen=True)
class Framing:
    """A camera that looks along the z axis, in decimetres."""

    height: float
    """What the picture spans at the eyes."""
    centre: float
    """The height at which the camera stands."""
    distance: float
    """From the eyes."""
    eyes: float
    """How far forward of the origin the eyes are."""


def framed(rig: Rig, scale: float) -> Framing:
    height = _HEIGHT * scale
    eyes = float(np.mean([rig.eye_middles[side][1] for side in SIDES]))
    return Framing(height, eyes - (0.5 - EYES_AT) * height, _DISTANCE * scale, float(rig.eye_middles["Left"][2]))
