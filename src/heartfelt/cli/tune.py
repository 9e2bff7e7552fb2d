"""`heartfelt tune`: an adapter of your own for the embedded model."""

import json
import time
from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from heartfelt.cli import options as o
from heartfelt.cli import tune_danger, tune_senses, tune_words
from heartfelt.cli.console import err, out
from heartfelt.errors import UnknownName, UsageError
from heartfelt.models import open_model
from heartfelt.models.embedded import EmbeddedModel
from heartfelt.tuning import stages
from heartfelt.tuning.card import rows
from heartfelt.tuning.folder import Folder, opened

HELP = """\
Train an adapter of your own for the embedded model, from published corpora or from your own dialogues.

Without a command: everything in order, skipping what is done. Interrupted, the same command goes on where it stopped. Needs the
extra: `pip install 'heartfelt[tune]'`.
"""
EPILOG = "Try the whole way first, in minutes: `heartfelt tune --data DIR --licence LICENCE --small --run toy`"
app = typer.Typer(help=HELP, epilog=EPILOG, invoke_without_command=True, rich_markup_mode="markdown")

QUIET = 30.0
"""Seconds between two lines of progress where there is no terminal to draw a bar on."""
WIDTH = 10
_training, _adapter = (partial(typer.Option, rich_help_panel=panel) for panel in ("Training", "Adapter"))

Run: TypeAlias = Annotated[Path, typer.Option("--run", help="The folder of the run. Everything is written there.")]
Data: TypeAlias = Annotated[
    Path | None,
    typer.Option("--data", help="The folder of the corpora and of your own dialogues. Remembered by the run."),
]
Seed: TypeAlias = Annotated[int | None, typer.Option("--seed", help="Seed of all that is drawn by chance.")]
Small: TypeAlias = Annotated[
    bool, typer.Option("--small", help="A toy: a few dialogues, a minute of training. To see the way, not to be used.")
]
Again: TypeAlias = Annotated[
    bool, typer.Option("--again", help="Throw away what the stage made before, and do it again.", show_default=False)
]
Teachers: TypeAlias = Annotated[
    int | None,
    _training(
        "--teachers",
        min=0,
        max=6,
        help="Networks that first judge the labels; 6 let two judge each dialogue, 0 leaves them out.",
    ),
]
Epochs: TypeAlias = Annotated[float | None, _training("--epochs", min=0.01, help="How often all examples are read.")]
Rate: TypeAlias = Annotated[float | None, _training("--rate", min=1e-7, max=1, help="The highest learning rate.")]
Rank: TypeAlias = Annotated[
    int | None, _training("--rank", min=1, max=512, help="The adapter's rank: more learns more and is larger.")
]
Rows: TypeAlias = Annotated[
    int | None, _training("--rows", min=1, help="Rows of packed examples in a step; fewer need less memory.")
]
Seconds: TypeAlias = Annotated[float | None, _training("--seconds", min=1, help="End the training after so long.")]
Licence: TypeAlias = Annotated[
    str | None,
    _adapter(
        "--licence", help="Under which the adapter may be used, such as CC-BY-NC-4.0. The data decides: read its licence."
    ),
]
Name: TypeAlias = Annotated[str | None, _adapter("--name", help="The adapter's name; without: the folder's.")]
Turns: TypeAlias = Annotated[int | None, _adapter("--turns", min=1, help="Turns of each set that are measured, at most.")]
Replies: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--replies",
        min=0,
        help="Turns of EmpatheticDialogues that the whole default recipe answers too; each takes seconds. 0 leaves them out.",
    ),
]
Split: TypeAlias = Annotated[
    str, typer.Option("--split", help="`valid`, or `test`: the official test split, for the last figure only.")
]

Other: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--model",
        help="Measure another one than the run's own: `embedded:` is the shipped one, `embedded:base` the untuned one. "
        "The run then needs nothing but the --data.",
    ),
]

HERE = Path("tuned")


@app.callback(invoke_without_command=True, epilog=EPILOG)
def tune(
    ctx: typer.Context,
    *,
    run: Run = HERE,
    data: Data = None,
    seed: Seed = None,
    small: Small = False,
    again: Again = False,
    teachers: Teachers = None,
    epochs: Epochs = None,
    rate: Rate = None,
    rank: Rank = None,
    rows: Rows = None,
    seconds: Seconds = None,
    licence: Licence = None,
    name: Name = None,
    turns: Turns = None,
) -> None:
    if ctx.invoked_subcommand:
        _refuse_options_before(ctx)
        return
    with _at_work(run, data) as (folder, told):
        training = _trained_so(folder, epochs=epochs, rate=rate, rank=rank, rows=rows, seconds=seconds, seed=seed)
        folder.ask(seed=seed, small=small or None, teachers=teachers, training=training)
        folder.ask(licence=licence, name=name, turns=turns)
        stages.everything(folder, told, again=again)
        adapter, made = folder.adapter, folder.card
    out.print(f'heartfelt respond "…" --model embedded:{adapter}    # its card: {made}', markup=False)


@app.command()
def examples(*, run: Run = HERE, data: Data = None, seed: Seed = None, small: Small = False, again: Again = False) -> None:
    """Write the data down as the model will read it: prompts, answers, and what of them it decides."""
    with _at_work(run, data) as (folder, told):
        folder.ask(seed=seed, small=small or None)
        stages.do(folder, "examples", told, again=again)


@app.command()
def teach(
    *,
    run: Run = HERE,
    teachers: Teachers = 6,
    epochs: Epochs = None,
    rate: Rate = None,
    rank: Rank = None,
    rows: Rows = None,
    seconds: Seconds = None,
    again: Again = False,
) -> None:
    """Optional: train teachers that say how likely each label is in dialogues they have not seen. `train` learns from them."""
    with _at_work(run) as (folder, told):
        training = _trained_so(folder, epochs=epochs, rate=rate, rank=rank, rows=rows, seconds=seconds)
        folder.ask(teachers=teachers, training=training)
        if folder.settings.teachers:
            stages.do(folder, "teach", told, again=again)
        else:
            folder.keep()
            told.said("teach", "no teachers: `train` learns from the labels of the data alone", "–")


@app.command()
def reread(*, run: Run = HERE, data: Data = None, again: Again = False) -> None:
    """After teachers: write the examples again, with the cues as they read them. A forecast must not trust each cue."""
    with _at_work(run, data) as (folder, told):
        stages.do(folder, "reread", told, again=again)


@app.command()
def train(
    *,
    run: Run = HERE,
    epochs: Epochs = None,
    rate: Rate = None,
    rank: Rank = None,
    rows: Rows = None,
    seconds: Seconds = None,
    seed: Seed = None,
    again: Again = False,
) -> None:
    """Train the adapter, and draw the loss. Interrupt it when you like: the same command goes on from there."""
    with _at_work(run) as (folder, told):
        training = _trained_so(folder, epochs=epochs, rate=rate, rank=rank, rows=rows, seconds=seconds, seed=seed)
        folder.ask(training=training)
        stages.do(folder, "train", told, again=again)


@app.command()
def export(*, run: Run = HERE, licence: Licence = None, name: Name = None, again: Again = False) -> None:
    """Write the adapter as a GGUF file, and check that the engine decides with it as the trained network does."""
    with _at_work(run) as (folder, told):
        folder.ask(licence=licence, name=name)
        stages.do(folder, "export", told, again=again)
        adapter = folder.adapter
    out.print(str(adapter), markup=False)


@app.command()
def calibrate(*, run: Run = HERE, turns: Turns = None, again: Again = False) -> None:
    """Fit the probabilities of the choices on the validation split, so that 70 % sure is right in 70 of 100."""
    with _at_work(run) as (folder, told):
        folder.ask(turns=turns)
        stages.do(folder, "calibrate", told, again=again)


@app.command()
def evaluate(
    *,
    run: Run = HERE,
    split: Split = "valid",
    turns: Turns = None,
    replies: Replies = None,
    data: Data = None,
    model: Other = None,
    as_json: o.AsJson = False,
    again: Again = False,
) -> None:
    """Measure the adapter in the engine that people will run it in. Interrupted, the same command goes on."""
    if split not in ("valid", "test"):
        raise UnknownName("split", split, ("valid", "test"))
    with _at_work(run, data) as (folder, told):
        folder.ask(turns=turns, replies=replies)
        if model:
            report = stages.evaluate_other(folder, _embedded(model), split, told)
        else:
            stages.do(folder, f"evaluate-{split}", told, again=again)
            report = json.loads(folder.evaluation(split).read_text("utf-8"))
    _print(report, as_json=as_json)


@app.command()
def card(*, run: Run = HERE, licence: Licence = None) -> None:
    """Write the model card from what the run recorded: data, recipe, figures, limits."""
    with _at_work(run) as (folder, told):
        folder.ask(licence=licence)
        stages.do(folder, "card", told)
        made = folder.card
    out.print(str(made), markup=False)


for own in (
    tune_senses.face,
    tune_senses.voice,
    tune_senses.senses,
    tune_senses.reader,
    tune_danger.danger,
    tune_danger.danger_talks,
    tune_danger.phrases,
    tune_words.words,
    tune_words.drafts,
):
    app.command(rich_help_panel="Senses, safety and words")(own)


# ── what the commands share ─────────────────────────────────────────────────────────────────────────────────────────


@contextmanager
def _at_work(run: Path, data: Path | None = None) -> "Generator[tuple[Folder, TuneProgress], None, None]":
    if data is not None and not data.is_dir():
        raise UsageError(f"There is no folder {data}. Give the folder of the corpora with --data DIR.")
    with opened(run) as folder, TuneProgress(err) as told:
        folder.ask(data=str(data.resolve()) if data else None)
        yield folder, told


def _embedded(address: str) -> EmbeddedModel:
    model = open_model(address)
    if not isinstance(model, EmbeddedModel):
        raise UsageError(f"{address} is not an embedded model. Give embedded:, embedded:base or embedded:FILE.gguf.")
    return model


def _trained_so(folder: Folder, **given: float | int | None) -> dict[str, float | int]:
    """The training as it was asked for before, and what is asked for now."""
    return folder.settings.training | {name: value for name, value in given.items() if value is not None}


def _refuse_options_before(ctx: typer.Context) -> None:
    """An option before the stage would be the group's, and the stage would not know it."""
    given = [name for name in ctx.params if getattr(ctx.get_parameter_source(name), "name", "") == "COMMANDLINE"]
    if given:
        option, stage = f"--{given[0].replace('_', '-')}", ctx.invoked_subcommand
        raise UsageError(f"Give {option} after the stage: heartfelt tune {stage} {option} … See: heartfelt tune {stage} --help")


def _print(report: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(report, ensure_ascii=False))
        return
    table = Table(box=None, pad_edge=False)
    for column in ("task", "figure", "value"):
        table.add_column(column)
    for row in rows(report):
        table.add_row(*(Text(cell) for cell in row))
    out.print(table)


class TuneProgress:
    """The stages in the terminal: one line each, and a bar for the one that works."""

    def __init__(self, console: Console):
        self._console = console
        self._bar: Progress | None = None
        self._task = TaskID(0)
        self._what, self._said_at = "", time.monotonic()

    def __enter__(self) -> "TuneProgress":
        return self

    def __exit__(self, *_: object) -> None:
        self._rest()

    def said(self, stage: str, words: str, mark: str = "✓") -> None:
        self._rest()
        style = {"✓": "green", "–": "dim", "!": "yellow"}.get(mark, "cyan")
        name = stage.partition("-")[0]
        line = Text(f"{mark} ", style=style).append(name.ljust(WIDTH), style="bold").append(words, style="default")
        self._console.print(line, soft_wrap=not self._console.is_terminal)

    def going(self, what: str, done: float, total: float, words: str = "") -> None:
        if not self._console.is_terminal:
            self._line(what, done, total, words)
            return
        if self._bar is None or what != self._what:
            self._begin(what)
        assert self._bar
        self._bar.update(self._task, completed=done, total=total, words=words)

    def _begin(self, what: str) -> None:
        self._rest()
        columns = (
            TextColumn("{task.description}"),
            BarColumn(20),
            TaskProgressColumn(),
            TextColumn("{task.fields[words]}", style="dim"),
            TimeRemainingColumn(),
        )
        self._bar = Progress(*columns, console=self._console, transient=True)
        self._bar.start()
        self._what, self._task = what, self._bar.add_task(what, words="")

    def _line(self, what: str, done: float, total: float, words: str) -> None:
        if time.monotonic() - self._said_at > QUIET:
            self._said_at = time.monotonic()
            share = f"{done / total:.0%}" if total else ""
            self._console.print(f"  {what.ljust(WIDTH - 1)} {share} {words}".rstrip(), markup=False, soft_wrap=True)

    def _rest(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None
