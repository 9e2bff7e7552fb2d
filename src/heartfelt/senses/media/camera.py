"""Frames of a live camera, in the shape of a recording's frames."""

import math
from collections import deque
from collections.abc import Iterator
from threading import Condition

import numpy as np
from av.video.frame import VideoFrame

from heartfelt.errors import InputError
from heartfelt.senses.media.pictures import refuse_huge
from heartfelt.senses.media.pieces import FRAME_RATE, LONG_SIDE, Picture, Pixels
from heartfelt.senses.media.scaling import Scaler, TimeGrid


class Camera:
    """A queue between whoever films and whoever looks. A frame that waited too long is worth nothing: the oldest is dropped.

    `push` never waits; `frames` waits for the next frame and ends once the camera is closed and the queue is empty.
    """

    def __init__(self, *, rate: float = FRAME_RATE, long_side: int = LONG_SIDE, most: int = 16):
        if most < 1:
            raise InputError(f"A queue of {most} frames holds nothing. Wish for 1 or more.")
        self.dropped = 0
        """How many frames had to give way because nobody fetched them in time."""
        self._grid = TimeGrid(rate)
        self._scaler = Scaler(long_side)
        self._most = most
        self._waiting: deque[Picture] = deque()
        self._changed = Condition()
        self._is_closed = False
        self._last = 0.0

    def push(self, frame: Pixels, time: float) -> None:
        """One upright frame, height × width × 3 of bytes, and its time in seconds since the start. It is copied."""
        _check(frame)
        with self._changed:
            self._check_turn(time)
            if not self._grid.takes(time):
                return
            whole = VideoFrame.from_ndarray(np.ascontiguousarray(frame), "rgb24")
            if len(self._waiting) == self._most:
                self._waiting.popleft()
                self.dropped += 1
            self._waiting.append(Picture(time, self._scaler.scaled(whole, whole.width, whole.height)))
            self._changed.notify()

    def close(self) -> None:
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    def frames(self) -> Iterator[Picture]:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._is_closed)
                if not self._waiting:
                    return
                picture = self._waiting.popleft()
            yield picture

    def _check_turn(self, time: float) -> None:
        if self._is_closed:
            raise InputError("The camera is closed. Open a new one for further frames.")
        if not math.isfinite(time) or time < self._last:
            raise InputError(f"A frame at {time} s cannot follow one at {self._last} s. Give times that grow from 0.")
        self._last = time


def _check(frame: Pixels) -> None:
    if frame.dtype != np.uint8 or frame.ndim != 3 or frame.shape[2] != 3 or not frame.size:
        raise InputError(
            f"A frame of shape {frame.shape} and type {frame.dtype} cannot be read. Give height × width × 3 of unsigned bytes."
        )
    refuse_huge(frame.shape[1], frame.shape[0], "The frame")
