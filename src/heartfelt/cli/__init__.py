"""The command line. Exit codes: 0 done, 2 wrong use, 3 the turn failed, 4 something is missing or damaged, 130 interrupted."""

import os
import sys
from collections.abc import Callable
from io import TextIOWrapper
from typing import Annotated

import typer

from heartfelt.cli.console import complain, err, failure
from heartfelt.cli.lazy import LazyGroup
from heartfelt.errors import HeartfeltError, StoreError, UsageError
from heartfelt.version import VERSION

app = typer.Typer(
    name="heartfelt",
    cls=LazyGroup,
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
            from heartfelt.models.seam import canonical

            print(canonical(failure(error)))
        complain(error)
        return error.exit_code


def _run() -> int:
    if os.environ.get("HEARTFELT_RECIPES"):
        from heartfelt.recipes import load_own

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
