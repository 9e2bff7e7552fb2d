"""`heartfelt identities`: who could answer."""

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from heartfelt.cli import options as o
from heartfelt.cli.console import err, out
from heartfelt.errors import UsageError
from heartfelt.models.seam import canonical


def identities(
    *,
    sheet: Annotated[Path | None, typer.Option("--sheet", help="Draw them all into this picture (.png or .jpg).")] = None,
    seeds: Annotated[list[int] | None, typer.Option("--seed", help="Somebody by chance, too; may be repeated.")] = None,
    as_json: o.AsJson = False,
) -> None:
    """List the identities that come with Heartfelt, and draw them with seven emotions."""
    from heartfelt.expression.persona import persona_from, personas  # slow to import, and no other command needs it

    people = [*personas().values(), *(persona_from(seed) for seed in seeds or ())]
    if sheet is not None and sheet.suffix.lower() not in (".png", ".jpg"):
        raise UsageError(f"'{sheet}' cannot be drawn: give a name that ends in .png or .jpg.")
    if as_json:
        print(canonical([person.model_dump(mode="json") for person in people]))
    else:
        table = Table(box=None, pad_edge=False, header_style="bold")
        for column in ("name", "profile", "voice", "who"):
            table.add_column(column)
        for person in people:
            profile = f"{person.identity.age}, {person.identity.gender}, {person.identity.timbre} ({person.identity.number})"
            table.add_row(person.name, profile, person.voice.name, person.about)
        out.print(table)
    if sheet is not None:
        from heartfelt.expression.sheet import draw_sheet

        with err.status("[dim]drawing"):
            draw_sheet(people, sheet)
        err.print(f"Sheet: {sheet}", style="dim", markup=False)
