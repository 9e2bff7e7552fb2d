"""From a run folder to its report: figures, tables, plots and the page, each whole or not at all."""

from pathlib import Path

from heartfelt.evaluation.experiments.folder import RunFolder
from heartfelt.evaluation.report.figures import ReportFigures, figures
from heartfelt.evaluation.report.html import page
from heartfelt.evaluation.report.kept import KeptResults
from heartfelt.evaluation.report.markdown import markdown
from heartfelt.evaluation.report.plots import pictures
from heartfelt.evaluation.report.plots.canvas import needs_drawing
from heartfelt.evaluation.report.samples import samples as sampled


def write_figures(folder: RunFolder, *, out: Path | None = None) -> ReportFigures:
    """`metrics.json` and `report.md`, in the run's own folder or in another."""
    return _figures(KeptResults(folder), out)


def write_report(folder: RunFolder, *, samples: bool = True, out: Path | None = None) -> Path:
    """All of it; the path of the page."""
    needs_drawing()
    results, target = KeptResults(folder), RunFolder(out or folder.path)
    found = _figures(results, out)
    drawn = list(pictures(results, found))
    for picture in drawn:
        target.write(f"plots/{picture.name}.svg", picture.svg)
        target.write(f"plots/{picture.name}.png", picture.png)
    return target.write("report.html", page(found, drawn, sampled(results) if samples else ()))


def _figures(results: KeptResults, out: Path | None) -> ReportFigures:
    found, target = figures(results), RunFolder(out or results.folder.path)
    target.write("metrics.json", found.model_dump_json(indent=1))
    target.write("report.md", markdown(found))
    return found
