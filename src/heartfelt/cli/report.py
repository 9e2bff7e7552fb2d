"""`heartfelt report`: what came out of a run, as tables, and with `--html` as plots and a page."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from heartfelt.cli.console import err, out
from heartfelt.errors import UsageError

if TYPE_CHECKING:
    from heartfelt.evaluation.report.figures import FigureCell, Reported, ReportFigures


def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN…", help="Folders that heartfelt evaluate wrote.")],
    *,
    html: Annotated[bool, typer.Option("--html", help="Write the page and its plots too.")] = False,
    folder: Annotated[Path | None, typer.Option("--out", "-o", help="Where to write, instead of into the run.")] = None,
    no_samples: Annotated[bool, typer.Option("--no-samples", help="No dialogues of the corpus on the page.")] = False,
) -> None:
    """Figures with intervals and tests, in the terminal and as metrics.json and report.md; with --html plots and a page."""
    if no_samples and not html:
        raise UsageError("--no-samples is about the page. Give --html too.")
    # slow to import, and no other command needs it
    from heartfelt.evaluation.experiments.folder import RunFolder
    from heartfelt.evaluation.report.write import write_figures, write_report

    for run in runs:
        existing = RunFolder.existing(run)
        target = folder / run.resolve().name if folder and len(runs) > 1 else folder
        if html:
            err.print(f"Wrote {write_report(existing, samples=not no_samples, out=target)}", style="dim", soft_wrap=True)
        else:
            _tell(write_figures(existing, out=target))
            err.print(f"Wrote {(target or run) / 'metrics.json'} and report.md", style="dim", soft_wrap=True)


def _tell(figures: "ReportFigures") -> None:
    asked = figures.asked
    out.print(f"{figures.experiment}: {asked.rows} of {asked.planned} rows, {asked.failed} without an answer", markup=False)
    if not asked.finished:
        out.print("This run is not finished: its figures will change.", style="bold")
    for table in figures.tables:
        out.print()
        out.print(_table(table), soft_wrap=False)
        for each in table.published:
            if each.differs:
                out.print(f"◇ {each.source} has another protocol: {each.differs}.", markup=False)
        for note in table.notes:
            out.print(f"· {note}", markup=False, style="dim")
    for part in figures.parts:
        found = f"{part.slice.by} {part.slice.name} is worse than the rest by {part.column}"
        out.print(f"! {part.task}, {part.line}: {found} ({part.slice.dialogues} dialogues)", markup=False)


def _table(table: "Reported") -> Table:
    from heartfelt.evaluation.report import told

    against = f", ▲ better and ▼ worse than {table.against} beyond chance" if table.against else ""
    drawn = Table(
        box=None, pad_edge=False, header_style="bold", title=f"{table.title}: {table.task}{against}", title_justify="left"
    )
    drawn.add_column("")
    for column in table.columns:
        unit = told.unit_of(column.unit)
        drawn.add_column(f"{column.name}, {unit}" if unit and unit != column.name else column.name, justify="right")
    for line in table.lines:
        drawn.add_row(line.name, *(_cell(cell, column.unit) for cell, column in zip(line.cells, table.columns, strict=True)))
        for each in table.published:
            theirs = [(each.of(line.place.condition, column), column.unit) for column in table.columns]
            if any(value is not None for value, _ in theirs):
                cells = ("" if value is None else told.value(value, unit) for value, unit in theirs)
                drawn.add_row(f"  ◇ {each.source}", *cells, style="dim")
    return drawn


def _cell(cell: "FigureCell", unit: str) -> str:
    from heartfelt.evaluation.report import told
    from heartfelt.evaluation.report.html import MARKS

    if cell.value is None:
        return "–"
    mark = f" {MARKS[cell.against.verdict]}" if cell.against and cell.against.beyond_chance else ""
    ends = "" if cell.low is None or cell.high is None else f" ({told.ends(cell.low, cell.high, unit)})"
    return f"{told.signed(cell.value, unit)}{ends}{mark}"
