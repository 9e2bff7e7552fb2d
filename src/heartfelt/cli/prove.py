"""`heartfelt prove`: whether the emotion arrives in voice and face, over many people and sentences."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from heartfelt.cli.console import err, out
from heartfelt.errors import UsageError

if TYPE_CHECKING:
    from heartfelt.expression.proof.grid import FilmCell

_ALL = 8


def prove(
    *,
    folder: Annotated[
        Path, typer.Option("--out", "-o", help="Where the films and their measures go; a stopped run goes on.")
    ] = Path("out/proof"),
    who: Annotated[list[str] | None, typer.Option("--identity", help="Instead of the first eight; may be repeated.")] = None,
    intensity: Annotated[float, typer.Option("--intensity", "-i", help="From at rest (0) to full (1).")] = 1.0,
) -> None:
    """Film every identity with seven emotions and two sentences, and compare what was intended with what is recognised."""
    if not 0 < intensity <= 1:
        raise UsageError(f"An intensity of {intensity} proves nothing: give a number above 0 and up to 1.")
    # slow to import, and no other command needs it
    from heartfelt.expression.persona import persona_named, personas
    from heartfelt.expression.proof.grid import ProofGrid

    people = [persona_named(name) for name in who or list(personas())[:_ALL]]
    cells = ProofGrid(folder, intensity=intensity).run(people, _told)
    _print(cells, intensity)


def _told(cell: "FilmCell") -> None:
    right = "✓" if cell.recognised == cell.intended else "✗"
    err.print(
        f"{right} {cell.persona:8} {cell.emotion:9} {cell.sentence} seen as {cell.recognised:9} {cell.offset * 1000:+.0f} ms",
        style="dim",
    )


def _print(cells: "list[FilmCell]", intensity: float) -> None:
    from heartfelt.expression.proof import grid

    people = {cell.persona for cell in cells}
    said = f"{len(people)} identities × {len(grid.EMOTIONS)} emotions × {len(grid.SENTENCES)} sentences at {intensity:.0%}"
    out.print(f"{said}; 95 % intervals over whole people, then the number of cases\n")
    same = grid.likeness(cells)
    out.print(f"face   recognised as intended        {grid.face_rate(cells)}", markup=False)
    out.print(f"       by the face network alone     {grid.network_rate(cells)}", markup=False)
    out.print(f"voice  changed as intended           {grid.voice_rate(cells)}", markup=False)
    out.print(f"step   mouth after sound {grid.whole_offset(cells) * 1000:+.0f} ms over all", markup=False)
    out.print(f"       within ±40 ms, both sentences {grid.step_rate(cells)}", markup=False)
    out.print(f"       within ±40 ms, each alone     {grid.film_step_rate(cells)}", markup=False)
    out.print(
        f"voice  likeness within a person {same.same:.3f} (lowest {same.same_lowest:.3f}), between people {same.different:.3f} "
        f"(highest {same.different_highest:.3f}): margin {same.margin:.3f}, equal error rate {same.equal_error_rate:.3f}",
        markup=False,
    )
    drift, own = grid.faces(cells)
    out.print(
        f"face   build within a person {drift.same:.2f} (highest {drift.same_highest:.2f}), between people "
        f"{drift.different:.2f} (lowest {drift.different_lowest:.2f}) hundredths of the distance between the eyes; "
        f"nearest to its own person {own:.3f}\n",
        markup=False,
    )
    out.print(_table(grid.confusion(cells)))


def _table(counts: dict[str, dict[str, int]]) -> Table:
    table = Table(
        box=None, pad_edge=False, header_style="bold", title="intended (rows) against recognised", title_justify="left"
    )
    table.add_column("")
    for label in counts:
        table.add_column(label, justify="right")
    for label, row in counts.items():
        table.add_row(label, *(str(row.get(other, "·")) for other in counts))
    return table
