"""Whether the right emotion was named. A figure states its classes and, where classes were merged, the map that merged them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heartfelt.errors import InputError
from heartfelt.evaluation.metrics.metric import Metric, MetricInfo, mean_tally, used_rows
from heartfelt.evaluation.metrics.run import NONE, Choices, Floats, Ints, Run
from heartfelt.evaluation.metrics.tallies import Binned, Finish, Sums, ratio
from heartfelt.labels import LabelSet, label_set, map_citation, project
from heartfelt.records import Record

NEEDS = "a right label of the set"


@dataclass(frozen=True)
class Accuracy(Metric):
    labels: str

    @property
    def about(self) -> MetricInfo:
        classes = len(label_set(self.labels).labels)
        return MetricInfo(
            name=f"accuracy/{self.labels}",
            definition=f"Rows whose named label is the right one of {classes}. A row that named none counts as wrong.",
            citation=label_set(self.labels).citation,
            better="higher",
            unit="share",
            differs="`hit`, which merges labels first, and accuracy over rows that named a label.",
            needs=NEEDS,
        )

    def tally(self, run: Run) -> Sums:
        choices = of_set(run.emotion, self.labels)
        return mean_tally(run, (choices.gold == choices.chosen).astype(np.float64), choices.gold != NONE)


class _F1(Metric):
    """Both means of F1 start from the same table."""

    labels: str

    def tally(self, run: Run) -> Binned:
        return confusion_tally(run, of_set(run.emotion, self.labels), self._mean)

    def _mean(self, table: Floats) -> Floats:
        raise NotImplementedError


@dataclass(frozen=True)
class MacroF1(_F1):
    labels: str

    @property
    def about(self) -> MetricInfo:
        return MetricInfo(
            name=f"macro_f1/{self.labels}",
            definition="F1 of each label, and their mean over the labels that are right or named at least once.",
            citation="the usual definition; as scikit-learn's f1_score(average='macro')",
            better="higher",
            unit="share",
            differs="The mean over all labels of the set, and the F1 of mean precision and mean recall.",
            needs=NEEDS,
        )

    def _mean(self, table: Floats) -> Floats:
        scores, occurs = f1_scores(table), (table.sum(-1) + table[..., :-1].sum(-2)) > 0
        return ratio((scores * occurs).sum(-1), occurs.sum(-1))


@dataclass(frozen=True)
class WeightedF1(_F1):
    labels: str

    @property
    def about(self) -> MetricInfo:
        return MetricInfo(
            name=f"weighted_f1/{self.labels}",
            definition="F1 of each label, and their mean weighted by how often each is the right one.",
            citation="MELD, arXiv 1810.02508; as scikit-learn's f1_score(average='weighted')",
            better="higher",
            unit="share",
            differs="`macro_f1`: rare labels hardly count here.",
            needs=NEEDS,
        )

    def _mean(self, table: Floats) -> Floats:
        support = table.sum(-1)
        return ratio((f1_scores(table) * support).sum(-1), support.sum(-1))


@dataclass(frozen=True)
class Hit(Metric):
    """The class of the label that was named."""

    mapping: str

    @property
    def about(self) -> MetricInfo:
        return MetricInfo(
            name=f"hit/{self.mapping}",
            definition=f"Rows whose named label falls into the class of the right one, by the map {self.mapping}. "
            "A right label without a class is left out; a named one without a class is wrong.",
            citation=f"E3RG, arXiv 2508.12854; map: {map_citation(self.mapping)}",
            better="higher",
            unit="share",
            differs="HIT under another map: the published ones disagree on 14 of 32 labels. `hit_shares` sums shares first.",
            needs="a right ED-32 label that the map has a class for",
        )

    def tally(self, run: Run) -> Sums:
        choices = of_set(run.emotion, "ed32")
        classes = class_of(self.mapping)
        right = classes[choices.gold]
        hits = (choices.chosen != NONE) & (right == classes[choices.chosen])
        return mean_tally(run, hits.astype(np.float64), (choices.gold != NONE) & (right != NONE))


@dataclass(frozen=True)
class HitShares(Metric):
    """The class with the largest sum of shares: better informed than the class of the single likeliest label."""

    mapping: str

    @property
    def about(self) -> MetricInfo:
        return MetricInfo(
            name=f"hit_shares/{self.mapping}",
            definition=f"Rows whose likeliest class is that of the right label: shares of labels are summed by the "
            f"map {self.mapping}.",
            citation=f"Heartfelt, after E3RG, arXiv 2508.12854; map: {map_citation(self.mapping)}",
            better="higher",
            unit="share",
            differs="`hit`, which looks at the one label that was named.",
            needs="a right ED-32 label and a distribution",
        )

    def tally(self, run: Run) -> Sums:
        choices = of_set(run.emotion, "ed32")
        classes = class_of(self.mapping)
        right = classes[choices.gold]
        used = (choices.gold != NONE) & (right != NONE) & has_shares(choices)
        if choices.shares is None:
            return mean_tally(run, np.zeros(len(run)), used)
        member = classes[:, None] == np.arange(classes.max() + 1)
        likeliest = (np.nan_to_num(choices.shares) @ member).argmax(1)
        return mean_tally(run, (likeliest == right).astype(np.float64), used)


# ── the confusion table ─────────────────────────────────────────────────────────────────────────────────────────────


class Confusion(Record):
    """Lines are right labels, columns named ones; the last column is rows that named none."""

    labels: tuple[str, ...]
    table: tuple[tuple[int, ...], ...]
    precision: tuple[float | None, ...]
    """None for a label that was never named."""
    recall: tuple[float | None, ...]
    """None for a label that is never right."""
    f1: tuple[float, ...]


def confusion(run: Run, labels: str) -> Confusion:
    choices = of_set(run.emotion, labels)
    tally = confusion_tally(run, choices, lambda table: table)
    names = label_set(labels).labels
    table = np.bincount(tally.bins, minlength=tally.size).reshape(len(names), len(names) + 1)
    hits = np.diagonal(table)
    return Confusion(
        labels=names,
        table=tuple(tuple(line) for line in table.tolist()),
        precision=_shares(hits, table[:, :-1].sum(0)),
        recall=_shares(hits, table.sum(1)),
        f1=tuple(f1_scores(table.astype(np.float64)).tolist()),
    )


def confusion_tally(run: Run, choices: Choices, finish: Finish) -> Binned:
    """Right label by named label. Without a set there is nothing to count."""
    size = len(choices.labels.labels) if choices.labels else 0
    used = choices.gold != NONE
    named = np.where(choices.chosen == NONE, size, choices.chosen)
    return Binned(
        rows=used_rows(run, used),
        cluster=run.dialogue.codes[used],
        bins=(choices.gold * (size + 1) + named)[used],
        parts=np.ones((1, int(used.sum()))),
        size=size * (size + 1),
        finish=lambda bins: finish(bins.reshape(*bins.shape[:-2], size, size + 1)),
    )


def f1_scores(table: Floats) -> Floats:
    """2·TP / (right + named); 0 for a label that is neither."""
    hits = np.diagonal(table[..., :-1], axis1=-2, axis2=-1)
    return np.nan_to_num(ratio(2 * hits, table.sum(-1) + table[..., :-1].sum(-2)))


def class_of(mapping: str) -> Ints:
    """The class of each ED-32 label as a number, and NONE for one that the map leaves out."""
    found = [project(label, mapping, missing="none") for label in label_set("ed32").labels]
    known = sorted({each for each in found if each})
    return np.array([known.index(each) if each else NONE for each in found], np.int64)


def of_set(choices: Choices, labels: str) -> Choices:
    """The choices, if they are of this set. A run without any label is not of another set: it has nothing to score."""
    wanted: LabelSet = label_set(labels)
    if choices.labels is not None and choices.labels.name != wanted.name:
        raise InputError(
            f"The run's labels are of '{choices.labels.name}' and the metric's of '{wanted.name}'. "
            "Choose the metric for the run's set, or translate the labels first."
        )
    return choices


def has_shares(choices: Choices) -> NDArray[np.bool_]:
    if choices.shares is None:
        return np.zeros(len(choices.gold), bool)
    return np.isfinite(choices.shares.sum(1))


def _shares(hits: Ints, totals: Ints) -> tuple[float | None, ...]:
    return tuple(hit / total if total else None for hit, total in zip(hits.tolist(), totals.tolist(), strict=True))
