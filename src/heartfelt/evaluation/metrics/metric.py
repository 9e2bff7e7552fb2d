"""What a metric is: a definition that can be cited, and a way from a run to a tally."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from heartfelt.errors import InputError
from heartfelt.evaluation.metrics.rows import Row
from heartfelt.evaluation.metrics.run import Floats, Ints, Run, read_run
from heartfelt.evaluation.metrics.tallies import MetricTally, Sums, ratio
from heartfelt.records import Record

ROUNDING = 1e-6
"""How far a sum of many numbers may come out beyond a bound."""


class MetricInfo(Record):
    """What a figure means. Two figures are comparable where name and version are the same."""

    name: str
    """Holds whatever changes the number: map, tokens, encoder, model."""
    version: int = 1
    definition: str
    citation: str
    better: Literal["higher", "lower", "neither"]
    unit: str
    low: float | None = 0.0
    """The least it can be; None: no bound."""
    high: float | None = 1.0
    differs: str = ""
    """What it is easily taken for, and is not."""
    needs: str = ""
    """What a row must have, for the message where none has it."""
    grows_with_text: bool = False
    """Whether it changes with the amount of text alone, so that parts of different size cannot be compared."""


class Metric(ABC):
    @property
    @abstractmethod
    def about(self) -> MetricInfo: ...

    @abstractmethod
    def tally(self, run: Run) -> MetricTally: ...

    @property
    def name(self) -> str:
        return self.about.name


class Figure(Record):
    metric: str
    version: int
    value: float
    unit: str
    rows: int
    """Rows that had what the metric needs."""
    left_out: int
    dialogues: int


def measure(metric: Metric, run: Run | Iterable[Row]) -> Figure:
    """One figure of a run; an error where it is not defined, never NaN."""
    run = run if isinstance(run, Run) else read_run(run)
    tally = defined(metric, run)
    used = int(tally.rows.sum())
    return Figure(
        metric=metric.name,
        version=metric.about.version,
        value=checked(metric, tally.whole()),
        unit=metric.about.unit,
        rows=used,
        left_out=len(run) - used,
        dialogues=int(np.count_nonzero(tally.rows)),
    )


def defined(metric: Metric, run: Run) -> MetricTally:
    """The tally, where at least one row can be used."""
    if not len(run):
        raise InputError(f"'{metric.name}' was asked of a run without rows. Score a run that answered something.")
    tally = metric.tally(run)
    if not tally.rows.any():
        needs = metric.about.needs or "what it needs"
        raise InputError(f"'{metric.name}' found no row with {needs} among {len(run)}. Score a run that has it.")
    return tally


def checked(metric: Metric, value: float) -> float:
    if not np.isfinite(value):
        needs = f" It needs {metric.about.needs}." if metric.about.needs else ""
        raise InputError(f"'{metric.name}' is not defined on this run: there is nothing to divide by.{needs}")
    low, high = metric.about.low, metric.about.high
    if (low is not None and value < low - ROUNDING) or (high is not None and value > high + ROUNDING):
        raise InputError(
            f"'{metric.name}' is {value:g}, and says of itself that it lies between {low} and {high}. "
            "Mend it, or its `low` and `high`; None is no bound."
        )
    return value


# ── the commonest tally ─────────────────────────────────────────────────────────────────────────────────────────────


def mean_tally(run: Run, values: Floats, used: NDArray[np.bool_]) -> Sums:
    """The mean of one number a row."""
    return ratio_tally(run, values, np.ones(len(run)), used)


def ratio_tally(run: Run, above: Floats, below: Floats, used: NDArray[np.bool_]) -> Sums:
    """The sum of one number over the sum of another."""
    sums = np.stack([by_dialogue(run, above, used), by_dialogue(run, below, used)], axis=1)
    return Sums(used_rows(run, used), sums, lambda parts: ratio(parts[..., 0], parts[..., 1]))


def used_rows(run: Run, used: NDArray[np.bool_]) -> Ints:
    return np.bincount(run.dialogue.codes[used], minlength=len(run.dialogue.names))


def by_dialogue(run: Run, values: NDArray[np.generic], used: NDArray[np.bool_]) -> Floats:
    weights = np.asarray(values, np.float64)[used]
    return np.bincount(run.dialogue.codes[used], weights, len(run.dialogue.names)).astype(np.float64)
