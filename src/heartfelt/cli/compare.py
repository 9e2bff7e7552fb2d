"""`heartfelt compare`: two conditions on the same items, and whether anything between them is more than chance."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from heartfelt.cli.console import out
from heartfelt.errors import UsageError
from heartfelt.models.seam import canonical

if TYPE_CHECKING:
    from heartfelt.evaluation.report.versus import Against, Versus


def compare(
    which: Annotated[list[str], typer.Argument(metavar="RUN A B | RUN:A RUN:B", help="Two conditions of a run, or of two.")],
    *,
    task: Annotated[str, typer.Option("--task", help="Only this one; without: all that both were asked.")] = "",
    metric: Annotated[list[str] | None, typer.Option("--metric", help="Instead of the tables' own; may be repeated.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document instead of a table.")] = False,
) -> None:
    """Each figure of both, their difference with its interval, a permutation test, and what the sample can show at all."""
    sides = _sides(which)
    # slow to import, and no other command needs it
    from heartfelt.evaluation.experiments.folder import RunFolder
    from heartfelt.evaluation.report.kept import KeptResults
    from heartfelt.evaluation.report.versus import versus

    read = {run: KeptResults(RunFolder.existing(Path(run))) for run in dict.fromkeys(run for run, _ in sides)}
    a, b = ((read[run], condition) for run, condition in sides)
    found = versus(a, b, task=task, metrics=metric or ())
    if as_json:
        print(canonical([each.model_dump(mode="json") for each in found]))
        return
    for each in found:
        _tell(each)


def _sides(which: list[str]) -> list[tuple[str, str]]:
    """The run and the condition of each side."""
    if len(which) == 3:
        return [(which[0], which[1]), (which[0], which[2])]
    parted = [each.rpartition(":") for each in which]
    if len(which) != 2 or not all(run and condition for run, _, condition in parted):
        raise UsageError("Give a run and two of its conditions (RUN A B), or a run and a condition twice (RUN:A RUN:B).")
    return [(run, condition) for run, _, condition in parted]


def _tell(versus: "Versus") -> None:
    out.print(f"{versus.task}: {versus.a} against {versus.b}, over {versus.items} items that both answered", markup=False)
    if versus.only_a or versus.only_b:
        left = f"{versus.only_a} that only {versus.a} answered and {versus.only_b} that only {versus.b} did"
        out.print(f"Left out: {left}.", style="dim", markup=False)
    if versus.warning:
        out.print(versus.warning, style="bold", markup=False)
    out.print(_table(versus), soft_wrap=False)
    for each in versus.figures:
        said = each.difference.sentence if each.difference else each.note
        out.print(f"· {each.column.name}: {said}", markup=False, style="dim")
    out.print()


def _table(versus: "Versus") -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("")
    for name in (versus.a, versus.b, "difference", "95 % interval", "p", "p (Holm)", "least found"):
        table.add_column(name, justify="right")
    table.add_column("verdict")
    for each in versus.figures:
        table.add_row(*_row(each))
    return table


def _row(each: "Against") -> list[str]:
    from heartfelt.evaluation.report import told

    found, unit = each.difference, each.column.unit
    name = f"{each.column.name}, {told.unit_of(unit)}" if unit and told.unit_of(unit) != each.column.name else each.column.name
    if found is None:
        return [name, *["–"] * 7, "no figure"]
    compared = found.compared
    adjusted = 1.0 if compared.adjusted_p is None else compared.adjusted_p
    return [
        name,
        told.value(compared.a, unit),
        told.value(compared.b, unit),
        told.difference(compared.difference, unit),
        told.ends(compared.low, compared.high, unit),
        told.chance(compared.p),
        told.chance(adjusted),
        told.value(found.detectable.difference, unit),
        found.verdict,
    ]
