"""Which frames of a stream are taken, and how large."""

import math

import numpy as np
from av.video.frame import VideoFrame
from av.video.reformatter import VideoReformatter

from heartfelt.errors import InputError
from heartfelt.senses.media.pieces import Pixels


class TimeGrid:
    """Takes the first frame of every step of 1/rate seconds. Where no new frame came in a step, none is invented."""

    def __init__(self, rate: float):
        if not (math.isfinite(rate) and 0 < rate <= 1000):
            raise InputError(f"A frame rate of {rate} cannot be used. Wish for a number above 0 and up to 1000 a second.")
        self._rate = rate
        self._step = -1

    def takes(self, time: float) -> bool:
        step = math.floor(time * self._rate + 1e-6)
        if step <= self._step:
            return False
        self._step = step
        return True


class Scaler:
    """Scales frames to red, green and blue. One is kept for a whole walk: setting it up costs more than a small frame."""

    def __init__(self, long_side: int):
        if long_side < 1:
            raise InputError(f"A long side of {long_side} pixels cannot be made. Wish for 1 or more, for example 640.")
        self._long_side = long_side
        self._reformatter = VideoReformatter()

    def scaled(self, frame: VideoFrame, width: int, height: int) -> Pixels:
        """The frame, shown at this size, with the long side bounded."""
        size = fitted(width, height, self._long_side)
        ready = self._reformatter.reformat(frame, *size, "rgb24", interpolation="AREA", threads=1)
        return ready.to_ndarray().astype(np.uint8, copy=False)


def fitted(width: int, height: int, long_side: int) -> tuple[int, int]:
    """The size at which the long side has at most so many pixels. Nothing is ever enlarged."""
    longest = max(width, height)
    if longest <= long_side:
        return width, height
    return max(1, round(width * long_side / longest)), max(1, round(height * long_side / longest))
