"""How far a forecast's confidence can be trusted."""

from collections.abc import Iterator

import numpy as np

from heartfelt.evaluation.experiments.answered import GridPlace
from heartfelt.evaluation.experiments.results import Results
from heartfelt.evaluation.metrics.recognition import has_shares
from heartfelt.evaluation.metrics.run import NONE, Floats
from heartfelt.evaluation.report import told
from heartfelt.evaluation.report.figures import ReportFigures
from heartfelt.evaluation.report.plots.canvas import BLUE, SOFT, PlotPicture, canvas, drawing, plain, saved
from heartfelt.evaluation.report.plots.shown import condition_shown, places_shown
from heartfelt.evaluation.statistics.interval import wilson
from heartfelt.records import Forecast

BINS = 10


def calibration_curve(results: Results, figures: ReportFigures) -> Iterator[PlotPicture]:
    for task in results.experiment.tasks:
        condition = condition_shown(results, figures, task, lambda row: bool(row.best and _shares(row.best.find(Forecast))))
        found = [_sure(results, place) for place in places_shown(results, task, condition)] if condition else []
        sure = np.concatenate([each for each, _ in found]) if found else np.zeros(0)
        right = np.concatenate([each for _, each in found]) if found else np.zeros(0)
        if len(sure):
            yield _drawn(sure, right, task, condition)


def _shares(forecast: Forecast | None) -> bool:
    return forecast is not None and bool(forecast.distribution)


def _sure(results: Results, place: GridPlace) -> tuple[Floats, Floats]:
    """How sure the forecast was of its likeliest label, and whether that was right."""
    choices = results.run(place).emotion
    used = (choices.gold != NONE) & has_shares(choices)
    if choices.shares is None or not used.any():
        return np.zeros(0), np.zeros(0)
    shares = choices.shares[used]
    return shares.max(1), (shares.argmax(1) == choices.gold[used]).astype(np.float64)


def _drawn(sure: Floats, right: Floats, task: str, condition: str) -> PlotPicture:
    bins = np.minimum((sure * BINS).astype(int), BINS - 1)
    kept = [number for number in range(BINS) if (bins == number).any()]
    counts = np.array([(bins == number).sum() for number in kept])
    x = np.array([sure[bins == number].mean() for number in kept])
    y = np.array([right[bins == number].mean() for number in kept])
    with drawing():
        figure = canvas(3.5, 3.4)
        axes = figure.add_subplot(
            xlim=(0, 100), ylim=(0, 100), aspect="equal", xlabel="how sure, %", ylabel="how often right, %"
        )
        axes.plot([0, 100], [0, 100], color=SOFT, linewidth=0.8, linestyle=(0, (3, 3)))
        low, high = zip(*(wilson(share, count) for share, count in zip(y, counts, strict=True)), strict=True)
        axes.vlines(100 * x, 100 * np.array(low), 100 * np.array(high), color=BLUE, linewidth=1.4)
        axes.scatter(100 * x, 100 * y, s=14 + 160 * counts / counts.sum(), color=BLUE, zorder=3, linewidth=0, clip_on=False)
        plain(axes)
        axes.tick_params(labelcolor=SOFT)
        caption = (
            f"{condition}, {told.count(len(sure))} turns in {BINS} bins; the area of a dot is its number of turns, lines are "
            "95 % intervals (Wilson). On the dashed line it is right as often as it is sure."
        )
        return saved(figure, f"calibration-{told.slug(task)}", f"Sure and right: {task}", caption)
