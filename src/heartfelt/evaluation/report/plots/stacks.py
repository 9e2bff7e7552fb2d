"""Bars that add up to a whole: who is blamed, how many passes, why a turn stops, where its time goes."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from heartfelt.evaluation.experiments.results import Results
from heartfelt.evaluation.report import told
from heartfelt.evaluation.report.figures import ReportFigures
from heartfelt.evaluation.report.plots.canvas import (
    HATCHES,
    INK,
    LINE,
    PAPER,
    STEPS,
    WIDE,
    PlotPicture,
    canvas,
    drawing,
    plain,
    saved,
)
from heartfelt.evaluation.report.plots.shown import condition_shown, conditions_of, places_shown
from heartfelt.records import Pass

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CLEAR = "none: all passed"
PALE = "#c9bfb2"
Bars = dict[str, dict[str, float]]
"""By bar, then by part."""


def blamed_stack(results: Results, figures: ReportFigures) -> Iterator[PlotPicture]:
    for task in results.experiment.tasks:
        condition = condition_shown(results, figures, task, lambda row: any(made.audit for made in row.passes))
        rows = [row for place in places_shown(results, task, condition) for row in results.answered(place)]
        passes = [(number, made) for row in rows for number, made in enumerate(row.passes) if made.audit]
        if passes:
            caption = (
                f"{condition}. Of the turns that reached a pass, the share in which each step was the earliest faulty one. "
                "The number of turns stands behind the pass."
            )
            yield _stacked(_blamed(passes), f"blamed-step-{told.slug(task)}", f"Which step is blamed: {task}", caption)


def pass_stack(results: Results, _figures: ReportFigures) -> Iterator[PlotPicture]:
    for task in results.experiment.tasks:
        taken: Bars = {}
        stopped: Bars = {}
        for condition in conditions_of(results, task):
            rows = [row for place in places_shown(results, task, condition) for row in results.answered(place) if row.passes]
            if any(made.audit for row in rows for made in row.passes):
                counts = Counter(len(row.passes) for row in rows)
                taken[condition] = {_passes(number): counts[number] / len(rows) for number in sorted(counts)}
                stopped[condition] = {
                    why: count / len(rows) for why, count in sorted(Counter(row.stopped for row in rows).items())
                }
        if taken:
            caption = "Conditions that audit their steps. Above: how many passes a turn took. Below: why it stopped."
            yield _two(taken, stopped, f"passes-{told.slug(task)}", f"Passes: {task}", caption)


def time_stack(results: Results, _figures: ReportFigures) -> Iterator[PlotPicture]:
    for task in results.experiment.tasks:
        bars: Bars = {}
        for condition in conditions_of(results, task):
            times = _times(results, task, condition)
            if any(times.values()):
                bars[condition] = {step: ms / 1000 for step, ms in times.items()}
        if bars:
            caption = "Mean seconds of a turn by step, all passes together. Calls that conditions share count in full for each."
            yield _stacked(bars, f"time-{told.slug(task)}", f"Where the time of a turn goes: {task}", caption, seconds=True)


def _times(results: Results, task: str, condition: str) -> dict[str, float]:
    """Mean milliseconds by step, over the turns that were answered."""
    rows = [row for place in places_shown(results, task, condition) for row in results.rows(place)]
    total: dict[str, float] = {}
    for row in rows:
        for spent in row.spent:
            total[spent.step] = total.get(spent.step, 0.0) + spent.ms
    return {step: ms / len(rows) for step, ms in total.items()}


def _blamed(passes: Sequence[tuple[int, Pass]]) -> Bars:
    steps = list(dict.fromkeys(verdict.step for _, made in passes if made.audit for verdict in made.audit.verdicts))
    bars: Bars = {}
    for number in sorted({number for number, _ in passes}):
        here = [made.audit.blamed or CLEAR for at, made in passes if at == number and made.audit]
        counts = Counter(here)
        bars[f"pass {number + 1}  ({len(here)})"] = {step: counts[step] / len(here) for step in [*steps, CLEAR]}
    return bars


def _passes(number: int) -> str:
    return "1 pass" if number == 1 else f"{number} passes"


def _parts(bars: Bars) -> list[str]:
    parts = list(dict.fromkeys(part for bar in bars.values() for part in bar))
    used = [part for part in parts if any(bar.get(part, 0) > 0 for bar in bars.values())]
    return [*(part for part in used if part != CLEAR), *(part for part in used if part == CLEAR)]


def _stacked(bars: Bars, name: str, title: str, caption: str, *, seconds: bool = False) -> PlotPicture:
    with drawing():
        figure = canvas(WIDE, 0.85 + 0.3 * len(bars))
        _bars(figure.add_subplot(), bars, seconds=seconds)
        return saved(figure, name, title, caption)


def _two(above: Bars, below: Bars, name: str, title: str, caption: str) -> PlotPicture:
    with drawing():
        figure = canvas(WIDE, 1.4 + 0.54 * len(above))
        upper, lower = figure.subplots(2, 1)
        _bars(upper, above, seconds=False)
        _bars(lower, below, seconds=False)
        upper.set_xlabel("")
        return saved(figure, name, title, caption)


def _bars(axes: "Axes", bars: Bars, *, seconds: bool) -> None:
    parts, scale = _parts(bars), 1 if seconds else 100
    whole = max(sum(bar.values()) for bar in bars.values()) * scale
    starts = [0.0] * len(bars)
    for number, part in enumerate(parts):
        sizes = [bar.get(part, 0.0) * scale for bar in bars.values()]
        colour, hatch = (PALE, "") if part == CLEAR else (STEPS[number % 8], HATCHES[(number + number // 8 * 3) % 8])
        axes.barh(
            range(len(bars)),
            sizes,
            left=starts,
            height=0.68,
            color=colour,
            hatch=hatch,
            edgecolor=PAPER,
            linewidth=0.8,
            label=part,
        )
        for row, (start, size) in enumerate(zip(starts, sizes, strict=True)):
            if size > 0.06 * whole:
                _number(axes, start + size / 2, row, f"{size:.1f}" if seconds else f"{size:.0f}")
        starts = [start + size for start, size in zip(starts, sizes, strict=True)]
    _ends(axes, bars, parts, seconds=seconds)


def _number(axes: "Axes", at: float, row: int, text: str) -> None:
    """On a patch of paper, so that no hatch runs through it."""
    paper = {"facecolor": "#ffffff", "edgecolor": "none", "boxstyle": "round,pad=0.15", "alpha": 0.88}
    axes.text(at, row, text, ha="center", va="center", fontsize=8, color="#2c2621", bbox=paper)


def _ends(axes: "Axes", bars: Bars, parts: list[str], *, seconds: bool) -> None:
    axes.set_yticks(range(len(bars)), list(bars))
    axes.set_ylim(len(bars) - 0.5, -0.5)
    axes.set_xlabel("seconds" if seconds else "% of turns")
    if not seconds:
        axes.set_xlim(0, 100)
    plain(axes, grid="x" if seconds else "")
    axes.spines["left"].set_visible(False)
    axes.spines["bottom"].set_color(LINE)
    axes.legend(
        loc="lower left", bbox_to_anchor=(0, 1.0), ncols=min(len(parts), 6), frameon=False, handlelength=1.4, handleheight=1.0,
        columnspacing=1.2, borderaxespad=0.2, labelcolor=INK,
    )  # fmt: skip
