"""`heartfelt tune danger`: teach the reader that tells danger from its look-alikes."""

from pathlib import Path
from typing import Annotated

import typer

from heartfelt.cli.console import err, out
from heartfelt.errors import InputError, MissingExtra, UsageError


def danger(
    lessons: Annotated[list[Path], typer.Argument(help="Messages with their labels (CSV: text, tier, danger, form).")],
    *,
    target: Annotated[Path, typer.Option("--out", "-o", help="Where the adapter goes.")] = Path("danger.gguf"),
    ordinary: Annotated[
        list[Path] | None,
        typer.Option(
            "--ordinary", help="Talk without danger, a message a line; may be repeated. Without it much ordinary talk alarms."
        ),
    ] = None,
    share: Annotated[float, typer.Option("--share", min=0, max=1, help="How much of the ordinary talk an epoch takes.")] = 0.07,
    epochs: Annotated[float, typer.Option("--epochs", min=0.001, help="How often all lessons are gone through.")] = 10.0,
    seed: Annotated[int, typer.Option("--seed", help="Of what is drawn by chance.")] = 6,
    licence: Annotated[str, typer.Option("--licence", help="Of the adapter: that of the messages decides.")] = "",
) -> None:
    """Teach an adapter to tell danger from its look-alikes. Five minutes on one H200, days on two cores."""
    if not licence:
        raise UsageError("Say under which licence the adapter stands: --licence. That of the messages decides.")
    try:
        from heartfelt.tuning import danger as teaching  # stands on torch
    except ImportError:
        raise MissingExtra("Tuning", "tune") from None
    from heartfelt.models.embedded import EmbeddedModel
    from heartfelt.tuning.export import export, read_adapter
    from heartfelt.weights import Store

    rows = {"lessons": [row for path in lessons for row in teaching.read_messages(path)], "ordinary": _lines(ordinary or [])}
    taught = {"lessons": 1.0} | ({"ordinary": share} if rows["ordinary"] else {})
    recipe = teaching.Teaching(name=target.stem, seed=seed, epochs=epochs, taught=taught, scored=())
    folder = target.parent / f"{target.stem}-run"
    folder.mkdir(parents=True, exist_ok=True)
    teaching.pack(rows, EmbeddedModel(adapter=None).load().tokens, folder / "messages.npz")
    data = teaching.Packed.load(folder / "messages.npz")
    teaching.teach(Store().path("smollm2"), data, recipe, folder, told=lambda line: err.print(line, style="dim"))
    tensors, alpha = read_adapter([folder / f"{target.stem}.npz"])
    export(tensors, alpha, target, name=target.stem, licence=licence)
    out.print(
        f"{target}: taught on {len(rows['lessons'])} lessons and {len(rows['ordinary'])} ordinary messages.", markup=False
    )


def phrases(
    lessons: Annotated[list[Path], typer.Argument(help="Messages with their labels (CSV: text, tier, danger, form).")],
    *,
    target: Annotated[Path, typer.Option("--out", "-o", help="Where the table goes.")] = Path("phrases.npz"),
    ordinary: Annotated[
        list[Path] | None, typer.Option("--ordinary", help="Talk without danger, a message a line; may be repeated.")
    ] = None,
) -> None:
    """Weigh the phrases that stand in for the reader when it fails. A minute on two cores."""
    try:
        from heartfelt.tuning.danger import read_messages  # stands on torch
        from heartfelt.tuning.phrases import weigh
    except ImportError:
        raise MissingExtra("Tuning", "tune") from None
    rows = [*(row for path in lessons for row in read_messages(path)), *_lines(ordinary or [])]
    weigh(rows, target)
    out.print(f"{target}: weighed on {len(rows)} messages.", markup=False)


def _lines(paths: list[Path]) -> list[tuple[str, str, str]]:
    try:
        return [(line.strip(), "none", "-") for path in paths for line in path.read_text("utf-8").splitlines() if line.strip()]
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"Ordinary talk cannot be read: {error}") from None
