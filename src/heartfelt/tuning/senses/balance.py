"""Rare labels are said as readily as common ones: logit adjustment (Menon et al., 2021).

While a network learns, the logarithm of each label's frequency is added to its scores. That sum then says what is frequent, and
the scores themselves are as if all labels were equally frequent. A share of it may be put back at the end.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.tuning.senses.recall import recall

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

SHARES = tuple(round(0.1 * step, 1) for step in range(11))
GIVEN_UP = 0.01
"""How much accuracy may be given up, at most, for a larger mean recall."""


def log_prior(labels: Ints, classes: int) -> Floats:
    """The logarithm of how frequent each label is; one that never occurs counts once."""
    counts = np.maximum(np.bincount(labels, minlength=classes), 1)
    return np.log(counts / counts.sum()).astype(np.float32)


def spread(offset: Floats) -> Floats:
    """How frequent each label is, by what is added to its score."""
    raised = np.exp(offset - offset.max())
    return raised / raised.sum()


def prior_kept(scores: Floats, gold: Ints, offset: Floats) -> dict[str, Any]:
    """The share of `offset` to put back: of those that cost little accuracy, the one with the largest mean recall."""
    tried = [{"kept": share, **_figures(scores + share * offset, gold)} for share in SHARES]
    enough = max(each["accuracy"] for each in tried) - GIVEN_UP
    best = max((each for each in tried if each["accuracy"] >= enough), key=lambda each: (each["recall"], -each["kept"]))
    return best | {"tried": tried}


def _figures(scores: NDArray[np.floating[Any]], gold: Ints) -> dict[str, float]:
    best = scores.argmax(1)
    return {"accuracy": round(float((best == gold).mean()), 4), "recall": round(recall(best, gold), 4)}
