"""Intervals: where a figure would lie had other dialogues been drawn. Dialogues are resampled, never turns.

| method | for | how |
|---|---|---|
| `percentile` | means, ratios, F1 | quantiles of the resampled figures |
| `bca` | the same, skewed or biased | quantiles moved by bias and acceleration (Efron 1987) |
| `jackknife` | counts of different things | ± z standard errors, from leaving out one dialogue at a time |

A resample holds about a quarter of its dialogues twice or more, and the second copy brings no new word. Every resampled
`dist_corpus` is therefore too small, and its quantiles lie below the figure itself. `auto` takes the jackknife there and
percentiles elsewhere.
"""

from collections.abc import Callable, Iterable
from math import sqrt
from statistics import NormalDist
from typing import Literal, TypeAlias

import numpy as np

from heartfelt.errors import InputError
from heartfelt.evaluation.metrics.metric import Metric, checked, defined
from heartfelt.evaluation.metrics.run import Run
from heartfelt.evaluation.metrics.tallies import Floats, MetricTally, Sums, ratio
from heartfelt.evaluation.statistics.draws import resamples, used_dialogues
from heartfelt.records import Record

Method: TypeAlias = Literal["auto", "percentile", "bca", "jackknife"]
LEVEL, TIMES = 0.95, 2000
_NORMAL = NormalDist()
_MOST_UNDEFINED = 0.1


class Interval(Record):
    """A figure with its interval."""

    metric: str
    value: float
    low: float
    high: float
    level: float
    method: str
    rows: int
    dialogues: int
    undefined: int = 0
    """Resamples in which the figure had no value, such as none with a rare label; they are left out."""

    @property
    def words(self) -> str:
        """For a sentence: «0.742 (95 % interval 0.581 to 0.871 over 31 dialogues)»."""
        ends = f"{100 * self.level:g} % interval {self.low:.3f} to {self.high:.3f}"
        return f"{self.value:.3f} ({ends} over {self.dialogues} dialogues)"


def interval(
    metric: Metric, run: Run, *, method: Method = "auto", level: float = LEVEL, times: int = TIMES, seed: int = 0
) -> Interval:
    """A figure of a run and its interval over dialogues."""
    tally = defined(metric, run)
    return interval_of(tally, metric.name, checked(metric, tally.whole()), method=method, level=level, times=times, seed=seed)


def interval_of(
    tally: MetricTally,
    name: str,
    value: float,
    *,
    method: Method = "auto",
    level: float = LEVEL,
    times: int = TIMES,
    seed: int = 0,
) -> Interval:
    if not 0 < level < 1:
        raise InputError(f"An interval has a level between 0 and 1, such as 0.95, and not {level}.")
    used = used_dialogues(tally)
    if len(used) < 2:
        raise InputError(
            f"An interval of '{name}' needs two dialogues or more, and the run has {len(used)}. Score more of them."
        )
    chosen = ("jackknife" if tally.repeats_distort else "percentile") if method == "auto" else method
    if tally.repeats_distort and chosen != "jackknife":
        raise InputError(
            f"Resamples of '{name}' are all too small, because copies bring nothing new. Use the method 'jackknife'."
        )
    if chosen == "jackknife":
        ends, undefined = _jackknife(tally, value, level), 0
    else:
        drawn, undefined = _resampled(tally, name, times, seed)
        ends = _ENDS[chosen](tally, drawn, value, level)
    rows = int(tally.rows.sum())
    return Interval(
        metric=name,
        value=value,
        low=ends[0],
        high=ends[1],
        level=level,
        method=chosen,
        rows=rows,
        dialogues=len(used),
        undefined=undefined,
    )


def mean_interval(given: Iterable[tuple[str, float]], name: str, *, seed: int) -> Interval | None:
    """The mean of values, each of some dialogue, with its interval over dialogues; None below two."""
    sums: dict[str, tuple[float, float]] = {}
    for dialogue, value in given:
        total, count = sums.get(dialogue, (0.0, 0.0))
        sums[dialogue] = (total + value, count + 1)
    table = np.array(list(sums.values()), np.float64)
    if len(table) < 2:
        return None
    tally = Sums(table[:, 1].astype(np.int64), table, lambda parts: ratio(parts[..., 0], parts[..., 1]))
    return interval_of(tally, name, tally.whole(), seed=seed)


def wilson(share: float, count: int) -> tuple[float, float]:
    """Wilson's interval of 95 % of a share of so many; all of 0 to 1 where there are none."""
    if not count:
        return 0.0, 1.0
    z = _NORMAL.inv_cdf((1 + LEVEL) / 2)
    part = z**2 / count
    middle = (share + part / 2) / (1 + part)
    reach = z / (1 + part) * sqrt(share * (1 - share) / count + part / count / 4)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def standard_error(tally: MetricTally) -> float:
    """Of the figure over dialogues, by leaving out one at a time."""
    return jackknife_error(tally.without_each()[used_dialogues(tally)])


def jackknife_error(without: Floats) -> float:
    """The standard error of a figure, from its values without one dialogue each."""
    without = without[np.isfinite(without)]
    count = len(without)
    if count < 2:
        raise InputError("A standard error over dialogues needs two dialogues or more. Score more of them.")
    return float(np.sqrt((count - 1) / count * ((without - without.mean()) ** 2).sum()))


def _resampled(tally: MetricTally, name: str, times: int, seed: int) -> tuple[Floats, int]:
    if times < 1:
        raise InputError(f"An interval needs resamples, and {times} were asked for. Ask for {TIMES}.")
    batches = resamples(used_dialogues(tally), len(tally.rows), times, seed)
    found = np.concatenate([tally.values(batch) for batch in batches])
    defined_ones = found[np.isfinite(found)]
    if len(defined_ones) < (1 - _MOST_UNDEFINED) * times:
        raise InputError(
            f"'{name}' has no value in {times - len(defined_ones)} of {times} resamples: there is too little to say "
            "how sure it is."
        )
    return defined_ones, times - len(defined_ones)


def _percentile(_tally: MetricTally, drawn: Floats, _value: float, level: float) -> tuple[float, float]:
    low, high = np.quantile(drawn, ((1 - level) / 2, (1 + level) / 2))
    return float(low), float(high)


def _bca(tally: MetricTally, drawn: Floats, value: float, level: float) -> tuple[float, float]:
    below = ((drawn < value).mean() + (drawn <= value).mean()) / 2
    if not 0 < below < 1:  # all resamples on one side, or all the same: there is no bias to correct by
        return _percentile(tally, drawn, value, level)
    bias, pull = _NORMAL.inv_cdf(below), _acceleration(tally)
    ends: list[float] = []
    for share in ((1 - level) / 2, (1 + level) / 2):
        moved = bias + _NORMAL.inv_cdf(share)
        ends.append(float(np.quantile(drawn, _NORMAL.cdf(bias + moved / (1 - pull * moved)))))
    return ends[0], ends[1]


def _acceleration(tally: MetricTally) -> float:
    without = tally.without_each()[used_dialogues(tally)]
    gaps = np.mean(without[np.isfinite(without)]) - without[np.isfinite(without)]
    spread = float((gaps**2).sum())
    return float((gaps**3).sum() / (6 * spread**1.5)) if spread > 0 else 0.0


def _jackknife(tally: MetricTally, value: float, level: float) -> tuple[float, float]:
    reach = _NORMAL.inv_cdf((1 + level) / 2) * standard_error(tally)
    return value - reach, value + reach


_ENDS: dict[str, Callable[[MetricTally, Floats, float, float], tuple[float, float]]] = {"percentile": _percentile, "bca": _bca}
