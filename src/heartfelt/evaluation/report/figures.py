"""Figures of a run: every table with each of its tasks, each cell with its interval or the reason why it is empty."""

from collections.abc import Iterator

from heartfelt.errors import HeartfeltError, InputError
from heartfelt.evaluation.experiments.answered import GridPlace
from heartfelt.evaluation.experiments.experiment import ReportTable, TableColumn
from heartfelt.evaluation.experiments.results import Results
from heartfelt.evaluation.metrics.metric import Metric, measure
from heartfelt.evaluation.report import told
from heartfelt.evaluation.report.asked import ReportRequest, what_was_asked
from heartfelt.evaluation.report.columns import Heading, heading, tables_of, the_metric
from heartfelt.evaluation.report.pairs import PairedDifference, difference, judged, reason
from heartfelt.evaluation.report.parts import WeakGroup, worse_parts
from heartfelt.evaluation.statistics.interval import interval
from heartfelt.records import Record

FORMAT = 1
"""Of `metrics.json`: it grows whenever a field changes its meaning."""


class FigureCell(Record):
    """One figure of one condition, or why there is none."""

    metric: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    level: float | None = None
    method: str = ""
    """How the interval was found."""
    rows: int = 0
    """Those that had what the metric needs."""
    left_out: int = 0
    dialogues: int = 0
    note: str = ""
    """Why there is no figure, no interval, or no comparison."""
    against: PairedDifference | None = None


class ConditionLine(Record):
    """A condition, once for each model and seed."""

    name: str
    place: GridPlace
    answered: int
    failed: int
    is_baseline: bool
    cells: tuple[FigureCell, ...]


class Elsewhere(Record):
    """What a publication says of the conditions of a table."""

    source: str
    differs: str
    """How its way of measuring is another; empty: it is the same."""
    figures: dict[str, dict[str, float]]
    """By condition, then by the column's name."""

    def of(self, condition: str, column: Heading) -> float | None:
        found = self.figures.get(condition, {})
        return found.get(column.name, found.get(column.metric))


class Reported(Record):
    """A table of one task."""

    title: str
    task: str
    against: str
    columns: tuple[Heading, ...]
    lines: tuple[ConditionLine, ...]
    published: tuple[Elsewhere, ...]
    notes: tuple[str, ...]


class ReportFigures(Record):
    """All that `metrics.json` holds."""

    format: int = FORMAT
    experiment: str
    about: str
    cites: str
    asked: ReportRequest
    tables: tuple[Reported, ...]
    parts: tuple[WeakGroup, ...]
    """Groups on which a figure is worse than on the rest, beyond chance."""
    parts_tested: int


def figures(results: Results) -> ReportFigures:
    """All figures of a run; one clear message where nothing was answered yet."""
    plan = results.experiment
    if not results.places:
        raise InputError(
            f"The run at {results.folder.path} holds no row yet, so there is nothing to report. "
            f"Go on with: heartfelt evaluate {results.folder.path}/experiment.json --out {results.folder.path}"
        )
    tables = [reported(results, table, task) for table, task in tables_of(results)]
    kept = tuple(table for table in tables if table.lines)
    parts, tested = worse_parts(results, [(table.task, table.columns) for table in kept], names=_names(kept))
    return ReportFigures(
        experiment=plan.name,
        about=plan.about,
        cites=plan.cites,
        asked=what_was_asked(results),
        tables=kept,
        parts=tuple(parts),
        parts_tested=tested,
    )


def reported(results: Results, table: ReportTable, task: str) -> Reported:
    """One table of one task, its comparisons corrected for how many there are."""
    places = [
        each for each in results.places if each.task == task and (not table.conditions or each.condition in table.conditions)
    ]
    common = asked_of_all(results, places)
    lines = _corrected([_line(results, table, place, places, common) for place in places])
    columns = tuple(heading(column) for column in table.columns)
    return Reported(
        title=table.title,
        task=task,
        against=table.against if any(place.condition == table.against for place in places) else "",
        columns=columns,
        lines=tuple(lines),
        published=tuple(
            Elsewhere(source=each.source, differs=each.differs, figures=each.figures)
            for each in table.published
            if not each.tasks or task in each.tasks
        ),
        notes=tuple(_notes(columns, lines)),
    )


def asked_of_all(results: Results, places: list[GridPlace]) -> set[str] | None:
    """The items that every line of a table was asked; None: all. Beside an ablation on fewer, the whole is cut to those."""
    asked = [{row.item for row in results.answered(place)} for place in places]
    if not asked or all(each == asked[0] for each in asked):
        return None
    return set.intersection(*asked) or None


def line_name(place: GridPlace, others: list[GridPlace]) -> str:
    """The condition, and its model and seed where there are several."""
    models, seeds = {each.model for each in others}, {each.seed for each in others}
    more = [place.model.rstrip(":")] * (len(models) > 1) + [f"seed {place.seed}"] * (len(seeds) > 1)
    return " · ".join([place.condition, *more])


def _line(
    results: Results, table: ReportTable, place: GridPlace, places: list[GridPlace], common: set[str] | None
) -> ConditionLine:
    rows = [row for row in results.answered(place) if common is None or row.item in common]
    failed = sum(row.failed is not None for row in rows)
    base = place.model_copy(update={"condition": table.against})
    against = base if table.against and place != base and base in places else None
    return ConditionLine(
        name=line_name(place, places),
        place=place,
        answered=len(rows) - failed,
        failed=failed,
        is_baseline=bool(table.against) and place == base,
        cells=tuple(_cell(results, column, place, against, common) for column in table.columns),
    )


def _cell(
    results: Results, column: TableColumn, place: GridPlace, against: GridPlace | None, common: set[str] | None
) -> FigureCell:
    try:
        metric = the_metric(column.metric)
        cell = _figure(results, metric, column, place, common)
    except HeartfeltError as error:
        return FigureCell(metric=column.metric, note=reason(error))
    if against is None:
        return cell
    try:
        found = difference(metric, column.of, (results, place), (results, against))
    except HeartfeltError as error:
        return cell.model_copy(update={"note": cell.note or f"Not compared with {against.condition}: {reason(error)}"})
    return cell.model_copy(update={"against": found})


def _figure(results: Results, metric: Metric, column: TableColumn, place: GridPlace, common: set[str] | None) -> FigureCell:
    """The figure alone where there is too little for an interval."""
    run = results.run(place, metric, column.of, among=common)
    figure = measure(metric, run)
    cell = FigureCell(
        metric=column.metric, value=figure.value, rows=figure.rows, left_out=figure.left_out, dialogues=figure.dialogues
    )
    try:
        found = interval(metric, run)
    except HeartfeltError as error:
        return cell.model_copy(update={"note": reason(error)})
    ends = {"low": found.low, "high": found.high, "level": found.level, "method": found.method}
    return cell.model_copy(update=ends)


def _corrected(lines: list[ConditionLine]) -> list[ConditionLine]:
    tested = iter(judged([cell.against for line in lines for cell in line.cells if cell.against]))
    return [
        line.model_copy(
            update={
                "cells": tuple(
                    cell.model_copy(update={"against": next(tested)}) if cell.against else cell for cell in line.cells
                )
            }
        )
        for line in lines
    ]


def _notes(columns: tuple[Heading, ...], lines: list[ConditionLine]) -> Iterator[str]:
    """What a reader must know before comparing two figures by eye."""
    for place, column in enumerate(columns):
        cells = [line.cells[place] for line in lines]
        if column.grows_with_text and len({cell.rows for cell in cells if cell.value is not None}) > 1:
            yield (
                f"{column.name} changes with the amount of text, and the lines have different numbers of replies: "
                "compare them by their tests, which take the items that both answered."
            )
        for note in dict.fromkeys(cell.note for cell in cells if cell.note):
            names = [line.name for line, cell in zip(lines, cells, strict=True) if cell.note == note]
            yield f"{column.name}, {_joined(names, len(lines))}: {note}"
        yield from _could_show(column, cells)


def _could_show(column: Heading, cells: list[FigureCell]) -> Iterator[str]:
    """What the sample can show at all: the range over the comparisons of a column."""
    least = [cell.against.detectable for cell in cells if cell.against and cell.against.detectable.difference > 0]
    if not least:
        return
    sizes = sorted(each.difference for each in least)
    low, high = (told.value(size, column.unit) for size in (sizes[0], sizes[-1]))
    size = low if low == high else f"{low} to {high}"
    most = max(each.n for each in least)
    yield (
        f"{column.name}: with {told.count(most)} dialogues a difference must be at least {size} {_points(column.unit)} "
        "to be found four times out of five."
    )


def _points(unit: str) -> str:
    return "points" if unit == "share" else told.unit_of(unit)


def _joined(names: list[str], of: int) -> str:
    return "all lines" if len(names) == of and of > 1 else ", ".join(names)


def _names(tables: tuple[Reported, ...]) -> dict[GridPlace, str]:
    return {line.place: line.name for table in tables for line in table.lines}
