"""`heartfelt demo`: a dialogue, the same with a planted fault, and a person on film, answered by a talking face."""

import shlex
import shutil
from importlib.resources import as_file, files
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from heartfelt.cli.console import err
from heartfelt.cli.first_use import fetch, say_what_is_missing, usual
from heartfelt.files import writing

SAMPLES = ("exam.json", "talk.mp4")


class Scene(NamedTuple):
    title: str
    command: tuple[str, ...]


def demo(
    *,
    folder: Annotated[Path, typer.Option("--out", "-o", help="Where the samples and what becomes of them go.")] = Path(
        "heartfelt-demo"
    ),
) -> None:
    """See it work: samples answered step by step, their traces as pages, a reply as a film. Fetches the weights, once."""
    fetch(usual())
    _lay_out(folder)
    for scene in scenes(folder):
        _play(scene)
    _lead_on(folder)


def scenes(folder: Path) -> list[Scene]:
    exam, talk = (str(folder / name) for name in SAMPLES)
    return [
        Scene(
            "A dialogue, answered step by step",
            ("respond", "--file", exam, "--out", str(folder), "--media", "none"),
        ),
        Scene(
            "The same with a planted fault: a feeling that does not fit. The audit finds it, forecast is blamed and mended",
            (
                *("respond", "--file", exam, "--plant", "forecast.emotion=excited"),
                *("--out", str(folder / "planted"), "--media", "none"),
            ),
        ),
        Scene(
            "A person on film who smiles over sad words, answered by a voice and a face",
            ("respond", "--video", talk, "--out", str(folder / "talk")),
        ),
    ]


def _lay_out(folder: Path) -> None:
    """The samples lie where they can be looked at, and each command can be typed again."""
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    for name in SAMPLES:
        with as_file(files("heartfelt.cli") / "samples" / name) as sample, writing(folder / name):
            shutil.copyfile(sample, folder / name)


def _play(scene: Scene) -> None:
    from heartfelt.cli import INTERRUPTED, app

    err.print(f"\n[bold]{scene.title}[/]")
    err.print(f"$ heartfelt {shlex.join(scene.command)}\n", style="dim", markup=False, soft_wrap=True)
    if app([*scene.command], standalone_mode=False) == INTERRUPTED:
        raise KeyboardInterrupt


def _lead_on(folder: Path) -> None:
    film = folder / "talk" / "reply.mp4"
    err.print()
    if film.is_file():
        err.print(f"Watch the reply: {film}", soft_wrap=True)
    say_what_is_missing()
    err.print(f"Open its trace:  {folder / 'talk' / 'trace.html'}", soft_wrap=True)
    err.print(
        "Talk to it:      heartfelt serve (in a checkout: make serve), and open the address that it prints", soft_wrap=True
    )
