"""`heartfelt replay`: run a recorded turn again, whole or from a step, as it was or with a step edited."""

from pathlib import Path
from typing import Annotated

import typer

from heartfelt.cli import options as o
from heartfelt.cli.console import err
from heartfelt.cli.respond import run_turn
from heartfelt.edits import Edit
from heartfelt.records import Outcome
from heartfelt.trace import Trace


def replay(
    trace: Annotated[Path, typer.Argument(help="A trace.jsonl.")],
    *,
    start: Annotated[str | None, typer.Option("--from", help="Keep the steps before this one.")] = None,
    edits: Annotated[
        list[str] | None, typer.Option("--set", help="STEP.FIELD=VALUE: edit a step and see what follows; may be repeated.")
    ] = None,
    model: Annotated[str | None, typer.Option("--model", "-m", help="Another model than the recorded one.")] = None,
    out_folder: o.OutFolder = None,
    as_json: o.AsJson = False,
) -> None:
    """Run a recorded turn again, whole or from a step, as it was or with a step edited."""
    recorded = Trace.read(trace)
    setup = recorded.setup if model is None else recorded.setup.model_copy(update={"model": model})
    changes = tuple(Edit.parse(edit) for edit in edits or ())
    dialogue = recorded.start.dialogue
    if start is None and not changes:
        outcome = run_turn(setup, lambda listener, seen: listener.answer(dialogue, observers=seen), out_folder, as_json=as_json)
        _compare(recorded, outcome)
        return
    best = recorded.best
    run_turn(
        setup,
        lambda listener, seen: listener.answer_again(dialogue, best, start=start, edits=changes, observers=seen),
        out_folder,
        as_json=as_json,
    )


def _compare(recorded: Trace, outcome: Outcome) -> None:
    """Say whether the records are the same: at temperature 0, or with the same seed, they should be."""
    was = [[record.output for record in made.steps] for made in recorded.passes]
    now = [[record.output for record in made.steps] for made in outcome.passes]
    err.print("The records are the same as in the trace." if was == now else "The records differ from the trace.", style="dim")
