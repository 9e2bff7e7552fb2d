"""Pictures and sounds made small without losing anything, for a machine to which little may be carried.

Each number is foretold from its neighbours and only the surprise is written down; surprises are small and pack well.
"""

import lzma

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Pictures = NDArray[np.uint8]
Wave = NDArray[np.int16]


def packed_pictures(pictures: Pictures) -> Bytes:
    """(n, height, width) grey pictures as bytes."""
    known = np.pad(pictures.astype(np.int16), ((0, 0), (1, 0), (1, 0)))
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


def packed_waves(waves: list[Wave]) -> Bytes:
    """Sounds in 16 bits, one after the other, as bytes."""
    joined = np.concatenate(waves).view(np.uint16)
    surprise = np.diff(joined, n=2, prepend=np.zeros(2, np.uint16)).view(np.int16).astype(np.int32)
    folded = np.where(surprise < 0, -2 * surprise - 1, 2 * surprise).astype(np.uint16)
    return _squeezed(np.concatenate([(folded >> 8).astype(np.uint8), (folded & 255).astype(np.uint8)]))


def unpacked_waves(data: Bytes, lengths: NDArray[np.int64]) -> list[Wave]:
    high, low = np.split(_spread(data), 2)
    folded = (high.astype(np.int32) << 8) | low
    surprise = np.where(folded & 1, -(folded + 1) // 2, folded // 2).astype(np.int16).view(np.uint16)
    joined = np.cumsum(np.cumsum(surprise, dtype=np.uint16), dtype=np.uint16).view(np.int16)
    return np.split(joined, np.cumsum(lengths)[:-1])


def _median(left: NDArray[np.int16], above: NDArray[np.int16], corner: NDArray[np.int16]) -> NDArray[np.int16]:
    """The median of three guesses, as in JPEG-LS: it follows edges and slopes alike."""
    return np.clip(left + above - corner, np.minimum(left, above), np.maximum(left, above))


def _squeezed(numbers: Bytes) -> Bytes:
    return np.frombuffer(lzma.compress(numbers.tobytes(), preset=4), np.uint8)


def _spread(data: Bytes) -> Bytes:
    return np.frombuffer(lzma.decompress(data.tobytes()), np.uint8)
