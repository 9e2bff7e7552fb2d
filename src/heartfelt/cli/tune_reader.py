"""`heartfelt tune reader`: fit the reader that tells which emotion a drawn face shows."""

from pathlib import Path
from typing import Annotated

import typer

from heartfelt.cli.console import err, out


def reader(
    *,
    target: Annotated[Path, typer.Option("--out", "-o", help="Where the weights go.")] = Path("reader.json"),
    people: Annotated[int, typer.Option("--people", min=2, max=1000, help="How many people by chance it is fitted on.")] = 24,
) -> None:
    """Fit the reader of drawn faces on people by chance, none of them a ready identity. Minutes on two cores."""
    from heartfelt.expression.proof.fitting import fit_reader  # slow to import, and no other command needs it

    looks = fit_reader(range(1, people + 1), target, lambda seed: err.print(f"seed {seed} of {people}", style="dim"))
    out.print(f"{target}: fitted on {looks} looks of {people} people.", markup=False)
