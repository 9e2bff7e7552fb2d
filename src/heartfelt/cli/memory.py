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
    split: Annotated[str | None, typer.Option("--split", help="The split of rows that do not name their own.")] = None,
    scored: Annotated[list[str] | None, typer.Option("--scored", help="A split that will be scored: refused here.")] = None,
) -> None:
    """Build a memory from dialogues. Interrupted, it goes on where it stopped."""
    if not source.exists():
        raise UsageError(f"There is nothing at {source}. Give a dialogue file or a folder of them.")
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True) as bar, ExemplarStore(to, MiniLM()) as store:
        task = bar.add_task("remembering")
        built = build_memory(
            source,
            store,
            split=split,
            scored=frozenset(scored or ()),
            progress=lambda done, total: bar.update(task, completed=done, total=total),
        )
    out.print(f"{built.added} exemplars remembered from {built.dialogues} dialogues in {built.files} files: {to}", markup=False)
    if built.bad:
        err.print(f"{built.bad} rows could not be used, the first: {built.problems[0]}", style="yellow", markup=False)


@app.command()
def search(
    text: Annotated[str, typer.Argument(help="What a person says.")],
    *,
    memory: Annotated[Path | None, typer.Option("--memory", help="A memory that you built; without: the starter.")] = None,
    emotion: Annotated[str | None, typer.Option("--emotion", help="Prefer exemplars of this emotion.")] = None,
    top_k: Annotated[int, typer.Option("--top-k", help="How many.")] = 3,
) -> None:
    """What would be recalled for a text."""
    if memory is not None and not memory.is_file():
        raise UsageError(f"There is no memory at {memory}. Build one with: heartfelt memory build FILE --to {memory}")
    store = ExemplarStore(memory, MiniLM()) if memory else starter(MiniLM())
    for found in store.search(text, emotion=emotion, k=top_k, threshold=0.0, guard=Guard()):
        out.print(f"{found.similarity:.2f} {found.match:7} {found.emotion:13} {found.situation} → {found.reply}", markup=False)
