"""Where pieces come in: what cannot be read, or comes out of its order, is refused before anything is done with it."""

import math

import numpy as np

from heartfelt.errors import InputError
from heartfelt.senses.face.frame import checked as checked_frame
from heartfelt.senses.media.pictures import refuse_huge
from heartfelt.senses.media.pieces import SAMPLE_RATE, Picture, Samples, Sound
from heartfelt.senses.media.scaling import TimeGrid
from heartfelt.senses.voice.samples import checked as checked_samples

_TOLERANCE = 0.1
"""Seconds by which a chunk's time may miss the end of the one before: clocks tremble."""


class FrameEntry:
    """Frames come at growing times. Of those that come faster than the rate, only the first of each step is taken."""

    def __init__(self, rate: float):
        self._grid = TimeGrid(rate)
        self._last = -math.inf

    def take(self, picture: Picture) -> Picture | None:
        """A copy of the frame, so that the caller may use its memory again, or None where there are enough already."""
        pixels = checked_frame(picture.pixels)
        refuse_huge(pixels.shape[1], pixels.shape[0], "The frame")
        _refuse_no_time(picture.time, "frame")
        if picture.time <= self._last:
            raise InputError(f"A frame at {picture.time:g} s cannot follow one at {self._last:g} s: bring them in order.")
        self._last = picture.time
        return Picture(picture.time, pixels.copy()) if self._grid.takes(picture.time) else None


class SoundEntry:
    """Lays chunks end to end. A chunk that comes a little early or late is taken to follow on; a later one leaves a gap.

    Order is judged from one chunk to the next, not by all samples since the start: a sound card that is faster than the
    caller's clock by a hair must not be refused after half an hour.
    """

    def __init__(self) -> None:
        self._origin = 0.0
        self._samples = 0
        self._stamped_end = -math.inf

    def check(self, sound: Sound, sample_rate: int) -> Samples:
        """The samples as a copy, or InputError; nothing is taken yet."""
        if sample_rate != SAMPLE_RATE:
            raise InputError(f"Sound must have {SAMPLE_RATE} samples a second, not {sample_rate}: resample it first.")
        if not isinstance(sound.samples, np.ndarray):  # pyright: ignore[reportUnnecessaryIsInstance] - callers are not always typed
            raise InputError(f"Sound must be a numpy array, not {type(sound.samples).__name__}: use np.asarray.")
        samples = checked_samples(sound.samples)
        if not samples.size:
            raise InputError(f"The chunk at {sound.start:g} s is empty: leave it out.")
        _refuse_no_time(sound.start, "chunk")
        if sound.start < self._stamped_end - _TOLERANCE:
            raise InputError(
                f"The chunk at {sound.start:g} s begins before the last one is over ({self._stamped_end:g} s): bring chunks in "
                f"order, with {SAMPLE_RATE} samples a second."
            )
        return samples.copy()

    def place(self, sound: Sound) -> float:
        """Take it: where it begins in the stream."""
        if self._stamped_end == -math.inf or sound.start - self.end > _TOLERANCE:
            self._origin, self._samples = sound.start, 0
        start = self.end
        self._samples += len(sound.samples)
        self._stamped_end = sound.start + len(sound.samples) / SAMPLE_RATE
        return start

    def new_turn(self) -> None:
        """The voice begins to count again where it is; so must this, to the last bit of the number."""
        self._origin, self._samples = self.end, 0

    @property
    def end(self) -> float:
        return self._origin + self._samples / SAMPLE_RATE


def _refuse_no_time(time: float, what: str) -> None:
    if not math.isfinite(time) or time < 0:
        raise InputError(f"The time of a {what} must be seconds from the start of the session, not {time}: start at 0.")
