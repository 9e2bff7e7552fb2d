"""`heartfelt sense`: what can be measured of a recording, and how the senses agree."""

import asyncio
import time
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from heartfelt.cli import options as o
from heartfelt.cli.console import err, out
from heartfelt.fusion.fuse import overall
from heartfelt.fusion.tell import sentence
from heartfelt.models import open_model
from heartfelt.models.seam import canonical
from heartfelt.records import Readings, Sensed
from heartfelt.senses.affect import felt
from heartfelt.senses.default import usual_senses
from heartfelt.senses.media.media import open_media
from heartfelt.senses.plot import drawable, plot
from heartfelt.senses.sense import Impression, Told

MOST_CUES = 4
QUIET = 10.0
"""Seconds between two words of progress."""
WIDTH = 10


def sense(
    clip: Annotated[Path, typer.Argument(help="A video, a sound recording or a picture.")],
    *,
    text: Annotated[str, typer.Option("--text", help="What is said in it; without it, what is heard.")] = "",
    target: Annotated[Path | None, typer.Option("--plot", help="Draw the senses over time into this file.")] = None,
    keyframes: Annotated[int, typer.Option("--keyframes", min=0, max=64, help="Stills to keep of a video.")] = 4,
    model: o.ModelAddress = "embedded:",
    ears: o.EarsAddress = "embedded:",
    as_json: o.AsJson = False,
) -> None:
    """Measure words, voice and face of a recording, each with its times, and say where they contradict each other."""
    if target is not None:
        drawable(target)
    impression = asyncio.run(sensed(clip, model, ears, text=text, keyframes=keyframes, told=progress()))
    if target is not None:
        plot(impression.readings, impression.keyframes, target)
    if as_json:
        print(canonical(_told(impression)))
    else:
        _print(impression)


async def sensed(clip: Path, address: str, ears: str, *, text: str, keyframes: int, told: Told) -> Impression:
    """A recording through all senses: speech is understood by the ears and read by the model at these addresses."""
    media, model = open_media(clip), open_model(address)
    try:
        return await usual_senses(model, ears=ears, keyframes=keyframes, told=told).sense(media, text=text)
    finally:
        await model.close()


def progress() -> Told:
    """A word now and then, on standard error, for a long recording."""
    said = {"at": time.monotonic()}

    def told(what: str, done: float, total: float) -> None:
        if time.monotonic() - said["at"] > QUIET:
            said["at"] = time.monotonic()
            err.print(f"{what.ljust(WIDTH)}{done:.0f} s" + (f" of {total:.0f} s" if total else ""), style="dim")

    return told


def _told(impression: Impression) -> dict[str, Any]:
    """The readings as they stand in a trace, with what the rule makes of them: how pleasant and how stirred."""
    readings = impression.readings
    points = {each.source: overall(each.moments)[0] for each in readings.sensed} | {"together": readings.shares}
    affect = {name: felt(shares)._asdict() for name, shares in points.items() if shares}
    return {"text": impression.text, "notes": impression.notes, "affect": affect} | readings.model_dump(mode="json")


def _print(impression: Impression) -> None:
    readings = impression.readings
    for note in impression.notes:
        err.print(Text("! ", style="yellow").append(note, style="default"))
    _line("said", impression.text or "nothing")
    for each in readings.sensed:
        _line(each.source, _in_a_line(each))
        for cue in each.cues[:MOST_CUES]:
            _line("", sentence(cue), style="dim")
    _line("together", _best(readings))
    if readings.conflict:
        where = f"{readings.conflict.start:.1f}–{readings.conflict.end:.1f} s"
        _line("conflict", f"{readings.conflict.text} ({where}, {readings.conflict.score:.2f})", style="yellow")


def _in_a_line(sensed: Sensed) -> str:
    shares, reliability = overall(sensed.moments)
    if not shares:
        return sensed.note or "nothing to go by"
    best = sorted(shares, key=lambda label: -shares[label])[:2]
    told = ", ".join(f"{label} {shares[label]:.0%}" for label in best)
    return f"{told} (reliability {reliability:.0%})" + (f" · {sensed.note}" if sensed.note else "")


def _best(readings: Readings) -> str:
    if not readings.shares:
        return "nothing to go by"
    best = max(readings.shares, key=lambda label: readings.shares[label])
    point = felt(readings.shares)
    return f"{best} {readings.shares[best]:.0%} · valence {point.valence:+.2f}, arousal {point.arousal:+.2f}"


def _line(name: str, words: str, *, style: str = "") -> None:
    out.print(Text(name.ljust(WIDTH), style="bold").append(words, style=style or "default"))
