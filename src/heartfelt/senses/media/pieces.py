"""What every source of pictures and sound yields, whether a file or a live device: small pieces, each with its time."""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

SAMPLE_RATE = 16_000
"""Samples a second of all sound: what speech models listen at."""
LONG_SIDE = 640
"""Pixels of a frame's long side, unless wished otherwise: enough for a face, cheap enough for two cores."""
FRAME_RATE = 5.0
"""Frames a second, unless wished otherwise: an expression lasts half a second or longer."""

Pixels: TypeAlias = NDArray[np.uint8]
"""Height × width × 3, red, green and blue, upright."""
Samples: TypeAlias = NDArray[np.float32]
"""One channel, from -1 to 1, never NaN."""


class Picture(NamedTuple):
    time: float
    """Seconds from the start of the clip."""
    pixels: Pixels


class Sound(NamedTuple):
    start: float
    """Seconds from the start of the clip."""
    samples: Samples


class MediaNotes:
    """Sentences without repetition. Two walks of the same recording may write into it at the same time."""

    def __init__(self):
        self._said: dict[str, None] = {}

    def add(self, sentence: str) -> None:
        self._said[sentence] = None

    def all(self) -> tuple[str, ...]:
        return tuple(self._said)
