"""A share with its interval over dialogues, or nothing where there is too little to say."""

from collections.abc import Sequence

import numpy as np

from heartfelt.errors import InputError
from heartfelt.evaluation.metrics.tallies import Finish, Floats, Sums, ratio
from heartfelt.evaluation.statistics.interval import interval_of
from heartfelt.records import Record


class Estimate(Record):
    value: float | None = None
    """None where there is nothing to divide by."""
    low: float | None = None
    """None where there is too little to say how sure it is."""
    high: float | None = None
    cases: int = 0
    """What it is a share of."""


def share(dialogues: Sequence[str], hits: Sequence[bool]) -> Estimate:
    """Of some cases, one dialogue name each, those that hit."""
    parts = np.stack([np.asarray(hits, np.float64), np.ones(len(hits))], axis=1)
    return estimated(dialogues, parts, lambda sums: ratio(sums[..., 0], sums[..., 1]), len(hits))


def estimated(dialogues: Sequence[str], parts: Floats, finish: Finish, cases: int) -> Estimate:
    """A figure out of the sums of `parts` (cases, parts), and its interval."""
    if not len(dialogues):
        return Estimate(cases=cases)
    names, codes = np.unique(np.asarray(dialogues), return_inverse=True)
    sums = np.zeros((len(names), parts.shape[1]))
    np.add.at(sums, codes, parts)
    tally = Sums(np.bincount(codes, minlength=len(names)), sums, finish)
    value = tally.whole()
    if not np.isfinite(value):
        return Estimate(cases=cases)
    try:
        found = interval_of(tally, "a share of planted faults", value)
    except InputError:  # one dialogue, or a figure that most resamples do not have
        return Estimate(value=value, cases=cases)
    return Estimate(value=value, low=found.low, high=found.high, cases=cases)
