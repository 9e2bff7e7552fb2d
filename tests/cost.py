"""What work costs, compared within one run: a machine that is busy with something else is slow for both sides of a ratio."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
TRIES = 8


def growth(work: Callable[[T], object], short: T, long: T, *, enough: float) -> float:
    """How many times as long the long input takes, by the quickest of some tries each; no more tries than are `enough`."""
    quickest = [float("inf"), float("inf")]
    for _ in range(TRIES):
        quickest = [min(known, seconds(work, given)) for known, given in zip(quickest, (short, long), strict=True)]
        if quickest[1] <= enough * quickest[0]:
            break
    return quickest[1] / quickest[0]


def seconds(work: Callable[[T], object], given: T) -> float:
    """Of the processor, not of the clock on the wall."""
    started = time.process_time()
    work(given)
    return max(time.process_time() - started, 1e-4)
