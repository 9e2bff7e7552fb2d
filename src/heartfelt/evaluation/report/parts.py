"""Groups that a system serves worse than the others: by emotion, length of the dialogue, and profile where there is one."""

from collections.abc import Iterator, Sequence

from heartfelt.errors import HeartfeltError
from heartfelt.evaluation.experiments.answered import GridPlace
from heartfelt.evaluation.experiments.results import Results
from heartfelt.evaluation.report.columns import Heading, the_metric
from heartfelt.evaluation.statistics.slices import Slice, sliced
from heartfelt.records import Record

BY = ("emotion", "turns", "age", "gender", "timbre")
TIMES = 1000
"""Resamples of a group: the tests take their spread, which needs fewer than the ends of an interval do."""


class WeakGroup(Record):
    """A group on which a figure is worse than on the rest of the same run."""

    task: str
    line: str
    column: str
    unit: str
    slice: Slice


def worse_parts(
    results: Results, tables: Sequence[tuple[str, tuple[Heading, ...]]], *, names: dict[GridPlace, str]
) -> tuple[list[WeakGroup], int]:
    """Those, and how many groups were tested at all. Conditions on fewer dialogues are too few to be told apart by group."""
    found: list[WeakGroup] = []
    tested = 0
    for place in (each for each in results.places if results.condition(each).limit is None):
        for column in _columns(place.task, tables):
            for each in _slices(results, place, column):
                tested += each.p is not None
                if each.worse:
                    line = names.get(place, place.condition)
                    found.append(WeakGroup(task=place.task, line=line, column=column.name, unit=column.unit, slice=each))
    return sorted(found, key=lambda part: part.slice.p or 0.0), tested


def _columns(task: str, tables: Sequence[tuple[str, tuple[Heading, ...]]]) -> Iterator[Heading]:
    """What says how well a person was served: no variety of the whole corpus, no length, no cost."""
    seen: set[tuple[str, str]] = set()
    for column in (each for asked, columns in tables if asked == task for each in columns):
        serves = column.better != "neither" and not column.grows_with_text and not column.metric.startswith("cost/")
        if serves and (column.metric, column.of) not in seen:
            seen.add((column.metric, column.of))
            yield column


def _slices(results: Results, place: GridPlace, column: Heading) -> Iterator[Slice]:
    try:
        metric = the_metric(column.metric)
        run = results.run(place, metric, "reply" if column.of == "reply" else "speaker")
    except HeartfeltError:  # the table says why there is no figure
        return
    for by in BY:
        try:
            yield from sliced(metric, run, by, times=TIMES)
        except HeartfeltError:  # no row has this property
            continue
