"""Tables in which depth of colour is a share: plans by emotion, and emotions taken for each other."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from heartfelt.errors import HeartfeltError
from heartfelt.evaluation.experiments.answered import AnsweredRow
from heartfelt.evaluation.experiments.results import Results
from heartfelt.evaluation.report import told
from heartfelt.evaluation.report.figures import ReportFigures
from heartfelt.evaluation.report.plots.canvas import BLUE, INK, LINE, WIDE, PlotPicture, canvas, drawing, saved
from heartfelt.evaluation.report.plots.shown import condition_shown, places_shown
from heartfelt.labels import label_set, translate
from heartfelt.records import Forecast, Plan

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST = 12
"""Classes that a heat map can hold and still be read; finer labels are merged by the task's map."""
NONE = "none"
Counts = dict[str, Counter[str]]


def tone_heat(results: Results, _figures: ReportFigures) -> Iterator[PlotPicture]:
    return _plans(results, "tone", lambda plan: plan.tone)


def stance_heat(results: Results, _figures: ReportFigures) -> Iterator[PlotPicture]:
    return _plans(results, "stance", lambda plan: plan.stance)


def confusion_heat(results: Results, figures: ReportFigures) -> Iterator[PlotPicture]:
    for task in results.experiment.tasks:
        condition = condition_shown(results, figures, task, lambda row: _named(results, row) is not None)
        pairs = [pair for row in _rows(results, task, condition) if (pair := _named(results, row))]
        if pairs:
            counts: Counts = {}
            for right, chosen in pairs:
                counts.setdefault(right, Counter())[chosen] += 1
            order = _order({*counts, *(name for line in counts.values() for name in line)})
            caption = (
                f"{condition}, {told.count(len(pairs))} turns. Lines are what was felt, columns what was forecast; "
                "each line adds up to 100 %. The frame marks what is right."
            )
            name = f"confusion-{told.slug(task)}"
            yield _drawn(counts, order, name, f"Which emotion is taken for which: {task}", caption, square=True)


def _plans(results: Results, dimension: str, read: Callable[[Plan], str]) -> Iterator[PlotPicture]:
    for task in results.experiment.tasks:
        condition = _planning(results, task)
        counts: Counts = {}
        for row in _rows(results, task, condition):
            best = row.best
            plan, forecast = (best.find(Plan), best.find(Forecast)) if best else (None, None)
            if plan and forecast:
                counts.setdefault(_class(results, task, forecast.emotion, forecast.labels), Counter())[read(plan)] += 1
        if counts:
            columns = [name for name, _ in sum(counts.values(), Counter[str]()).most_common()]
            total = sum(sum(line.values()) for line in counts.values())
            caption = f"{condition}, {told.count(total)} turns (their number behind the emotion). Each line adds up to 100 %."
            name = f"{dimension}-by-emotion-{told.slug(task)}"
            yield _drawn(counts, columns, name, f"{dimension.capitalize()} of the plan by forecast emotion: {task}", caption)


def _planning(results: Results, task: str) -> str:
    return condition_shown(results, None, task, lambda row: row.best is not None and row.best.find(Plan) is not None)


def _rows(results: Results, task: str, condition: str) -> Iterator[AnsweredRow]:
    for place in places_shown(results, task, condition):
        yield from (row for row in results.answered(place) if row.failed is None)


def _named(results: Results, row: AnsweredRow) -> tuple[str, str] | None:
    """The right emotion and the forecast one, in classes that fit a picture."""
    gold, forecast = results.item(row).gold, row.best.find(Forecast) if row.best else None
    if forecast is None or not gold.emotion:
        return None
    task = row.place.task
    mapping = results.experiment.tasks[task].mapping
    same = translate(forecast.emotion, forecast.labels, gold.labels, via=mapping, missing="none")
    return _class(results, task, gold.emotion, gold.labels), _class(results, task, same, gold.labels) if same else NONE


def _class(results: Results, task: str, label: str, labels: str) -> str:
    try:
        if len(label_set(labels).labels) <= MOST:
            return label
        return translate(label, labels, "coarse", via=results.experiment.tasks[task].mapping, missing="none") or NONE
    except HeartfeltError:  # a label of the model's own
        return label


def _order(names: set[str]) -> list[str]:
    return [*sorted(names - {NONE}), *sorted(names & {NONE})]


def _drawn(counts: Counts, columns: Sequence[str], name: str, title: str, caption: str, *, square: bool = False) -> PlotPicture:
    lines = [each for each in (columns if square else _order(set(counts))) if each in counts]
    with drawing():
        figure = canvas(min(WIDE, 1.5 + 0.72 * len(columns)), 0.75 + 0.3 * len(lines))
        axes = figure.add_subplot(xlim=(0, len(columns)), ylim=(len(lines), 0))
        for row, line in enumerate(lines):
            total = sum(counts[line].values())
            for column, each in enumerate(columns):
                _square(axes, column, row, counts[line][each] / total, framed=square and each == line)
        _labels(axes, lines, columns, counts)
        return saved(figure, name, title, caption)


def _square(axes: "Axes", column: int, row: int, share: float, *, framed: bool) -> None:
    """One hue, laid on as thick as the share: it reads the same on white and on black paper, and in grey."""
    from matplotlib.patches import Rectangle

    axes.add_patch(Rectangle((column + 0.02, row + 0.03), 0.96, 0.94, facecolor=BLUE, alpha=0.03 + 0.92 * share, linewidth=0))
    if framed:
        axes.add_patch(Rectangle((column + 0.04, row + 0.06), 0.92, 0.88, fill=False, edgecolor=INK, linewidth=0.9))
    if share > 0:
        colour = "#ffffff" if share > 0.62 else INK
        axes.text(column + 0.5, row + 0.52, f"{100 * share:.0f}", ha="center", va="center", fontsize=8.5, color=colour)


def _labels(axes: "Axes", lines: Sequence[str], columns: Sequence[str], counts: Counts) -> None:
    turned = max(len(each) for each in columns) > 9 or len(columns) > 9
    axes.xaxis.tick_top()
    axes.set_xticks(
        [each + 0.5 for each in range(len(columns))], columns, rotation=35 if turned else 0, ha="left" if turned else "center"
    )
    axes.set_yticks(
        [each + 0.5 for each in range(len(lines))], [f"{line}  ({sum(counts[line].values())})" for line in lines], va="center"
    )
    axes.tick_params(length=0, labelcolor=INK)
    axes.spines[:].set_visible(False)
    axes.spines["bottom"].set_color(LINE)
