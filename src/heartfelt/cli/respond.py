"""`heartfelt respond`: answer a text, a dialogue file or standard input, once."""

import asyncio
import base64
import mimetypes
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from heartfelt.budget import Budget
from heartfelt.cli import options as o
from heartfelt.cli.console import err, failure, out
from heartfelt.cli.progress import Progress
from heartfelt.cli.sense import progress, sensed
from heartfelt.cli.showing import Showing, show
from heartfelt.edits import Edit
from heartfelt.errors import HeartfeltError, InputError, MissingBuild, TurnError, UsageError
from heartfelt.events import Observer, Performed, to_all
from heartfelt.files import writing
from heartfelt.intake import LONGEST_TEXT, of_bytes, of_file, of_text
from heartfelt.listener import Listener
from heartfelt.models.seam import canonical
from heartfelt.page import write_page
from heartfelt.recipes import Ablation
from heartfelt.records import Dialogue, Keyframe, Outcome
from heartfelt.safety.respond.services import known
from heartfelt.safety.settings import Safety
from heartfelt.setup import Setup
from heartfelt.telemetry import exporting
from heartfelt.trace import Trace, TraceWriter

RunTurn: TypeAlias = Callable[[Listener, tuple[Observer, ...]], Awaitable[Outcome]]

LARGEST_PICTURE = 10_000_000
KEYFRAMES = 4
"""Stills of a video that a model is shown, if it can see."""


def respond(
    text: Annotated[str | None, typer.Argument(help="What the person says. Without it: standard input.")] = None,
    *,
    file: Annotated[Path | None, typer.Option("--file", "-f", help="A dialogue as JSON, or plain text.")] = None,
    recording: Annotated[
        Path | None,
        typer.Option("--video", "--audio", help="A recording of the last turn: what is said, how it sounds, how it looks."),
    ] = None,
    images: Annotated[
        list[Path] | None, typer.Option("--image", help="A picture of the person; the first is measured.")
    ] = None,
    recipe: o.RecipeName = "heartfelt",
    model: o.ModelAddress = "embedded:",
    out_folder: o.OutFolder = None,
    as_json: o.AsJson = False,
    telemetry: o.Telemetry = False,
    voters: o.Voters = None,
    seed: o.Seed = 0,
    memory: o.MemoryName = "starter",
    identity: o.WhoAnswers = "maya",
    media: o.Media = "auto",
    size: o.Size = 512,
    mark: o.Mark = "",
    ears: o.EarsAddress = "embedded:",
    voice: o.VoiceAddress = "embedded:",
    face: o.FaceAddress = "embedded:",
    fall_back: o.FallBack = False,
    tries: o.Tries = 3,
    timeout: o.Timeout = 120.0,
    scored: o.Scored = None,
    without: o.Without = None,
    unsensed: o.Unsensed = None,
    independent: o.Independent = False,
    refinements: o.Refinements = None,
    no_selection: o.NoSelection = False,
    top_k: o.TopK = None,
    temperature: o.Temperature = None,
    models: o.StepModels = None,
    plants: o.Plants = None,
    max_calls: o.MaxCalls = None,
    max_tokens: o.MaxTokens = None,
    max_ms: o.MaxMs = None,
    country: o.CountryCode = "",
    guard: o.GuardAddress = "",
    reader: o.ReaderAddress = "embedded:",
) -> None:
    """Answer a text, a dialogue file or standard input, step by step."""
    setup = Setup(
        recipe=o.check_recipe(recipe),
        model=model,
        voters=tuple(voters or ()),
        ablation=Ablation(
            without=tuple(without or ()),
            unsensed=tuple(o.check_sense(name) for name in unsensed or ()),
            independent=independent,
            refinements=refinements,
            selection=not no_selection,
            top_k=top_k,
            temperature=temperature,
            models=o.step_models(models),
        ),
        plants=tuple(Edit.parse(plant) for plant in plants or ()),
        memory=memory,
        scored=tuple(scored or ()),
        identity=o.identity_of(identity),
        budget=Budget(calls=max_calls, tokens=max_tokens, ms=max_ms),
        safety=Safety(country=known(country), guard=guard, reader=reader),
        seed=seed,
        tries=tries,
        timeout=timeout,
    )
    dialogue = _taken_in(text, file, recording, images or [], model, ears)
    run_turn(
        setup,
        lambda listener, watching: listener.answer(dialogue, observers=watching),
        out_folder,
        as_json=as_json,
        telemetry=telemetry,
        showing=Showing(media, size, mark, voice, face, fall_back),
    )


def run_turn(
    setup: Setup,
    turn: RunTurn,
    folder: Path | None,
    *,
    as_json: bool,
    telemetry: bool = False,
    showing: Showing | None = None,
) -> Outcome:
    """Run `turn(listener, observers)` with progress, print the answer, and write what was asked for."""
    trace = Trace()
    watching: list[Observer] = [trace] if as_json else [trace, Progress(err)]
    if telemetry:
        watching.append(exporting())

    async def once() -> Outcome:
        async with Listener(setup) as listener:
            if folder is not None:
                watching.append(TraceWriter(folder / "trace.jsonl"))
            return await turn(listener, tuple(watching))

    try:
        outcome = asyncio.run(once())
    except HeartfeltError as error:
        if as_json:
            _print_failure(error, trace)
            error.told = True
        raise
    except KeyboardInterrupt:
        if as_json:
            _print_failure(TurnError("The turn was interrupted."), trace)
        raise
    else:
        if not as_json:
            _print(outcome)
        if folder is not None and showing is not None and (made := show(outcome, setup.identity, folder, showing)):
            to_all(tuple(watching))(Performed(performance=made))
        if as_json:
            print(canonical(as_data(outcome, trace)))
        elif folder is not None:
            err.print(f"Trace: {folder / 'trace.html'}", style="dim", soft_wrap=True)
        return outcome
    finally:
        if folder is not None and trace.started is not None:
            _write(folder, trace)


def as_data(outcome: Outcome, trace: Trace) -> dict[str, Any]:
    """The whole turn as JSON."""
    start = trace.start
    return {
        "recipe": start.setup["recipe"],
        "model": start.model,
        "version": start.version,
        "notices": trace.notices,
        "performance": trace.performance.model_dump(mode="json") if trace.performance else None,
        **outcome.model_dump(mode="json"),
    }


def _print_failure(error: HeartfeltError, trace: Trace) -> None:
    print(canonical(failure(error) | {"passes": [made.model_dump(mode="json") for made in trace.passes]}))


def _print(outcome: Outcome) -> None:
    err.print()
    out.print(outcome.reply, markup=False)
    err.print()
    left = f"; left out: {', '.join(outcome.left_out)}" if outcome.left_out else ""
    err.print(f"{outcome.why_chosen} {outcome.ms / 1000:.1f} s{left}.", style="dim")


def _write(folder: Path, trace: Trace) -> None:
    reply = folder / "reply.txt"
    with writing(reply):
        if trace.finished is not None:
            reply.write_text(trace.finished.reply + "\n", "utf-8")
        else:
            reply.unlink(missing_ok=True)  # an earlier turn's
    try:
        with writing(folder / "trace.html"):
            write_page(trace, folder / "trace.html")
    except MissingBuild as missing:  # the turn is written down nevertheless
        (folder / "trace.html").unlink(missing_ok=True)  # an earlier turn's
        err.print(f"{missing} (The trace itself is in {folder / 'trace.jsonl'}.)", style="yellow", soft_wrap=True)


def _dialogue(text: str | None, file: Path | None) -> Dialogue:
    if text is not None and file is not None:
        raise UsageError("Give a text or a file, not both.")
    if file is not None:
        return of_file(file)
    if text is not None and text != "-":
        return of_text(text)
    if sys.stdin is None or sys.stdin.isatty():
        raise UsageError('Say something, for example: heartfelt respond "I failed my exam."')
    return of_bytes(sys.stdin.buffer.read(), "standard input")


def _taken_in(
    text: str | None, file: Path | None, recording: Path | None, images: list[Path], model: str, ears: str
) -> Dialogue:
    """What is to be answered, with what was seen and heard of its last turn. Without a text, what is heard is the text."""
    pictures = tuple(_picture(path) for path in images)
    clip = recording or next(iter(images), None)
    if clip is None:
        return _dialogue(text, file)
    dialogue = _dialogue(text, file) if text is not None or file is not None or recording is None else None
    given = dialogue.last.text if dialogue else ""
    impression = asyncio.run(sensed(clip, model, ears, text=given, keyframes=KEYFRAMES, told=progress()))
    for note in impression.notes:
        err.print(note, style="yellow", markup=False)
    if dialogue is None:
        if not impression.text:
            raise InputError(f"Nobody is heard to speak in {clip}. Give the words too: heartfelt respond TEXT --video {clip}")
        dialogue = of_text(_latest(impression.text))
    frames = (*dialogue.last.keyframes, *(impression.keyframes if recording else ()), *pictures)
    last = dialogue.last.model_copy(update={"keyframes": frames, "readings": impression.readings})
    return dialogue.model_copy(update={"turns": (*dialogue.turns[:-1], last)})


def _latest(heard: str) -> str:
    """What was said last, where more was said than can be answered at once."""
    if len(heard) <= LONGEST_TEXT:
        return heard
    err.print(f"Much is said; the last {LONGEST_TEXT:,} characters of it are answered.", style="yellow")
    return heard[-LONGEST_TEXT:].partition(" ")[2]


def _picture(path: Path) -> Keyframe:
    mime = mimetypes.guess_type(path.name)[0] or ""
    if not mime.startswith("image/"):
        raise InputError(f"{path} does not look like a picture. Give a JPEG, PNG or WebP file.")
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from None
    if len(data) > LARGEST_PICTURE:
        raise InputError(f"{path} has {len(data) / 1e6:.0f} MB; at most {LARGEST_PICTURE // 1_000_000} MB can be sent.")
    return Keyframe(mime=mime, data=base64.b64encode(data).decode())
