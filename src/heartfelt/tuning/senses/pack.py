"""Pictures made small without losing anything, for a machine to which little may be carried.

Each number is foretold from its neighbours and only the surprise is written down; surprises are small and pack well.
"""

import lzma

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Pictures = NDArray[np.uint8]


def packed_pictures(pictures: Pictures) -> Bytes:
    """(n, height, width) grey pictures as bytes."""
    count, height, width = pictures.shape
    known = np.zeros((count, height + 1, width + 1), np.int16)
    known[:, 1:, 1:] = pictures
    foretold = _median(known[:, 1:, :-1], known[:, :-1, 1:], known[:, :-1, :-1])
    return _squeezed((pictures.astype(np.int16) - foretold).astype(np.uint8))


def unpacked_pictures(data: Bytes, count: int, height: int, width: int) -> Pictures:
    surprise = np.ascontiguousarray(_spread(data).reshape(count, height, width).transpose(1, 2, 0))
    known = np.zeros((height + 1, width + 1, count), np.int16)
    for y in range(height):
        for x in range(width):
            foretold = _median(known[y + 1, x], known[y, x + 1], known[y, x])
            known[y + 1, x + 1] = (foretold + surprise[y, x]).astype(np.uint8)
    return np.ascontiguousarray(known[1:, 1:].transpose(2, 0, 1).astype(np.uint8))


def _median(left: NDArray[np.int16], above: NDArray[np.int16], corner: NDArray[np.int16]) -> NDArray[np.int16]:
    """The median of three guesses, as in JPEG-LS: it follows edges and slopes alike."""
    return np.clip(left + above - corner, np.minimum(left, above), np.maximum(left, above))


def _squeezed(numbers: Bytes) -> Bytes:
    return np.frombuffer(lzma.compress(numbers.tobytes(), preset=4), np.uint8)


def _spread(data: Bytes) -> Bytes:
    return np.frombuffer(lzma.decompress(data.tobytes()), np.uint8)
