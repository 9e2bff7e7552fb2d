"""The command line. Exit codes: 0 done, 2 wrong use, 3 the turn failed, 4 something is missing or damaged, 130 interrupted."""

import os
import sys
from collections.abc import Callable
from io import TextIOWrapper
from typing import Annotated

import typer

from heartfelt.cli import (
    chat,
    compare,
    data,
    doctor,
    evaluate,
    export,
    faults,
    forget,
    identities,
    judge,
    memory,
    models,
    prove,
    rate,
    replay,
    report,
    respond,
    screen,
    sense,
    serve,
    show,
    speak,
    token,
    tune,
)
from heartfelt.cli.console import complain, err, failure
from heartfelt.errors import HeartfeltError, StoreError, UsageError
from heartfelt.models.seam import canonical
from heartfelt.recipes import load_own
from heartfelt.version import VERSION

app = typer.Typer(
    name="heartfelt",
    help="Answers a person with empathy, in steps that anyone can inspect.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    epilog="Exit codes: 0 done · 2 wrong use · 3 the turn failed · 4 something is missing or damaged · 130 interrupted",
)
INTERRUPTED = 130
_Misuse: type[typer.BadParameter] = typer.BadParameter.__bases__[0]  # type: ignore[assignment]
"""What typer raises for any option or argument that does not fit."""

app.command("respond")(respond.respond)
app.command("speak")(speak.speak)
app.command("sense")(sense.sense)
app.command("screen")(screen.screen)
app.command("identities")(identities.identities)
app.command("prove")(prove.prove)
app.command("evaluate")(evaluate.evaluate)
app.command("report")(report.report)
app.command("compare")(compare.compare)
app.command("judge")(judge.judge)
app.command("faults")(faults.faults)
app.command("chat")(chat.chat)
app.command("serve")(serve.serve)
app.command("export")(export.export)
app.command("forget")(forget.forget)
app.command("replay")(replay.replay)
app.command("show")(show.show)
app.command("doctor")(doctor.doctor)
app.add_typer(rate.app, name="rate")
app.add_typer(models.app, name="models")
app.add_typer(memory.app, name="memory")
app.add_typer(data.app, name="data")
app.add_typer(tune.app, name="tune")
app.add_typer(token.app, name="token")


def _version(wanted: bool) -> None:
    if wanted:
        print(f"heartfelt {VERSION}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the release.")] = False,
) -> None:
    """Answers a person with empathy, in steps that anyone can inspect."""


def main() -> None:
    """The entry point: every foreseen failure is one clear message and an exit code, never a stack of frames."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        code = _told(_run)
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output went away, as `head` does
        code = _quietly(141)
    except OSError as error:
        complain(StoreError(f"{error.filename or 'The output'} cannot be read or written: {error.strerror}."))
        code = _quietly(StoreError.exit_code)
    sys.exit(code)


def _told(run: Callable[[], int]) -> int:
    """The exit code, after a failure was put into words."""
    try:
        return run()
    except HeartfeltError as error:
        if "--json" in sys.argv and not error.told:
            print(canonical(failure(error)))
        complain(error)
        return error.exit_code


def _run() -> int:
    load_own()
    try:
        code = app(standalone_mode=False)
    except _Misuse as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            error.show()
            return UsageError.exit_code
        command = error.ctx.command_path if error.ctx else "heartfelt"
        raise UsageError(f"{error.format_message().rstrip('.')}. See: {command} --help") from None
    except SystemExit as end:  # so typer ends when the reader of our output went away
        raise (end.__context__ or end) from None
    if code == INTERRUPTED:
        err.print("Interrupted.")
    return code if isinstance(code, int) else 0


def _quietly(code: int) -> int:
    """Nothing more can be printed: what still waits to be must not complain when Python ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return code
