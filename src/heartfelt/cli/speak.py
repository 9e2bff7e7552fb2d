"""`heartfelt speak`: say a text as a talking face."""

import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from heartfelt.cli import options as o
from heartfelt.cli.console import err, out
from heartfelt.errors import UsageError

_MOST_BYTES = 1_000_000


def speak(
    text: Annotated[str | None, typer.Argument(help="What is said. Without it: standard input.")] = None,
    *,
    target: Annotated[Path, typer.Option("--out", "-o", help="A film (.mp4), a sound (.wav) or a timeline (.json).")],
    emotion: Annotated[
        str, typer.Option("--emotion", "-e", help="A label such as `sad`, or a word that can be read as one.")
    ] = "neutral",
    intensity: Annotated[float, typer.Option("--intensity", "-i", help="From at rest (0) to full (1).")] = 0.7,
    shows: Annotated[
        str, typer.Option("--shows", help="What the face shows, where it hides what the voice carries: sad, but smiling.")
    ] = "",
    tone: Annotated[str, typer.Option("--tone", help="A nudge on top, such as `gentle`.")] = "",
    identity: o.WhoAnswers = "maya",
    size: o.Size = 512,
    mark: o.Mark = "",
    voice: o.VoiceAddress = "embedded:",
    face: o.FaceAddress = "embedded:",
    fall_back: o.FallBack = False,
) -> None:
    """Say a text as a talking face that carries an emotion."""
    # slow to import, and no other command needs it
    from heartfelt.cli.stage import drawing, open_stage
    from heartfelt.expression.persona import persona_of
    from heartfelt.expression.stage import checked_ending
    from heartfelt.expression.style import Style

    checked_ending(target)
    style, persona = Style.read(emotion, intensity, tone), persona_of(o.identity_of(identity))
    shown = Style.read(shows, intensity, tone) if shows else style
    stage, started = open_stage(voice, face, size=size, mark=mark, fall_back=fall_back), time.perf_counter()
    with err.status("[dim]the voice"):
        take = stage.take(_said(text), style, persona, shown=shown)
    with drawing(stage):
        stage.write(take, target)
    out.print(str(target), markup=False)
    felt = f"{emotion} behind {shows}" if shows else emotion
    made = f"{take.spoken.seconds:.1f} s of {persona.name}, {felt}, made in {time.perf_counter() - started:.1f} s"
    err.print(made, style="dim")


def _said(text: str | None) -> str:
    if text is not None and text != "-":
        return text
    if sys.stdin is None or sys.stdin.isatty():
        raise UsageError('Give a text, for example: heartfelt speak "I am here." --out reply.mp4')
    return sys.stdin.buffer.read(_MOST_BYTES).decode("utf-8", errors="replace")
