"""What is measured of a face once its turn and its distance are taken away: a few lengths in centimetres.

Each is a plain length or height between named points, so that a person can check it with a ruler. `units` reads them.
"""

import numpy as np
from numpy.typing import NDArray

from heartfelt.senses.face.frame import Points

Shape = dict[str, float]
"""The measures by name."""

_CORNERS = (33, 133, 263, 362)
_LIDS = {"right": ((160, 144), (159, 145), (158, 153)), "left": ((387, 373), (386, 374), (385, 380))}
_WIDTHS = {"right": (33, 133), "left": (263, 362)}


def shape(frontal: Points) -> Shape:
    """The measures of a face in the canonical frame: y is up, and heights are above the line of the eyes."""
    eyes = _height(frontal, *_CORNERS)
    mouth = _height(frontal, 13, 14)
    nose = _height(frontal, 2)
    openings = {side: _opening(frontal, side) for side in _LIDS}
    return {
        "inner brow": _height(frontal, 55, 107, 285, 336) - eyes,
        "outer brow": _height(frontal, 70, 63, 300, 293) - eyes,
        "brow gap": _length(frontal, 55, 285) / 2 + _length(frontal, 107, 336) / 2,
        "upper lid": _height(frontal, 158, 159, 160, 385, 386, 387) - eyes,
        "lower lid": _height(frontal, 144, 145, 153, 373, 374, 380) - eyes,
        "right opening": openings["right"],
        "left opening": openings["left"],
        "cheek": _height(frontal, 50, 280, 205, 425) - eyes,
        "nose wing": _height(frontal, 129, 358, 98, 327) - eyes,
        "upper lip": _height(frontal, 0, 37, 267) - nose,
        "mouth width": _length(frontal, 61, 291),
        "corner rise": _height(frontal, 61, 291) - mouth,
        "corner height": _height(frontal, 61, 291) - nose,
        "corner skew": abs(_height(frontal, 61) - _height(frontal, 291)),
        "lip gap": _length(frontal, 13, 14),
        "lip red": _length(frontal, 0, 13) + _length(frontal, 14, 17),
        "lower lip": _height(frontal, 17, 84, 314) - nose,
        "chin": _height(frontal, 152) - nose,
    }


def _opening(frontal: Points, side: str) -> float:
    """How far an eye is open, as a share of its width."""
    heights = [_length(frontal, *pair) for pair in _LIDS[side]]
    return float(np.mean(heights)) / max(_length(frontal, *_WIDTHS[side]), 1e-6)


def _height(frontal: NDArray[np.float32], *points: int) -> float:
    return float(frontal[list(points), 1].mean())


def _length(frontal: NDArray[np.float32], one: int, other: int) -> float:
    """Across the face, without depth: the network is least sure of that."""
    return float(np.hypot(*(frontal[one, :2] - frontal[other, :2])))
