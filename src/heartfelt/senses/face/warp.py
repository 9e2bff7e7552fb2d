"""Cuts a turned square out of a picture: the one way in which networks and people get to see a part of a frame."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heartfelt.senses.face.frame import Frame, Points

# Beyond this shrinking some pixels in between are left out; up to it a sum of bytes fits into 16 bits.
_MOST_AVERAGED = 16


@dataclass(frozen=True)
class Square:
    """A square in a picture, in pixels, that may be turned and may reach over the picture's edges."""

    x: float
    y: float
    side: float
    turn: float = 0.0
    """In radians, clockwise as one sees it."""

    def matrix(self, size: int) -> NDArray[np.float64]:
        """[2, 3]: from a place in the square shown with `size` pixels a side to a place in the picture."""
        scale = self.side / size
        cosine, sine = math.cos(self.turn) * scale, math.sin(self.turn) * scale
        half = size / 2
        return np.array(
            [
                [cosine, -sine, self.x - (cosine - sine) * half],
                [sine, cosine, self.y - (sine + cosine) * half],
            ]
        )

    def placed(self, points: Points, size: int) -> Points:
        """Points of the square shown with `size` pixels, where they are in the picture. Depth is scaled alike."""
        matrix = self.matrix(size)
        result = points.astype(np.float32, copy=True)
        result[:, :2] = points[:, :2] @ matrix[:, :2].T + matrix[:, 2]
        result[:, 2:] *= self.side / size
        return result


def cut(frame: Frame, square: Square, size: int) -> Frame:
    """The square as a picture of `size` × `size`; what lies outside the frame is black."""
    return warped(frame, square.matrix(size), size)


def warped(frame: Frame, matrix: NDArray[np.float64], size: int) -> Frame:
    """Each pixel of the result is taken from the frame at the place that the matrix gives, between its four neighbours."""
    step = math.hypot(matrix[0, 0], matrix[1, 0])
    if step >= 2:
        corners = np.array([[0, 0], [size, 0], [0, size], [size, size]]) @ matrix[:, :2].T + matrix[:, 2]
        frame, matrix = _shrunk(frame, matrix, corners, math.floor(step))
    axis = np.arange(size) + 0.5
    x = matrix[0, 0] * axis + matrix[0, 1] * axis[:, None] + (matrix[0, 2] - 0.5)
    y = matrix[1, 0] * axis + matrix[1, 1] * axis[:, None] + (matrix[1, 2] - 0.5)
    return _between(frame, x.astype(np.float32), y.astype(np.float32))


def _shrunk(
    frame: Frame, matrix: NDArray[np.float64], corners: NDArray[np.float64], factor: int
) -> tuple[Frame, NDArray[np.float64]]:
    """A coarse copy of the part that is needed, each pixel the mean of those it stands for: thin lines must not flicker."""
    height, width = frame.shape[:2]
    left, top = (int(value) for value in np.clip(np.floor(corners.min(axis=0)) - factor, 0, [width - 1, height - 1]))
    right, bottom = (int(value) for value in np.clip(np.ceil(corners.max(axis=0)) + factor, 1, [width, height]))
    factor = min(factor, right - left, bottom - top)
    if factor < 2:
        return frame, matrix
    part = frame[top:bottom, left:right]
    rows, columns = part.shape[0] // factor, part.shape[1] // factor
    part = part[: rows * factor, : columns * factor].reshape(rows, factor, columns, factor, 3)
    taken = range(0, factor, -(-factor // _MOST_AVERAGED))
    total = np.zeros((rows, columns, 3), np.uint16)
    for row in taken:
        for column in taken:
            total += part[:, row, :, column]
    coarse = (total // len(taken) ** 2).astype(np.uint8)
    moved = matrix.copy()
    moved[:, 2] -= [left, top]
    return coarse, moved / factor


def _between(frame: Frame, x: NDArray[np.float32], y: NDArray[np.float32]) -> Frame:
    height, width = frame.shape[:2]
    left, top = np.floor(x), np.floor(y)
    weight_x, weight_y = (x - left)[..., None], (y - top)[..., None]
    inside = ((x > -1) & (x < width) & (y > -1) & (y < height))[..., None]
    columns = np.clip(left, 0, width - 1).astype(np.intp), np.clip(left + 1, 0, width - 1).astype(np.intp)
    rows = np.clip(top, 0, height - 1).astype(np.intp) * width, np.clip(top + 1, 0, height - 1).astype(np.intp) * width
    pixels = frame.reshape(-1, 3)
    upper, lower = (
        np.take(pixels, row + columns[0], axis=0) * (1 - weight_x) + np.take(pixels, row + columns[1], axis=0) * weight_x
        for row in rows
    )
    return np.where(inside, upper + (lower - upper) * weight_y + 0.5, 0).astype(np.uint8)
