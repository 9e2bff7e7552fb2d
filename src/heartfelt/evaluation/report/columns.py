"""Which figures a table has: those that the experiment names, or the ones that fit what was asked."""

from dataclasses import replace
from functools import cache

from heartfelt.errors import UnknownName
from heartfelt.evaluation.experiments.experiment import ReportTable, TableColumn
from heartfelt.evaluation.experiments.results import Results
from heartfelt.evaluation.metrics.catalogue import metric_named
from heartfelt.evaluation.metrics.encoders import MiniLMTokens
from heartfelt.evaluation.metrics.matching import BertScore, Kept
from heartfelt.evaluation.metrics.metric import Metric
from heartfelt.labels import LABEL_SETS
from heartfelt.records import Record

USUAL = (
    TableColumn(metric="dist_corpus-1/lower-whitespace", name="Dist-1"),
    TableColumn(metric="dist_corpus-2/lower-whitespace", name="Dist-2"),
)
NEAR = TableColumn(metric="bertscore_f1/all-MiniLM-L6-v2/layer=6/even", name="BERTScore F1")
LAST = (
    TableColumn(metric="length/lower-words", name="length"),
    TableColumn(metric="cost/calls", name="calls"),
    TableColumn(metric="cost/ms", name="time"),
)


class Heading(Record):
    """A column with what is known of its metric."""

    metric: str
    name: str
    of: str = "speaker"
    unit: str = ""
    better: str = "neither"
    definition: str = ""
    citation: str = ""
    differs: str = ""
    grows_with_text: bool = False


def tables_of(results: Results) -> list[tuple[ReportTable, str]]:
    """Each table with each of its tasks, in the order of the experiment."""
    plan = results.experiment
    if plan.tables:
        return [(table, task) for table in plan.tables for task in table.tasks or plan.tasks]
    return [
        (ReportTable(title="Figures", columns=usual_columns(results, task), against=_first(results, task)), task)
        for task in plan.tasks
    ]


def usual_columns(results: Results, task: str) -> tuple[TableColumn, ...]:
    """Variety, the right emotion in the gold's own label set, nearness to what was answered, length and cost."""
    gold = [item.gold for item in results.items.get(task, {}).values()]
    labels = next((each.labels for each in gold if each.emotion), "")
    emotions = [TableColumn(metric=f"accuracy/{labels}", name="accuracy")] if labels in LABEL_SETS else []
    if labels == "ed32":
        emotions.append(TableColumn(metric=f"hit/{results.experiment.tasks[task].mapping}", name="HIT"))
    near = [NEAR] if any(each.reference for each in gold) else []
    return (*USUAL, *emotions, *near, *LAST)


def heading(column: TableColumn) -> Heading:
    found = Heading(metric=column.metric, name=column.name or column.metric, of=column.of)
    try:
        about = the_metric(column.metric).about
    except UnknownName:
        return found
    known = ("unit", "better", "definition", "citation", "differs", "grows_with_text")
    return found.model_copy(update={field: getattr(about, field) for field in known})


# ── metrics by name ─────────────────────────────────────────────────────────────────────────────────────────────────


@cache
def the_metric(name: str) -> Metric:
    """The metric of that name, with one encoder for all of them."""
    found = metric_named(name)
    if isinstance(found, BertScore) and found.weights == "even" and isinstance(found.encoder, MiniLMTokens):
        return replace(found, encoder=_encoder(), kept=_NEARNESS)
    return found


@cache
def _encoder() -> MiniLMTokens:
    """One for all metrics: opening it takes longer than most runs take to score."""
    return MiniLMTokens()


_NEARNESS: Kept = {}
"""Intervals, tests and slices ask for the same pairs again."""


def _first(results: Results, task: str) -> str:
    return next(iter(results.experiment.asked_of(task)), "")
