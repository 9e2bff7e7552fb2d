"""The report as one page: it holds everything, fetches nothing, and reads on a phone, a wide screen and paper."""

from collections.abc import Sequence
from functools import cache
from typing import Any, cast

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from heartfelt.evaluation.report import told
from heartfelt.evaluation.report.figures import ConditionLine, FigureCell, Reported, ReportFigures
from heartfelt.evaluation.report.plots import PlotPicture, inlined
from heartfelt.evaluation.report.samples import Sample
from heartfelt.page.render import _policy, _script

MARKS = {"better": "▲", "worse": "▼", "more": "▲", "less": "▼", "the same": "=", "not told apart": "≈"}
"""Beside the word, never instead of it."""


def page(figures: ReportFigures, pictures: Sequence[PlotPicture] = (), samples: Sequence[Sample] = ()) -> str:
    """The whole page as text."""
    drawn = [{"picture": picture, "svg": Markup(inlined(picture))} for picture in pictures]  # drawn here, from no foreign text
    return (
        _environment()
        .get_template("report.html")
        .render(
            figures=figures, drawn=drawn, samples=samples, policy=_policy(played=False), tasks={each.task for each in samples}
        )
    )


def summary(figures: ReportFigures) -> list[str]:
    """The report in a few sentences: what stands beyond chance, but for costs, which always differ."""
    found: list[str] = []
    for table in figures.tables:
        for verdict in ("better", "worse", "more", "less"):
            names = [f"{line.name} ({stand})" for line in table.lines if (stand := _standing(table, line, verdict))]
            if names:
                found.append(f"{table.title}, {table.task}: {verdict} than {table.against} beyond chance: {', '.join(names)}.")
    return found


def _standing(table: Reported, line: ConditionLine, verdict: str) -> str:
    """The figures of a line that differ in this way, each with its difference."""
    pairs = zip(table.columns, line.cells, strict=True)
    stand = [
        (column, cell.against)
        for column, cell in pairs
        if cell.against and cell.against.verdict == verdict and not column.metric.startswith("cost/")
    ]
    return ", ".join(
        f"{column.name} {told.apart(each.compared.difference, column.unit, column.name)}" for column, each in stand
    )


def _scaled(table: Reported, place: int, number: float | None) -> float:
    """Where in its column's range a number lies, in per cent: for the little bars of the table."""
    cells = [line.cells[place] for line in table.lines]
    ends = [end for cell in cells for end in (cell.low, cell.high, cell.value) if end is not None]
    low, high = (min(ends), max(ends)) if ends else (0.0, 1.0)
    if number is None or high == low:
        return 50.0
    return round(4 + 92 * (number - low) / (high - low), 2)


def _p_words(cell: FigureCell) -> str:
    if cell.against is None:
        return ""
    text = told.chance(cell.against.compared.adjusted_p or 0.0)
    return f"p {text}" if text.startswith("<") else f"p = {text}"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=ChoiceLoader([PackageLoader("heartfelt.evaluation.report"), PackageLoader("heartfelt.page")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters, names = cast(dict[str, Any], environment.filters), cast(dict[str, Any], environment.globals)
    filters.update(count=told.count, chance=told.chance, slug=told.slug)
    names.update(told=told, scaled=_scaled, p_words=_p_words, marks=MARKS, summary=summary, script=Markup(_script()))
    return environment
