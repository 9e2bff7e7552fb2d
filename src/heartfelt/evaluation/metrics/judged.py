"""Marks that were given elsewhere: by a classifier of empathy, by a judge, by people."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from heartfelt.evaluation.metrics.metric import Metric, MetricInfo, mean_tally
from heartfelt.evaluation.metrics.run import Run
from heartfelt.evaluation.metrics.tallies import Sums


@dataclass(frozen=True)
class JudgedMetric(Metric):
    """The mean of one mark. Whoever gives the marks puts them into `Row.judged` and says here what they are."""

    mark: str
    definition: str
    citation: str
    better: Literal["higher", "lower", "neither"] = "higher"
    unit: str = "mark"
    low: float | None = 0.0
    high: float | None = 1.0

    @property
    def about(self) -> MetricInfo:
        return MetricInfo(
            name=f"judged/{self.mark}",
            definition=self.definition,
            citation=self.citation,
            better=self.better,
            unit=self.unit,
            low=self.low,
            high=self.high,
            needs=f"the mark '{self.mark}'",
        )

    def tally(self, run: Run) -> Sums:
        marks = run.number(f"judged/{self.mark}")
        return mean_tally(run, marks, ~np.isnan(marks))
