"""Chance that is the same every time: noise that drifts smoothly, and draws by name."""

import random
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]

_WAVES = 5


def draws(*names: object) -> random.Random:
    """A source of its own for everything that has a name."""
    return random.Random("/".join(map(str, names)))


def drift(times: Floats, slowest: float, fastest: float, *names: object) -> Floats:
    """A smooth wandering around 0, within about -1 to 1, of waves between two rates a second; a function of time alone."""
    source = draws("drift", *names)
    total = np.zeros(len(times))
    for wave in range(_WAVES):
        hertz = slowest * (fastest / slowest) ** ((wave + source.random()) / _WAVES)
        total += np.sin(2 * np.pi * (hertz * times + source.random())) / (1 + wave / 2)
    return total / 2.4


def bump(times: Floats, at: float, rise: float, fall: float, *, hold: float = 0.0) -> Floats:
    """From 0 up to 1 at a moment and down again, without corners."""
    up = np.clip((times - (at - rise)) / rise, 0, 1)
    down = np.clip((at + hold + fall - times) / fall, 0, 1)
    return smooth(np.minimum(up, down))


def smooth(share: Floats) -> Floats:
    """0 to 1 without corners."""
    return share * share * (3 - 2 * share)
