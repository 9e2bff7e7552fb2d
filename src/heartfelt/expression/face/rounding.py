"""The mouth's own curves: what the units of the mesh leave out, which open it as a wedge and round it little.

The jaw of the mesh pulls the middle of the lower lip down and the rest along straight lines, so that every open mouth is a V.
Lips are elastic rings: between middle and corner they stand as on an ellipse.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.face.head import Head, Shift

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.int32]

_SLIT, _CORNER = 6.6075, 0.262
"""The height of the resting slit between the lips, and how far from the middle it ends."""
_BELOW, _ABOVE = 0.15, 0.09
"""Decimetres over which the skin around the lips follows them."""


def rounded(head: Head) -> dict[str, Shift]:
    """What is added to units, at 1, by their names."""
    rows = _around(head)
    x, y, z = head.points[rows].T
    lower = y < _SLIT
    follows = np.exp(-np.square((y - _SLIT) / np.where(lower, _BELOW, _ABOVE))) * _bulge(np.abs(x) / _CORNER)
    follows = follows * (1 - _floor(np.abs(x), y, z))
    nothing = np.zeros_like(x)
    jaw = follows * np.where(lower, -0.185, 0.070)
    funnel = follows * np.where(lower, -0.050, 0.070)
    middle = 0.030 * np.exp(-np.square(x / 0.07)) * np.where(lower, 0, np.exp(-np.square((y - _SLIT) / 0.12)))
    return {
        "tongueOut": _tip(head),
        "mouthUpperUpLeft": _shift(rows, nothing, middle / 2),
        "mouthUpperUpRight": _shift(rows, nothing, middle / 2),
        "jawOpen": _shift(rows, nothing, jaw),
        "mouthClose": _shift(rows, nothing, -jaw),
        "mouthFunnel": _shift(rows, -0.16 * x * _near(x, y), funnel),
        "mouthPucker": _shift(rows, -0.24 * x * _near(x, y), nothing),
    }


def _around(head: Head) -> Ints:
    """The skin of the lips and around them, and of their insides."""
    rows = np.unique(head.quads[head.of_part("skin")]).astype(np.int32)
    x, y, z = head.points[rows].T
    return rows[(np.abs(y - _SLIT) < 0.45) & (z > 1.15) & (np.abs(x) < 0.55)]


def _floor(side: Floats, y: Floats, z: Floats) -> Floats:
    """The floor of the mouth behind the lower lip, which stays where it is: it would come out through the chin."""
    front = np.interp(side, (0, 0.11, 0.17, 0.21, 0.26), (1.55, 1.517, 1.48, 1.44, 1.415))
    return np.clip((front - z - 0.06) / 0.02, 0, 1) * np.clip((6.56 - y) / 0.05, 0, 1)


def _tip(head: Head) -> Shift:
    """A tongue that is put forward is held up between the teeth, where that of the mesh would slide under them."""
    rows = np.unique(head.quads[head.of_part("tongue")]).astype(np.int32)
    front = np.clip((head.points[rows, 2] - 0.95) / 0.40, 0, 1)
    return _shift(rows, np.zeros_like(front), 0.09 * front)


def _bulge(share: Floats) -> Floats:
    """How far an ellipse stands beyond the straight line from the middle (0) to the corner (1)."""
    inside = np.minimum(share, 1.0)
    return np.sqrt(1 - inside**2) - (1 - inside)


def _near(x: Floats, y: Floats) -> Floats:
    """How far the skin goes with lips that draw together."""
    beyond = np.maximum(np.abs(x) - _CORNER, 0)
    return np.exp(-np.square((y - _SLIT) / 0.16) - np.square(beyond / 0.10))


def _shift(rows: Ints, x: Floats, y: Floats) -> Shift:
    return Shift(rows, np.stack([x, y, np.zeros_like(x)], axis=1).astype(np.float32))
