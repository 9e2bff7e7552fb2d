"""The figure by which voices are compared; apart from the report, for a machine that carries only the trainer tells it too."""

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


def recall(best: Ints, gold: Ints) -> float:
    """The mean over the labels of how often each is found: a rare label counts as much as a common one."""
    return float(np.mean([(best[gold == label] == label).mean() for label in np.unique(gold)]))
