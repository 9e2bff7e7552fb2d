"""From the rows of a run to what the metrics read: gold and answer joined, labels in the set that a figure is about."""

from collections.abc import Iterator
from functools import cached_property
from typing import Literal, TypeAlias

from heartfelt.agents import ForecastEmotion
from heartfelt.evaluation.experiments.answered import AnsweredRow, GridPlace
from heartfelt.evaluation.experiments.experiment import Condition, Experiment
from heartfelt.evaluation.experiments.folder import RunFolder
from heartfelt.evaluation.metrics.metric import Metric
from heartfelt.evaluation.metrics.recognition import Hit, HitShares
from heartfelt.evaluation.metrics.rows import Likelihood, Row, Spent
from heartfelt.evaluation.metrics.run import Run, read_run
from heartfelt.evaluation.tasks.item import Item
from heartfelt.evaluation.weak import EIGHT_TO_THREE
from heartfelt.labels import translate
from heartfelt.recipes import recipe
from heartfelt.records import Exemplars, Forecast, Record, Scores, Strategy

Whose: TypeAlias = Literal["speaker", "reply"]


class Scored(Record):
    """What was made of a row after the run: likelihoods and marks, by name."""

    id: str
    likelihoods: dict[str, Likelihood] = {}
    judged: Scores = {}


class Results:
    """A run, read once."""

    def __init__(self, folder: RunFolder):
        self.folder = folder
        self.experiment: Experiment = folder.experiment
        self.items = folder.items()
        self._by_place: dict[GridPlace, list[AnsweredRow]] = {}
        for row in folder.rows():
            self._by_place.setdefault(row.place, []).append(row)
        self._ms = {each.id: each.ms for each in folder.times()}

    @cached_property
    def places(self) -> list[GridPlace]:
        """The cells of the grid that have rows, in its order."""
        plan = self.experiment
        order = [
            GridPlace(task=task, model=model, seed=seed, condition=condition)
            for task in plan.tasks
            for model in plan.models
            for seed in plan.seeds
            for condition in plan.asked_of(task)
        ]
        return [place for place in order if place in self._by_place]

    def answered(self, place: GridPlace) -> list[AnsweredRow]:
        return self._by_place.get(place, [])

    def failures(self, place: GridPlace) -> list[AnsweredRow]:
        return [row for row in self.answered(place) if row.failed]

    def item(self, row: AnsweredRow) -> Item:
        return self.items[row.place.task][row.item]

    def condition(self, place: GridPlace) -> Condition:
        return self.experiment.conditions[place.condition]

    def run(
        self, place: GridPlace, metric: Metric | None = None, of: Whose = "speaker", *, among: set[str] | None = None
    ) -> Run:
        """The answered rows of a cell, with labels in the metric's set; `among` are the items to keep."""
        return read_run(self.rows(place, labels_of(metric) if metric else "", of, among=among))

    def rows(
        self, place: GridPlace, labels: str = "", of: Whose = "speaker", *, among: set[str] | None = None
    ) -> Iterator[Row]:
        for row in self.answered(place):
            if row.failed is None and (among is None or row.item in among):
                yield self._row(row, labels, of)

    @cached_property
    def scored(self) -> dict[str, Scored]:
        """By the row's id; what `score` wrote."""
        return {each.id: each for each in self.folder.read(Scored, "scores.jsonl")}

    def _row(self, row: AnsweredRow, labels: str, of: Whose) -> Row:
        item, best = self.item(row), row.best
        asked = self.experiment.tasks[row.place.task]
        gold = item.gold
        right = gold.emotion if of == "speaker" else gold.answered_with
        wanted = labels or gold.labels
        forecast = best.find(Forecast) if best else None
        strategy = best.find(Strategy) if best else None
        exemplars = best.find(Exemplars) if best else None
        named = _names_emotion(self.condition(row.place), wanted)
        extra = self.scored.get(row.id, Scored(id=row.id))
        return Row(
            id=row.item,
            dialogue=item.dialogue.id,
            reply=row.reply,
            reference=gold.reference or None,
            context=tuple(turn.text for turn in item.dialogue.turns),
            exemplars=tuple(each.reply for each in exemplars.found) if exemplars else (),
            emotion=_in_set(right, gold.labels, wanted, asked.mapping) if named and right else None,
            predicted=_in_set(forecast.emotion, forecast.labels, wanted, asked.mapping) if forecast and wanted else None,
            labels=wanted if (named and right) or forecast else "",
            distribution=_shares(forecast, wanted, asked.mapping) if named else None,
            strategy=EIGHT_TO_THREE.get(gold.strategy) if gold.strategy else None,
            strategy_predicted=strategy.choice if strategy else None,
            strategies="er_ip_ex" if strategy or gold.strategy else "",
            speaker=item.dialogue.last.speaker,
            turns=len(item.dialogue.turns),
            age=item.speaker.age if item.speaker else "",
            gender=item.speaker.gender if item.speaker else "",
            timbre=item.speaker.timbre if item.speaker else "",
            likelihoods=extra.likelihoods,
            judged=extra.judged | _carried(row),
            spent=tuple(self._timed(row)),
        )

    def _timed(self, row: AnsweredRow) -> Iterator[Spent]:
        ms = dict(self._ms.get(row.id, {}))
        for spent in row.spent:
            yield spent.model_copy(update={"ms": ms.pop(spent.step, 0.0)})
        yield from (Spent(step=step, ms=each) for step, each in ms.items())


def labels_of(metric: Metric) -> str:
    """The label set that a metric reads; empty: it reads none, or whatever the gold is in."""
    if isinstance(metric, Hit | HitShares):
        return "ed32"
    return getattr(metric, "labels", "")


def _names_emotion(condition: Condition, wanted: str) -> bool:
    """Whether the system names emotions of the wanted set: one that does not is not wrong about it."""
    steps = recipe(condition.recipe).ablated(condition.ablation).steps
    named = next((step.labels for step in steps if isinstance(step, ForecastEmotion)), "")
    return bool(named) and (named == wanted or wanted != "ed32")  # nothing coarse becomes one of the 32


def _in_set(label: str | None, has: str, wanted: str, mapping: str) -> str | None:
    return translate(label, has, wanted, via=mapping, missing="none") if label else None


def _shares(forecast: Forecast | None, wanted: str, mapping: str) -> Scores | None:
    """The distribution in the wanted set. What has no class there is left out, and the rest is scaled up to one."""
    if forecast is None or not forecast.distribution or not wanted:
        return None
    sums: Scores = {}
    for label, share in forecast.distribution.items():
        known = _in_set(label, forecast.labels, wanted, mapping)
        if known:
            sums[known] = sums.get(known, 0.0) + share
    total = sum(sums.values())
    return {label: share / total for label, share in sums.items()} if total > 0 else None


def _carried(row: AnsweredRow) -> Scores:
    """Whether the emotion arrived in voice and face, where the reply was performed."""
    if row.performance is None:
        return {}
    measured = [each for each in row.performance.carried if not each.note]
    return {f"carried/{each.channel}": float(each.agrees) for each in measured}
