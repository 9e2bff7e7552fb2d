"""`heartfelt faults`: faults of known step and kind are planted into good passes. Are they blamed, and are they mended?"""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from heartfelt.cli import options as o
from heartfelt.cli.console import err, out
from heartfelt.models.seam import canonical

if TYPE_CHECKING:
    from heartfelt.evaluation.faults.figures import AuditFigures
    from heartfelt.evaluation.faults.trial import Trial
    from heartfelt.evaluation.tasks.protocol import Protocol
    from heartfelt.setup import Setup

WIDTH = 110
"""The least that the widest table needs: in a file it is not cut."""


def faults(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder that holds the corpus.")],
    *,
    dataset: Annotated[str, typer.Option("--dataset", help="Which corpus: one of `heartfelt data list`.")],
    split: Annotated[str, typer.Option("--split", help="Without: the one that is scored.")] = "",
    recipe: o.RecipeName = "heartfelt",
    model: o.ModelAddress = "embedded:",
    memory: o.MemoryName = "starter",
    carried: Annotated[
        bool, typer.Option("--carried", help="Make the steps after a fault again on top of it, as in a real turn.")
    ] = False,
    limit: Annotated[int, typer.Option("--limit", min=1, help="How many dialogues.")] = 100,
    seed: Annotated[int, typer.Option("--seed", help="Which dialogues, which faults, and the words drawn by chance.")] = 0,
    to: Annotated[Path, typer.Option("--out", "-o", help="Where trials and figures go; a stopped run goes on.")] = Path(
        "out/faults"
    ),
    as_json: o.AsJson = False,
) -> None:
    """Plant faults into good passes: how often is the earliest faulty step blamed and mended, and a good pass left alone?"""
    from heartfelt.datasets import dataset as known
    from heartfelt.evaluation.tasks.protocol import Protocol
    from heartfelt.safety.settings import Safety
    from heartfelt.setup import Setup

    split = known(dataset).split_named(split or known(dataset).test)
    protocol = Protocol(task="audit", dataset=dataset, split=split, recipe=o.check_recipe(recipe), limit=limit, seed=seed)
    off = Safety(on=False)
    setup = Setup(recipe=recipe, model=model, memory=memory, scored=(protocol.scored,), seed=seed, safety=off)
    found = asyncio.run(_run(folder, protocol, setup, to, carried=carried))
    if as_json:
        print(canonical(found.model_dump(mode="json")))
    else:
        _show(found, to)


async def _run(folder: Path, protocol: "Protocol", setup: "Setup", to: Path, *, carried: bool) -> "AuditFigures":
    from heartfelt.evaluation.faults.figures import figures
    from heartfelt.evaluation.faults.passes import passes
    from heartfelt.evaluation.faults.run import FaultsFolder, run
    from heartfelt.listener import Listener

    found, place = passes(folder, protocol)._replace(carried=carried), FaultsFolder(to)
    async with Listener(setup) as listener:
        trials = await run(place, found, listener, _told)
    made = figures(trials)
    place.finish(made)
    return made


def _told(trial: "Trial", done: int, of: int, left: float) -> None:
    due, blamed = trial.culprit or "none", (trial.blamed[0] if trial.blamed else None) or "none"
    mark = "!" if trial.failed else "✓" if due == blamed else "✗"
    told = trial.failed.message if trial.failed else f"to blame {due}, blamed {blamed}{_became(trial)}"
    err.print(f"{mark} {done}/{of} {trial.item}: {told} · {_time(left)} left", style="dim", markup=False, soft_wrap=True)


def _became(trial: "Trial") -> str:
    if trial.repaired:
        return ", repaired"
    return ", made worse" if trial.worse else ""


def _time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"


def _show(found: "AuditFigures", to: Path) -> None:
    from heartfelt.evaluation.faults.tables import tables

    failed = f", {found.failed} more failed" if found.failed else ""
    out.print(f"{found.trials} passes of {found.dialogues} dialogues: {found.faulty} faulty, {found.clean} clean{failed}")
    out.print("95 % intervals over dialogues; · is not defined\n", style="dim")
    wide = Console(highlight=False, width=max(out.width, WIDTH))
    for table in tables(found):
        wide.print(table)
        wide.print()
    out.print(f"Written: {to / 'faults.json'}", markup=False, style="dim")
