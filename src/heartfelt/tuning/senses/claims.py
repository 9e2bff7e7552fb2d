"""When a network may be taken at its word: how sure of an emotion it must be to be right often enough with strangers.

Each emotion has a least share of its own. Anger is heard in anybody; what is sad in one voice is merely quiet in another.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.tuning.senses.temperature import Floats

Ints = NDArray[np.int64]
NEVER = 0.99
"""The least share of what is never right often enough."""
LOWEST = 60
"""Hundredths below which nothing is claimed, however right it was: an emotion that is unlikely is no claim."""
FEWEST = 20
"""Claims that there must be before their being right means anything."""


def least_shares(found: Floats, gold: Ints, *, right: float) -> list[float]:
    """For each label the lowest share, in hundredths, from which on so many of its claims are right.

    A label that does not occur has the one that all together ask for.
    """
    said = found.argmax(1)
    overall = _least(found.max(1), said == gold, right)
    return [
        _least(found[said == label, label], gold[said == label] == label, right) if (gold == label).any() else overall
        for label in range(found.shape[1])
    ]


def claimed(found: Floats, gold: Ints, least: list[float], groups: Ints, *, times: int = 1000) -> dict[str, Any]:
    """How often it claims anything, and how often it is then right; whole `groups`, such as speakers, are drawn."""
    says, hits = found.max(1) >= np.array(least)[found.argmax(1)], found.argmax(1) == gold
    members = [np.flatnonzero(groups == group) for group in np.unique(groups)]
    counts = np.array([(len(rows), says[rows].sum(), (says & hits)[rows].sum()) for rows in members], np.float64)
    random = np.random.default_rng(0)
    drawn = np.stack([counts[random.integers(0, len(members), len(members))].sum(0) for _ in range(times)])
    whole = counts.sum(0)
    return {
        "claims": _told(whole[1] / whole[0], drawn[:, 1] / drawn[:, 0], int(whole[0])),
        "right_when_it_claims": _told(whole[2] / max(whole[1], 1), drawn[:, 2] / np.maximum(drawn[:, 1], 1), int(whole[1])),
    }


def _least(sure: Floats, hits: NDArray[np.bool_], right: float) -> float:
    for hundredths in range(LOWEST, round(100 * NEVER)):
        claims = hits[sure >= hundredths / 100]
        if len(claims) < FEWEST:
            break
        if claims.mean() >= right:
            return hundredths / 100
    return NEVER


def _told(mean: float, drawn: Floats, count: int) -> dict[str, float]:
    low, high = np.quantile(drawn, (0.025, 0.975))
    return {"mean": round(float(mean), 4), "low": round(float(low), 4), "high": round(float(high), 4), "n": count}
