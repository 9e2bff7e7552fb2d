"""One number that makes a network as sure as it is right: the temperature that its scores are divided by."""

import math

import numpy as np
from numpy.typing import NDArray

from heartfelt.errors import InputError

Floats = NDArray[np.float64]
COLDEST, HOTTEST = 0.2, 8.0


def fitted(scores: Floats, gold: NDArray[np.int64]) -> float:
    """The temperature under which the true labels are most likely. There is one lowest point; it is closed in on."""
    if len(scores) < 2 or len(scores) != len(gold):
        raise InputError(f"A temperature needs two rows of scores and a label for each; there are {len(scores)}.")
    from heartfelt.voting.calibration import minimum  # a machine that carries only the trainer has no voting

    return math.exp(minimum(lambda at: surprise(scores, gold, math.exp(at)), math.log(COLDEST), math.log(HOTTEST)))


def shares(scores: Floats, temperature: float = 1.0) -> Floats:
    """How likely each label is."""
    warm = scores.astype(np.float64) / temperature
    raised = np.exp(warm - warm.max(1, keepdims=True))
    return raised / raised.sum(1, keepdims=True)


def surprise(scores: Floats, gold: NDArray[np.int64], temperature: float = 1.0) -> float:
    """The mean negative logarithm of the true label's share."""
    found = shares(scores, temperature)[np.arange(len(gold)), gold]
    return float(-np.log(np.maximum(found, 1e-12)).mean())
