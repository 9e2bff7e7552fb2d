"""Whether a model is as sure as it is right."""

from dataclasses import dataclass

import numpy as np

from heartfelt.evaluation.metrics.metric import Metric, MetricInfo, mean_tally, used_rows
from heartfelt.evaluation.metrics.recognition import has_shares, of_set
from heartfelt.evaluation.metrics.run import NONE, Run
from heartfelt.evaluation.metrics.tallies import Binned, Floats, Sums, ratio

_NEEDS = "a right label and a distribution"


@dataclass(frozen=True)
class CalibrationError(Metric):
    labels: str
    bins: int = 15

    @property
    def about(self) -> MetricInfo:
        return MetricInfo(
            name=f"ece-{self.bins}/{self.labels}",
            definition=f"Expected calibration error of the likeliest label: |mean confidence − accuracy| in "
            f"{self.bins} bins of equal "
            "width, weighted by their rows.",
            citation="Naeini et al., AAAI 2015; Guo et al., ICML 2017, arXiv 1706.04599",
            better="lower",
            unit="share",
            differs="Bins of equal size, and calibration of all labels. It is biased upwards in small samples.",
            needs=_NEEDS,
        )

    def tally(self, run: Run) -> Binned:
        choices = of_set(run.emotion, self.labels)
        used = (choices.gold != NONE) & has_shares(choices)
        shares = np.zeros((0, 1)) if choices.shares is None else choices.shares[used]
        sure, right = shares.max(1), shares.argmax(1) == choices.gold[used]
        return Binned(
            rows=used_rows(run, used),
            cluster=run.dialogue.codes[used],
            bins=np.clip((sure * self.bins).astype(np.int64), 0, self.bins - 1),
            parts=np.stack([np.ones(len(sure)), sure - right]),
            size=self.bins,
            finish=_expected_gap,
        )


@dataclass(frozen=True)
class Brier(Metric):
    labels: str

    @property
    def about(self) -> MetricInfo:
        return MetricInfo(
            name=f"brier/{self.labels}",
            definition="The sum over all labels of (share − truth)², truth being 1 for the right label and 0 for "
            "others; mean over rows.",
            citation="Brier, Monthly Weather Review 1950",
            better="lower",
            unit="squared share",
            high=2.0,
            differs="The half of it, which goes to 1, and the score of the likeliest label alone.",
            needs=_NEEDS,
        )

    def tally(self, run: Run) -> Sums:
        choices = of_set(run.emotion, self.labels)
        used = (choices.gold != NONE) & has_shares(choices)
        scores = np.zeros(len(run))
        if choices.shares is not None:
            truth = choices.gold[used, None] == np.arange(choices.shares.shape[1])
            scores[used] = ((choices.shares[used] - truth) ** 2).sum(1)
        return mean_tally(run, scores, used)


def _expected_gap(totals: Floats) -> Floats:
    """Of (…, rows and summed gaps, bins): in each bin the rows cancel out, so the sum of absolute gaps remains."""
    return ratio(np.abs(totals[..., 1, :]).sum(-1), totals[..., 0, :].sum(-1))
