"""How sharp a picture is."""

import numpy as np
from numpy.typing import NDArray

from heartfelt.senses.media.pieces import Pixels

_SMALL = 320
_GREY = np.array([0.299, 0.587, 0.114], np.float32)


def sharpness(pixels: Pixels) -> float:
    """The variance of the Laplacian: near 0 for a blurred or empty picture, hundreds for one full of edges.

    It is taken on a small grey picture, so that the grain of a noisy camera does not pass for detail. Only pictures of about
    the same size compare.
    """
    grey = _small(pixels)
    if min(grey.shape) < 3:
        return 0.0
    inner = grey[1:-1, 1:-1]
    laplacian = grey[:-2, 1:-1] + grey[2:, 1:-1] + grey[1:-1, :-2] + grey[1:-1, 2:] - 4 * inner
    return float(laplacian.var())


def _small(pixels: Pixels) -> NDArray[np.float32]:
    """Grey, the mean of square blocks: leaving pixels out instead would make edges where there are none."""
    height, width = pixels.shape[:2]
    block = -(-max(height, width) // _SMALL)
    grey = pixels.astype(np.float32) @ _GREY
    if block == 1 or min(height, width) < block:
        return grey
    rows, columns = height // block, width // block
    return grey[: rows * block, : columns * block].reshape(rows, block, columns, block).mean(axis=(1, 3))
