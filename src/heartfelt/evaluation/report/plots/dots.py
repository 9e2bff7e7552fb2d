"""Figures with their intervals, a panel for each: what two conditions share is seen before it is computed."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from heartfelt.evaluation.experiments.results import Results
from heartfelt.evaluation.report import told
from heartfelt.evaluation.report.figures import ConditionLine, Reported, ReportFigures
from heartfelt.evaluation.report.plots.canvas import (
    BLUE,
    INK,
    LINE,
    PAPER,
    RUST,
    SOFT,
    WIDE,
    PlotPicture,
    canvas,
    drawing,
    plain,
    saved,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ACROSS = 4
"""Panels beside each other."""
MARKS = ("D", "s", "^", "v")


def figure_dots(_results: Results, figures: ReportFigures) -> Iterator[PlotPicture]:
    for number, table in enumerate(figures.tables, 1):
        shown = [
            place for place in range(len(table.columns)) if any(line.cells[place].value is not None for line in table.lines)
        ]
        if shown:
            yield _drawn(table, shown, f"figures-{number}-{told.slug(table.task)}")


def _drawn(table: Reported, shown: list[int], name: str) -> PlotPicture:
    across = 3 if len(shown) in (5, 6, 9) else min(ACROSS, len(shown))
    down = -(-len(shown) // across)
    with drawing():
        figure = canvas(WIDE, down * (0.55 + 0.23 * len(table.lines)) + 0.25)
        panels = figure.subplots(down, across, squeeze=False, sharey=True)
        for place, axes in zip(shown, panels.flat, strict=False):
            _panel(axes, table, place)
        for axes in list(panels.flat)[len(shown) :]:
            axes.set_axis_off()
        panels[0, 0].set_yticks(range(len(table.lines)), [line.name for line in table.lines])
        panels[0, 0].set_ylim(len(table.lines) - 0.5, -0.5)
        if table.published:
            figure.legend(*_legend(table), loc="outside lower left", frameon=False, ncols=1)
        return saved(figure, name, f"{table.title}: {table.task}", _caption(table))


def _panel(axes: "Axes", table: Reported, place: int) -> None:
    column = table.columns[place]
    scale = 100 if column.unit == "share" else 0.001 if column.unit == "ms" else 1
    base = next((line.cells[place].value for line in table.lines if line.is_baseline), None)
    if base is not None:
        axes.axvline(base * scale, color=SOFT, linewidth=0.8, linestyle=(0, (3, 3)), zorder=1)
    for row, line in enumerate(table.lines):
        _dot(axes, line, place, row, scale)
        for number, published in enumerate(table.published):
            value = published.of(line.place.condition, column)
            if value is not None:
                axes.plot(
                    value * scale, row + 0.24, MARKS[number % 4], markersize=5, markerfacecolor="none", color=RUST, zorder=3
                )
    unit = told.unit_of(column.unit)
    axes.set_title(f"{column.name}, {unit}" if unit and unit != column.name else column.name, loc="left")
    plain(axes, grid="x")
    axes.spines["left"].set_visible(False)
    axes.spines["bottom"].set_color(LINE)
    axes.margins(x=0.12)
    axes.locator_params(axis="x", nbins=4)


def _dot(axes: "Axes", line: ConditionLine, place: int, row: int, scale: float) -> None:
    """Filled where it differs from the baseline beyond chance, or is the baseline; else pale inside."""
    cell = line.cells[place]
    if cell.value is None:
        axes.text(0.5, row, "–", ha="center", va="center", color=SOFT, transform=axes.get_yaxis_transform())
        return
    colour = INK if line.is_baseline else BLUE
    if cell.low is not None and cell.high is not None:
        axes.plot(
            [cell.low * scale, cell.high * scale], [row, row], color=colour, linewidth=1.4, solid_capstyle="butt", zorder=2
        )
    told_apart = line.is_baseline or cell.against is None or cell.against.beyond_chance
    inside = colour if told_apart else PAPER
    axes.plot(cell.value * scale, row, "o", markersize=5.5, markerfacecolor=inside, color=colour, zorder=4)


def _legend(table: Reported):
    from matplotlib.lines import Line2D

    marks = [
        Line2D([], [], linestyle="", marker=MARKS[number % 4], markersize=5, markerfacecolor="none", color=RUST)
        for number in range(len(table.published))
    ]
    return marks, [each.source + (" (another protocol)" if each.differs else "") for each in table.published]


def _caption(table: Reported) -> str:
    words = "Dots are figures, lines their 95 % intervals over dialogues."
    if table.against:
        words += (
            f" The dashed line is {table.against}. A filled dot differs from it beyond chance, after correction for all "
            "comparisons of the table; a hollow one cannot be told apart from it."
        )
    if table.published:
        words += " Hollow marks below a line are published figures."
    return words
