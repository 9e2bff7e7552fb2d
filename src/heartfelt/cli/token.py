"""`heartfelt token`: who may use a shared server."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from heartfelt.cli.console import err, out

app = typer.Typer(help="Who may use a shared server: add, list, remove. See `serve --tokens`.", no_args_is_help=True)

Name: TypeAlias = Annotated[str, typer.Argument(help="Whose token it is: up to 40 letters, digits, hyphens and underscores.")]
File: TypeAlias = Annotated[Path, typer.Option("--file", envvar="HEARTFELT_TOKENS", help="The token file.")]


@app.command()
def add(name: Name, *, file: File) -> None:
    """Print a new token. The file keeps only its SHA-256, so nobody can look it up again."""
    from heartfelt.server import tokens

    token = tokens.add(file, name)
    out.print(token, markup=False)
    err.print(f"This is {name}'s token. It is shown this once: hand it over in a way that nobody else reads.", style="dim")


@app.command("list")
def listed(*, file: File) -> None:
    """Print the names that have a token."""
    from heartfelt.server import tokens

    for name in tokens.names(file):
        out.print(name, markup=False)


@app.command()
def remove(name: Name, *, file: File) -> None:
    """Let somebody in no longer, at once. Their sessions stay; a new token for the same name finds them again."""
    from heartfelt.server import tokens

    tokens.remove(file, name)
    err.print(f"{name}'s token is worth nothing any more.", style="dim", markup=False)
