"""Faces brought to one light: the grey values of each picture are spread evenly from black to white.

The pictures that are learnt from come equalised; a camera's do not. numpy alone, and the same rule for training and for the
runtime. No lamp, exposure or gamma then makes a difference, for none changes which of two points is the lighter.
"""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
LEVELS = 256


def equalised(picture: NDArray[np.uint8] | Floats) -> Floats:
    """(height, width) grey values from 0 to 255: each becomes 255 times the share of the points that are darker than it, those
    that are as light counted by half."""
    grey = np.clip(np.rint(picture), 0, LEVELS - 1).astype(np.int64)
    counts = np.bincount(grey.ravel(), minlength=LEVELS)
    darker = np.cumsum(counts) - counts / 2
    return ((LEVELS - 1) * darker / grey.size)[grey].astype(np.float32)


def shown(pictures: NDArray[np.uint8] | Floats) -> Floats:
    """(n, height, width) → (n, 1, height, width), as the network reads them."""
    return np.stack([equalised(picture) for picture in pictures])[:, None]
