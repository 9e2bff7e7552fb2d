"""The command line. Exit codes: 0 done, 2 wrong use, 3 the turn failed, 4 something is missing or damaged, 130 interrupted."""

import sys
from typing import Annotated

import typer

from heartfelt.cli import chat, doctor, memory, models, replay, respond, show
from heartfelt.cli.console import complain, failure
from heartfelt.errors import HeartfeltError
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
app.command("respond")(respond.respond)
app.command("chat")(chat.chat)
app.command("replay")(replay.replay)
app.command("show")(show.show)
app.command("doctor")(doctor.doctor)
app.add_typer(models.app, name="models")
app.add_typer(memory.app, name="memory")


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
    try:
        load_own()
        app()
    except HeartfeltError as error:
        if "--json" in sys.argv and not error.told:
            print(canonical(failure(error)))
        complain(error)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        sys.stderr.write("\nInterrupted.\n")
        sys.exit(130)
    except BrokenPipeError:  # the reader of our output went away, as `head` does
        sys.stderr.close()
        sys.exit(141)
