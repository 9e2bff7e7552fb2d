"""`heartfelt tune face`, `voice`, `senses` and `reader`: networks that read a face or hear a voice, made and measured."""

from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer
from rich.table import Table

from heartfelt.cli.console import err, out
from heartfelt.errors import MissingExtra

Faces: TypeAlias = Annotated[Path, typer.Option(help="The folder of FER2013: train_1.npz, train_2.npz and dev.npz.")]
Voices: TypeAlias = Annotated[
    list[Path], typer.Option(help="The folder of RAVDESS or EmoDB, sound files by their published names; give both.")
]
Run: TypeAlias = Annotated[Path, typer.Option("--run", help="The folder of the run. Everything is written there.")]


def face(
    *,
    faces: Faces,
    run: Run = Path("tuned-face"),
    seconds: Annotated[float | None, typer.Option(min=1, help="How long to learn; 550 on a GPU made the shipped one.")] = None,
) -> None:
    """Train the network that reads an expression, and write its card. Wants a GPU; interrupted, the same command goes on."""
    trainer = _trainer("face")
    trainer.main(["--data", str(faces), "--run", str(run), *(["--seconds", str(seconds)] if seconds else [])])
    _print({"face": _report(run)})


def voice(
    *,
    voices: Voices,
    run: Run = Path("tuned-voice"),
    ordinary: Annotated[
        list[Path] | None, typer.Option(help="A folder of speech that nobody acts: what is claimed of it is counted.")
    ] = None,
) -> None:
    """Train the head that hears a feeling, and write its card. Fifteen minutes on two cores; interrupted, it goes on."""
    plain = [f"--ordinary={folder}" for folder in ordinary or ()]
    _trainer("voice").main([*(f"--data={folder}" for folder in voices), *plain, "--run", str(run)])
    _print({"voice": _report(run)})


def senses(*, faces: Faces, voices: Voices, run: Run = Path("measured-senses")) -> None:
    """Measure both as they ship, with intervals: the face network on the public test, the voice by leaving corpora out.

    The shipped head has heard every speaker, so its recipe is run again without each corpus and without some speakers in turn.
    """
    from heartfelt.senses.emotions import EmotionNetwork
    from heartfelt.tuning.senses.face_tests import face_tests
    from heartfelt.tuning.senses.finish import face_report

    trainer = _trainer("voice")
    err.print("[dim]The faces: some minutes.[/dim]")
    seen = face_report(EmotionNetwork.shipped("face").path, face_tests(faces))
    trainer.main([*(f"--data={folder}" for folder in voices), "--run", str(run)])
    _print({"face": seen, "voice": _report(run)})


def _trainer(name: str) -> Any:
    from importlib import import_module

    try:
        return import_module(f"heartfelt.tuning.senses.{name}")
    except ImportError as error:
        if error.name != "torch":
            raise
        raise MissingExtra("Training", "tune") from None


def _report(run: Path) -> dict[str, Any]:
    from heartfelt.tuning.senses import runs

    return runs.read(run / "report.json")


def _print(reports: dict[str, dict[str, Any]]) -> None:
    table = Table(box=None, pad_edge=False)
    for column in ("sense", "measured on", "accuracy", "mean recall", "calibration error", "n"):
        table.add_column(column, justify="right" if column == "n" else "left")
    for sense, report in reports.items():
        for name, found in report.items():
            if isinstance(found, dict) and "confusion" in found:
                values = (_told(found[key]) for key in ("accuracy", "unweighted_recall", "calibration_error"))
                table.add_row(sense, name.replace("_", " "), *values, f"{found['accuracy']['n']:,}")
    out.print(table)


def _told(value: dict[str, float]) -> str:
    return f"{value['mean']:.3f} [{value['low']:.3f}, {value['high']:.3f}]".replace("0.", ".")


def reader(
    *,
    target: Annotated[Path, typer.Option("--out", "-o", help="Where the weights go.")] = Path("reader.json"),
    people: Annotated[int, typer.Option("--people", min=2, max=1000, help="How many people by chance it is fitted on.")] = 24,
) -> None:
    """Fit the reader of drawn faces on people by chance, none of them a ready identity. Minutes on two cores."""
    from heartfelt.expression.proof.fitting import fit_reader  # slow to import, and no other command needs it

    looks = fit_reader(range(1, people + 1), target, lambda seed: err.print(f"seed {seed} of {people}", style="dim"))
    out.print(f"{target}: fitted on {looks} looks of {people} people.", markup=False)
