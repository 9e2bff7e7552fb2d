"""`heartfelt memory`: exemplars that replies learn from."""

from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from heartfelt.cli.console import err, out
from heartfelt.errors import UsageError
from heartfelt.memory import ExemplarStore, Guard, MiniLM, starter
from heartfelt.memory import build as build_memory

app = typer.Typer(help="Exemplars that replies learn from: build, search.", no_args_is_help=True)


@app.command()
def build(
    source: Annotated[Path, typer.Argument(help="A dialogue file or a folder of them.")],
    *,
    to: Annotated[Path, typer.Option("--to", help="The memory to make or to add to.")],
    scored: Annotated[list[str] | None, typer.Option("--scored", help="A split that will be scored: refused here.")] = None,
) -> None:
    """Build a memory from dialogues. Interrupted, it goes on where it stopped."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True) as bar, ExemplarStore(to, MiniLM()) as store:
        task = bar.add_task("remembering")
        built = build_memory(
            source,
            store,
            scored=frozenset(scored or ()),
            progress=lambda done, total: bar.update(task, completed=done, total=total),
        )
    out.print(str(built), markup=False)


@app.command()
def search(
    text: str,
    *,
    memory: Annotated[Path | None, typer.Option("--memory", help="A memory that you built; without: the starter.")] = None,
    emotion: Annotated[str | None, typer.Option("--emotion", help="Prefer exemplars of this emotion.")] = None,
    top_k: Annotated[int, typer.Option("--top-k")] = 3,
) -> None:
    """What would be recalled for a text."""
    if memory is not None and not memory.is_file():
        raise UsageError(f"There is no memory at {memory}. Build one with: heartfelt memory build FILE --to {memory}")
    store = ExemplarStore(memory, MiniLM()) if memory else starter(MiniLM())
    for found in store.search(text, emotion=emotion, k=top_k, threshold=0.0, guard=Guard()):
        out.print(f"{found.similarity:.2f} {found.match:7} {found.emotion:13} {found.situation} → {found.reply}", markup=False)
