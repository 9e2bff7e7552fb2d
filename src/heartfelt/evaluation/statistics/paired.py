"""Two runs over the same dialogues: how far apart they are, and whether chance alone would set them so far apart."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from heartfelt.errors import InputError
from heartfelt.evaluation.metrics.metric import Metric, checked, defined
from heartfelt.evaluation.metrics.run import Run
from heartfelt.evaluation.metrics.tallies import MetricTally
from heartfelt.evaluation.statistics.draws import resamples, swaps, used_dialogues
from heartfelt.evaluation.statistics.interval import _NORMAL, LEVEL, TIMES, jackknife_error
from heartfelt.records import Record

PERMUTATIONS = 10_000


class Compared(Record):
    """Run a against run b."""

    metric: str
    a: float
    b: float
    difference: float
    """a − b."""
    low: float
    """The interval of the difference, the same dialogues drawn for both."""
    high: float
    level: float
    p: float
    """How often chance sets the runs at least so far apart; two-sided."""
    exact: bool
    """Whether all ways to change places were tried."""
    dialogues: int
    adjusted_p: float | None = None
    """After Holm's correction over a table."""


def compare(
    metric: Metric, a: Run, b: Run, *, level: float = LEVEL, times: int = TIMES, permutations: int = PERMUTATIONS, seed: int = 0
) -> Compared:
    """The difference with its interval, and a permutation test in which the runs change places dialogue by dialogue."""
    pair = paired_tallies(metric, a, b)
    difference = checked(metric, pair.a.whole()) - checked(metric, pair.b.whole())
    low, high = _difference_interval(pair, difference, metric.name, level, times, seed)
    p, exact = _permuted(pair, difference, permutations, seed)
    return Compared(
        metric=metric.name,
        a=pair.a.whole(),
        b=pair.b.whole(),
        difference=difference,
        low=low,
        high=high,
        level=level,
        p=p,
        exact=exact,
        dialogues=pair.dialogues,
    )


class _Pair(NamedTuple):
    a: MetricTally
    b: MetricTally
    dialogues: int


def paired_tallies(metric: Metric, a: Run, b: Run) -> _Pair:
    """Both tallies with the same dialogues in the same order."""
    only_a, only_b = set(a.dialogue.names) - set(b.dialogue.names), set(b.dialogue.names) - set(a.dialogue.names)
    if only_a or only_b:
        raise InputError(
            f"The runs are not over the same dialogues: {len(only_a)} are only in the first and {len(only_b)} only in "
            "the second"
            f", such as '{min(only_a or only_b)}'. Compare the dialogues that both have."
        )
    one, other = defined(metric, a), defined(metric, b.in_dialogues(a.dialogue.names))
    dialogues = int(np.count_nonzero(one.rows + other.rows))
    if dialogues < 2:
        raise InputError(
            f"A comparison by '{metric.name}' needs two dialogues or more, and there is {dialogues}. Score more of them."
        )
    return _Pair(one, other, dialogues)


def difference_error(pair: _Pair) -> float:
    """The standard error of the difference, by leaving out one dialogue of both runs at a time."""
    return jackknife_error((pair.a.without_each() - pair.b.without_each())[(pair.a.rows + pair.b.rows) > 0])


def _difference_interval(pair: _Pair, difference: float, name: str, level: float, times: int, seed: int) -> tuple[float, float]:
    if pair.a.repeats_distort:
        reach = _NORMAL.inv_cdf((1 + level) / 2) * difference_error(pair)
        return difference - reach, difference + reach
    used = np.union1d(used_dialogues(pair.a), used_dialogues(pair.b))
    batches = resamples(used, len(pair.a.rows), times, seed)
    drawn = np.concatenate([pair.a.values(batch) - pair.b.values(batch) for batch in batches])
    drawn = drawn[np.isfinite(drawn)]
    if len(drawn) < 0.9 * times:
        raise InputError(f"'{name}' has no value in {times - len(drawn)} of {times} resamples: there is too little to compare.")
    low, high = np.quantile(drawn, ((1 - level) / 2, (1 + level) / 2))
    return float(low), float(high)


def _permuted(pair: _Pair, difference: float, permutations: int, seed: int) -> tuple[float, bool]:
    """Dialogues that neither run has rows of change nothing, so they are not counted among the ways."""
    joined, count = pair.a.joined(pair.b), len(pair.a.rows)
    used = np.flatnonzero(pair.a.rows + pair.b.rows)
    exact, batches = swaps(len(used), permutations, seed)
    hits = tried = 0
    for batch in batches:
        swapped = np.zeros((len(batch), count))
        swapped[:, used] = batch
        first = joined.values(np.hstack([1 - swapped, swapped]))
        second = joined.values(np.hstack([swapped, 1 - swapped]))
        apart = np.abs(first - second)
        apart = apart[np.isfinite(apart)]
        # Sums in another order differ in their last digits; ways that are as far apart must count.
        hits += int(np.count_nonzero(apart >= abs(difference) - 1e-9 * max(1.0, abs(difference))))
        tried += len(apart)
    return (hits / tried, True) if exact else ((hits + 1) / (tried + 1), False)


def holm(values: Sequence[float]) -> list[float]:
    """Each p-value, corrected for how many there are (Holm 1979). None gets smaller, and their order stays."""
    p = np.asarray(values, np.float64)
    if p.size and not ((p >= 0) & (p <= 1)).all():
        raise InputError("Holm's correction takes p-values between 0 and 1.")
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    corrected = np.empty(len(p))
    corrected[order] = np.minimum(stepped, 1.0)
    return corrected.tolist()


def corrected(table: Sequence[Compared]) -> list[Compared]:
    """The comparisons of one table, with their corrected p-values."""
    adjusted = holm([each.p for each in table])
    return [each.model_copy(update={"adjusted_p": p}) for each, p in zip(table, adjusted, strict=True)]
