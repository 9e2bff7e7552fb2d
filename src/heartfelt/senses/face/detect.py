"""Finds every face in a frame: in the whole picture, in its squares where it is oblong, and else piece by piece."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from heartfelt.senses.face.frame import Frame
from heartfelt.senses.face.networks import DETECTOR_SIDE, FaceNetworks
from heartfelt.senses.face.warp import Square, cut

_SURE = 0.5
_SAME = 0.3
# The grids of the network: cells a side, and boxes a cell.
_GRIDS = ((16, 2), (8, 6))
# A face must fill about a tenth of what the network is shown. A frame this much longer than wide wastes a good part of that on
# its empty margins, and is looked at in squares too.
_OBLONG = 1.2
# Pieces smaller than this hold no face that could be read.
_SMALLEST_PIECE = 160
# A panorama is not searched for ever.
_MOST_A_ROW = 8
# The crop around a face that the mesh was taught with, in sides of the detector's box.
_CROP = 1.5


@dataclass(frozen=True)
class Box:
    """An upright rectangle in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def centre(self) -> tuple[float, float]:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    @property
    def area(self) -> float:
        return max(self.width, 0) * max(self.height, 0)

    def shared(self, other: "Box") -> float:
        """The part that both cover, as a share of what they cover together."""
        both = Box(
            max(self.left, other.left),
            max(self.top, other.top),
            min(self.right, other.right),
            min(self.bottom, other.bottom),
        )
        common = both.area if both.width > 0 and both.height > 0 else 0.0
        union = self.area + other.area - common
        return common / union if union > 0 else 0.0


@dataclass(frozen=True)
class Detection:
    """Where a face is, before any closer look."""

    box: Box
    right_eye: tuple[float, float]
    left_eye: tuple[float, float]
    score: float

    @property
    def square(self) -> Square:
        """The crop for the mesh: level with the eyes, half as large again as the box."""
        (x0, y0), (x1, y1) = self.right_eye, self.left_eye
        x, y = self.box.centre
        return Square(x, y, _CROP * max(self.box.width, self.box.height), math.atan2(y1 - y0, x1 - x0))


def detect(frame: Frame, networks: FaceNetworks, *, closely: bool = True) -> list[Detection]:
    """All faces, the surest first. `closely` also looks at pieces of the frame where nothing else shows a face."""
    height, width = frame.shape[:2]
    found = _look(frame, networks, Square(width / 2, height / 2, max(height, width)))
    if max(height, width) > _OBLONG * min(height, width):
        found += _look_through(frame, networks, min(height, width))
    if not found and closely and min(height, width) >= 2 * _SMALLEST_PIECE:
        found += _look_through(frame, networks, min(height, width) // 2)
    return merged(found)


def merged(found: Sequence[Detection]) -> list[Detection]:
    """One detection a face: those that overlap become their mean, weighted by how sure each is."""
    rest = sorted(found, key=lambda item: -item.score)
    kept: list[Detection] = []
    while rest:
        same = [item for item in rest if item.box.shared(rest[0].box) > _SAME]
        kept.append(_mean(same))
        rest = [item for item in rest[1:] if item not in same]
    return kept


def _look_through(frame: Frame, networks: FaceNetworks, side: int) -> list[Detection]:
    """In squares that overlap by about half, so that no face is cut in all of them."""
    height, width = frame.shape[:2]
    squares = [Square(x, y, side) for y in _centres(height, side) for x in _centres(width, side)]
    return [found for square in squares for found in _look(frame, networks, square)]


def _centres(length: int, side: int) -> list[float]:
    count = min(1 + math.ceil(2 * (length - side) / side), _MOST_A_ROW)
    return np.linspace(side / 2, length - side / 2, count).tolist() if count > 1 else [length / 2]


def _look(frame: Frame, networks: FaceNetworks, square: Square) -> list[Detection]:
    seen = networks.detect(cut(frame, square, DETECTOR_SIDE))
    # Beyond these bounds the score is 0 or 1 anyway, and the power would overflow.
    scores = 1 / (1 + np.exp(-np.clip(seen["scores"][:, 0], -80, 80)))
    rows = np.flatnonzero(scores >= _SURE)
    anchors = _anchors()[rows]
    values = seen["boxes"][rows].astype(np.float64).reshape(-1, 8, 2)
    centres = values[:, 0] + anchors
    sizes = values[:, 1]
    eyes = values[:, 2:4] + anchors[:, None]
    scale, corner = square.side / DETECTOR_SIDE, np.array([square.x, square.y]) - square.side / 2
    low, high = (centres - sizes / 2) * scale + corner, (centres + sizes / 2) * scale + corner
    eyes = eyes * scale + corner
    return merged(
        [
            Detection(
                Box(*map(float, (*low[row], *high[row]))),
                (float(eyes[row, 0, 0]), float(eyes[row, 0, 1])),
                (float(eyes[row, 1, 0]), float(eyes[row, 1, 1])),
                float(scores[number]),
            )
            for row, number in enumerate(rows)
        ]
    )


@cache
def _anchors() -> NDArray[np.float64]:
    """The middle of each cell in pixels of the network's picture, as often as the cell has boxes."""
    rows: list[NDArray[np.float64]] = []
    for cells, boxes in _GRIDS:
        axis = (np.arange(cells) + 0.5) * DETECTOR_SIDE / cells
        grid = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
        rows.append(np.repeat(grid, boxes, axis=0))
    return np.concatenate(rows)


def _mean(same: Sequence[Detection]) -> Detection:
    weights = np.array([item.score for item in same])
    rows = np.array(
        [(item.box.left, item.box.top, item.box.right, item.box.bottom, *item.right_eye, *item.left_eye) for item in same]
    )
    mean = [float(value) for value in weights @ rows / weights.sum()]
    return Detection(Box(*mean[:4]), (mean[4], mean[5]), (mean[6], mean[7]), float(weights.max()))
