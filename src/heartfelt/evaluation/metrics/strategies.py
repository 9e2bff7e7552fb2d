"""Which strategies a model favours, whatever would be right."""

from dataclasses import dataclass

import numpy as np

from heartfelt.errors import InputError
from heartfelt.evaluation.metrics.metric import Metric, MetricInfo, mean_tally
from heartfelt.evaluation.metrics.recognition import confusion_tally, of_set
from heartfelt.evaluation.metrics.run import NONE, Run
from heartfelt.evaluation.metrics.tallies import Binned, Floats, Sums
from heartfelt.labels import label_set
from heartfelt.records import Scores

KANG = "Kang et al., ACL 2024, arXiv 2402.13211"
_ROUNDS, _SETTLED = 10_000, 1e-10


@dataclass(frozen=True)
class PreferenceBias(Metric):
    """The spread of the preferences of a Bradley–Terry model over the strategies.

    `prior` are fictitious contests, half won and half lost, of each strategy against an average one. Without them a strategy
    that is
    never missed has an infinite preference, and the figure is not defined.
    """

    strategies: str
    prior: float = 0.0

    @property
    def about(self) -> MetricInfo:
        count = len(label_set(self.strategies).labels)
        return MetricInfo(
            name=f"preference_bias/{self.strategies}" + (f"/prior={self.prior:g}" if self.prior else ""),
            definition="Each row whose strategy is wrong is a contest that the named strategy won against the right "
            "one. The standard "
            f"deviation of the {count} strengths of the Bradley–Terry model, scaled to a mean of 1"
            + (
                f"; each strategy also has {self.prior:g} fictitious contests against one of strength 1." if self.prior else "."
            ),
            citation=f"{KANG}; iteration: Newman, JMLR 2023, arXiv 2207.00076",
            better="lower",
            unit="strength",
            high=float(np.sqrt(count - 1)),
            differs="How often each strategy is named, which is uneven wherever the right ones are.",
            needs="a right strategy of the set, and mistakes that let every strategy be compared with every other",
        )

    def tally(self, run: Run) -> Binned:
        return confusion_tally(run, of_set(run.strategy, self.strategies), lambda table: _spread(table, self.prior))


@dataclass(frozen=True)
class StrategyAccuracy(Metric):
    strategies: str

    @property
    def about(self) -> MetricInfo:
        return MetricInfo(
            name=f"strategy_accuracy/{self.strategies}",
            definition="Rows whose strategy is the right one. A row that named none counts as wrong.",
            citation=label_set(self.strategies).citation,
            better="higher",
            unit="share",
            needs="a right strategy of the set",
        )

    def tally(self, run: Run) -> Sums:
        choices = of_set(run.strategy, self.strategies)
        return mean_tally(run, (choices.gold == choices.chosen).astype(np.float64), choices.gold != NONE)


def preferences(run: Run, strategies: str, *, prior: float = 0.0) -> Scores:
    """The strength of each strategy; above 1 it is favoured."""
    tally = confusion_tally(run, of_set(run.strategy, strategies), lambda table: table)
    size = len(label_set(strategies).labels)
    table = np.bincount(tally.bins, minlength=tally.size).reshape(size, size + 1)
    strengths = strengths_of(table.astype(np.float64), prior)
    if not np.isfinite(strengths).all():
        raise InputError(
            f"Preferences among '{strategies}' are not defined: some strategy is never missed, or the mistakes fall "
            "into parts that were "
            "never compared. Score more rows, or pass a prior such as 1."
        )
    return dict(zip(label_set(strategies).labels, strengths.tolist(), strict=True))


def strengths_of(table: Floats, prior: float = 0.0) -> Floats:
    """Bradley–Terry strengths, with a mean of 1; NaN where they have no finite value. `table` is right by named (and none)."""
    wins = table[:, :-1].T.copy()  # wins[i, j]: i was named where j was right
    np.fill_diagonal(wins, 0)
    if not prior and not _comparable(wins):
        return np.full(len(wins), np.nan)
    strengths = np.ones(len(wins))
    for _ in range(_ROUNDS):
        before, sums = strengths, strengths[:, None] + strengths
        pairs = np.divide(1.0, sums, out=np.zeros_like(sums), where=sums > 0)  # two that never won never met
        against_average = prior / 2 / (strengths + 1)
        won = (wins * strengths * pairs).sum(1) + against_average
        strengths = won / ((wins.T * pairs).sum(1) + against_average)
        if not prior:
            strengths = strengths / strengths.mean()
        if np.abs(strengths - before).max() < _SETTLED * max(1.0, strengths.max()):
            break
    return strengths / strengths.mean()


def _comparable(wins: Floats) -> bool:
    """Whether every strategy that took part has beaten, over others, every other one: then the strengths are finite.

    A strategy that never won is let be: its strength is 0. One that never took part cannot be compared.
    """
    won, lost = wins.sum(1) > 0, wins.sum(0) > 0
    if not (won | lost).all() or (won & ~lost).any():
        return False
    beaten = (wins > 0)[np.ix_(won, won)] | np.eye(int(won.sum()), dtype=bool)
    for _ in range(len(beaten)):
        beaten = beaten | (beaten.astype(np.int64) @ beaten.astype(np.int64) > 0)
    return bool(won.any() and beaten.all())


def _spread(table: Floats, prior: float) -> Floats:
    lines = table.reshape(-1, *table.shape[-2:])
    return np.array([strengths_of(line, prior).std() for line in lines]).reshape(table.shape[:-2])
