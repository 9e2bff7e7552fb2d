"""Frames as everything else in this folder wants them: RGB, uint8, checked once at the door."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.errors import InputError

Frame = NDArray[np.uint8]
"""Rows, columns and three colours."""
Points = NDArray[np.float32]
"""One row a point: columns and rows of the picture, and where there is a third number, the depth in the same pixels."""

# Weights of red, green and blue in brightness, as television has them.
_BRIGHTNESS = (0.299, 0.587, 0.114)


def checked(frame: NDArray[Any]) -> Frame:
    """The frame as RGB, or an InputError that says what it should have been. A grey picture is taken as it is."""
    if not isinstance(frame, np.ndarray):  # pyright: ignore[reportUnnecessaryIsInstance] - callers are not always typed
        raise InputError(
            f"A frame must be a numpy array of RGB pixels, not {type(frame).__name__}: convert it with np.asarray."
        )
    if frame.dtype != np.uint8:
        raise InputError(f"A frame must hold uint8 pixels from 0 to 255, not {frame.dtype}: scale it and use astype('uint8').")
    if frame.ndim == 2 or (frame.ndim == 3 and frame.shape[2] == 1):
        frame = np.repeat(frame.reshape(*frame.shape[:2], 1), 3, axis=2)
    if frame.ndim != 3 or frame.shape[2] != 3:
        raise InputError(f"A frame must have the shape (height, width, 3) in RGB, not {frame.shape}: drop any other channel.")
    if 0 in frame.shape:
        raise InputError(f"A frame must have at least one pixel, and this one has the shape {frame.shape}: leave it out.")
    return np.ascontiguousarray(frame)


def grey(frame: Frame) -> NDArray[np.uint8]:
    """The brightness of each pixel."""
    weights = np.array(_BRIGHTNESS, np.float32)
    return np.rint(frame.astype(np.float32) @ weights).astype(np.uint8)
