"""Which frames of a stream are taken."""

import math

from heartfelt.errors import InputError


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
