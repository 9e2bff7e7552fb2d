"""Reports: from a run folder to tables with intervals and tests, plots, and one page."""

from heartfelt.evaluation.report.figures import ConditionLine, FigureCell, Reported, ReportFigures, figures
from heartfelt.evaluation.report.html import page
from heartfelt.evaluation.report.kept import KeptResults
from heartfelt.evaluation.report.markdown import markdown
from heartfelt.evaluation.report.pairs import PairedDifference
from heartfelt.evaluation.report.plots import PLOTS, PlotPicture, pictures
from heartfelt.evaluation.report.samples import Sample, samples
from heartfelt.evaluation.report.versus import Versus, versus
from heartfelt.evaluation.report.write import write_figures, write_report

__all__ = [
    "PLOTS",
    "ConditionLine",
    "FigureCell",
    "KeptResults",
    "PairedDifference",
    "PlotPicture",
    "ReportFigures",
    "Reported",
    "Sample",
    "Versus",
    "figures",
    "markdown",
    "page",
    "pictures",
    "samples",
    "versus",
    "write_figures",
    "write_report",
]
