"""Reports: from a run folder to tables with intervals and tests, plots, and one page."""

from heartfelt.evaluation.report.figures import figures
from heartfelt.evaluation.report.kept import KeptResults
from heartfelt.evaluation.report.write import write_report

__all__ = ["KeptResults", "figures", "write_report"]
