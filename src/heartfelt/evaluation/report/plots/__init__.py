"""Plots of a run, by name. Each is drawn for print and for the page, in colours and marks that everyone can tell apart.

| name | shows |
|---|---|
| `figures` | each figure of a table by condition, with its interval; a publication's as a hollow mark |
| `tone by emotion`, `stance by emotion` | how the plan answers the emotion that was forecast |
| `blamed step` | which step the audit blames, pass by pass |
| `passes` | how many passes turns take, and why they stop |
| `time` | where the time of a turn goes |
| `confusion` | which emotion is taken for which |
| `calibration` | how often the forecast is right where it is so sure |
"""

from collections.abc import Callable, Iterator

from heartfelt.errors import UnknownName
from heartfelt.evaluation.experiments.results import Results
from heartfelt.evaluation.report.figures import ReportFigures
from heartfelt.evaluation.report.plots.canvas import PlotPicture, inlined, needs_drawing, saved
from heartfelt.evaluation.report.plots.dots import figure_dots
from heartfelt.evaluation.report.plots.heat import confusion_heat, stance_heat, tone_heat
from heartfelt.evaluation.report.plots.stacks import blamed_stack, pass_stack, time_stack
from heartfelt.evaluation.report.plots.trust import calibration_curve

Draw = Callable[[Results, ReportFigures], Iterator[PlotPicture]]
PLOTS: dict[str, Draw] = {
    "figures": figure_dots,
    "tone by emotion": tone_heat,
    "stance by emotion": stance_heat,
    "blamed step": blamed_stack,
    "passes": pass_stack,
    "time": time_stack,
    "confusion": confusion_heat,
    "calibration": calibration_curve,
}


def pictures(results: Results, figures: ReportFigures) -> Iterator[PlotPicture]:
    """Those that the experiment asks for, or all that the run has something to show for."""
    needs_drawing()
    names = results.experiment.plots or tuple(PLOTS)
    for name in names:
        if name not in PLOTS:
            raise UnknownName("plot", name, PLOTS, where=f"the experiment '{results.experiment.name}'")
    for name in names:
        yield from PLOTS[name](results, figures)


__all__ = ["PLOTS", "PlotPicture", "inlined", "pictures", "saved"]
