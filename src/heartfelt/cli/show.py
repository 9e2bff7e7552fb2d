"""`heartfelt show`: a trace in the terminal, or as a page."""

from pathlib import Path
from typing import Annotated

import typer

from heartfelt.cli.console import err, out
from heartfelt.cli.progress import Progress
from heartfelt.events import Audited, PassStarted, Performed, Screened, StepFinished
from heartfelt.files import writing
from heartfelt.page import write_page
from heartfelt.trace import Trace


def show(
    trace: Annotated[Path, typer.Argument(help="A trace.jsonl.")],
    *,
    html: Annotated[Path | None, typer.Option("--html", help="Write the page here instead.")] = None,
) -> None:
    """Show a trace in the terminal, or write it as a page."""
    recorded = Trace.read(trace)
    if html is not None:
        with writing(html):
            write_page(recorded, html, trace.parent)
        err.print(f"Wrote {html}", style="dim", soft_wrap=True)
        return
    tell(recorded)


def tell(recorded: Trace) -> None:
    """The dialogue, the passes and the choice, as the turn would have printed them."""
    for turn in recorded.start.dialogue.turns:
        out.print(f"{turn.speaker}: {turn.text}", markup=False)
    printed = Progress(out)
    if recorded.alert is not None:
        printed(Screened(alert=recorded.alert))
    for made in recorded.passes:
        printed(PassStarted(number=made.number, started_from=made.started_from, instruction=made.instruction))
        for record in made.steps:
            if record.made_in == made.number:
                printed(StepFinished(number=made.number, record=record))
        if made.audit is not None:
            printed(Audited(number=made.number, audit=made.audit))
    if recorded.guarded is not None:
        printed(recorded.guarded)
    if recorded.performance is not None:
        printed(Performed(performance=recorded.performance))
    if recorded.finished is not None:
        out.print(f"\n{recorded.finished.reply}", markup=False)
        out.print(recorded.finished.why_chosen, style="dim")
    elif recorded.failed is not None:
        out.print(f"\nFailed: {recorded.failed.message}", markup=False)
    else:
        out.print("\nThe turn was not finished.")
