"""When a network may say anything at all: how sure it must be, so that it is right often enough with those it has never met."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.tuning.senses.temperature import Floats

Ints = NDArray[np.int64]
NEVER = 0.99
"""Where it is never right often enough, it must be as sure as this."""


def least_sure(found: Floats, gold: Ints, *, right: float) -> float:
    """The lowest share, in hundredths, from which on at least so many of its claims are right."""
    sure, hits = found.max(1), found.argmax(1) == gold
    for hundredths in range(0, round(100 * NEVER)):
        claimed = sure >= hundredths / 100
        if claimed.any() and hits[claimed].mean() >= right:
            return hundredths / 100
    return NEVER


def claimed(
    found: Floats, gold: Ints, least: float, groups: NDArray[Any], *, seed: int = 0, times: int = 1000
) -> dict[str, Any]:
    """How often it claims anything, and how often it is then right; whole `groups`, such as speakers, are drawn."""
    says, hits = found.max(1) >= least, found.argmax(1) == gold
    members = [np.flatnonzero(groups == group) for group in np.unique(groups)]
    counts = np.array([(len(rows), says[rows].sum(), (says & hits)[rows].sum()) for rows in members], np.float64)
    random = np.random.default_rng(seed)
    drawn = np.stack([counts[random.integers(0, len(members), len(members))].sum(0) for _ in range(times)])
    whole = counts.sum(0)
    return {
        "claims": _told(whole[1] / whole[0], drawn[:, 1] / drawn[:, 0], int(whole[0])),
        "right_when_it_claims": _told(whole[2] / max(whole[1], 1), drawn[:, 2] / np.maximum(drawn[:, 1], 1), int(whole[1])),
    }


def _told(mean: float, drawn: Floats, count: int) -> dict[str, float]:
    low, high = np.quantile(drawn, (0.025, 0.975))
    return {"mean": round(float(mean), 4), "low": round(float(low), 4), "high": round(float(high), 4), "n": count}
