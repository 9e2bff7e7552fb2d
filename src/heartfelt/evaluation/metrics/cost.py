"""What a reply costs, and how long it is."""

from dataclasses import dataclass

import numpy as np

from heartfelt.evaluation.metrics.metric import Metric, MetricInfo, mean_tally, ratio_tally
from heartfelt.evaluation.metrics.run import COSTS, Floats, Run
from heartfelt.evaluation.metrics.tallies import Sums
from heartfelt.evaluation.metrics.tokens import Tokeniser

_UNITS = {"calls": "calls", "ms": "ms"}


@dataclass(frozen=True)
class Length(Metric):
    tokens: Tokeniser = "lower-words"

    @property
    def about(self) -> MetricInfo:
        return MetricInfo(
            name=f"length/{self.tokens}",
            definition="Words of a reply"
            + (", punctuation marks among them" if self.tokens == "lower-words" else "")
            + "; mean over replies, empty ones included.",
            citation="Heartfelt",
            better="neither",
            unit="words",
            high=None,
        )

    def tally(self, run: Run) -> Sums:
        return mean_tally(run, run.tokens(self.tokens).lengths.astype(np.float64), np.ones(len(run), bool))


@dataclass(frozen=True)
class Cost(Metric):
    """One kind of cost, of one step or (`step` empty) of all."""

    kind: str
    step: str = ""

    @property
    def about(self) -> MetricInfo:
        return MetricInfo(
            name=f"cost/{self.kind}" + (f"/{self.step}" if self.step else ""),
            definition=f"{self.kind.replace('_', ' ')} {'of the step ' + self.step if self.step else 'of all steps'} "
            "for one turn, all passes "
            "together; mean over the turns that " + ("the step took part in." if self.step else "report any cost."),
            citation="Heartfelt",
            better="lower",
            unit=_UNITS.get(self.kind, "tokens"),
            high=None,
            needs="a cost",
        )

    def tally(self, run: Run) -> Sums:
        total = spent(run, self.kind, self.step)
        return mean_tally(run, total, ~np.isnan(total))


@dataclass(frozen=True)
class CachedShare(Metric):
    @property
    def about(self) -> MetricInfo:
        return MetricInfo(
            name="cost/cached_share",
            definition="Prompt tokens that did not have to be read again over all prompt tokens.",
            citation="Heartfelt",
            better="higher",
            unit="share",
            needs="prompt tokens",
        )

    def tally(self, run: Run) -> Sums:
        prompt = spent(run, "prompt_tokens")
        return ratio_tally(run, spent(run, "cached_tokens"), prompt, np.nan_to_num(prompt) > 0)


def spent(run: Run, kind: str, step: str = "") -> Floats:
    """One cost of each row; NaN for a row that reports none."""
    if step:
        return run.number(f"{step}/{kind}")
    columns = np.array([run.number(f"{each}/{kind}") for each in run.steps]).reshape(len(run.steps), len(run))
    return np.where(np.isnan(columns).all(0), np.nan, np.nan_to_num(columns).sum(0))


def costs(run: Run) -> list[Cost]:
    """Every kind of cost of the whole turn, and the time of each step of this run."""
    return [Cost(kind) for kind in COSTS] + [Cost("ms", step) for step in run.steps]
