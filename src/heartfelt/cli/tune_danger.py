"""`heartfelt tune danger`: teach the reader that tells danger from its look-alikes."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, TypeAlias

import typer

from heartfelt.cli.console import err, out
from heartfelt.errors import MissingExtra
from heartfelt.safety.detect.message import PersonMessage

Ordinary: TypeAlias = Annotated[
    list[Path] | None,
    typer.Option("--ordinary", help="Talk without danger, a message a line or exchanges (.jsonl.gz); may be repeated."),
]
Seed: TypeAlias = Annotated[int, typer.Option("--seed", help="Of what is drawn by chance.")]


def danger(
    lessons: Annotated[
        list[Path],
        typer.Argument(
            help="Messages with their labels (CSV: text, tier, danger; or text, act; where known who, asked, before)."
        ),
    ],
    *,
    target: Annotated[Path, typer.Option("--out", "-o", help="Where the reader goes.")] = Path("danger.npz"),
    ordinary: Annotated[
        list[Path] | None,
        typer.Option(
            "--ordinary",
            help="Talk without danger, a message a line or exchanges (.jsonl.gz); may be repeated. It matters most.",
        ),
    ] = None,
    share: Annotated[int, typer.Option("--share", min=0, help="How many ordinary messages an epoch takes.")] = 8000,
    epochs: Annotated[float, typer.Option("--epochs", min=0.001, help="How often all lessons are gone through.")] = 3.0,
    seed: Seed = 0,
    start: Annotated[Path | None, typer.Option("--from", help="A reader to go on from.")] = None,
    frozen: Annotated[int, typer.Option("--frozen", min=0, max=6, help="How many of the lowest layers stay as they are.")] = 0,
) -> None:
    """Teach a reader of danger: tiers, dangers, whose, and what is done. Minutes on a graphics card, an hour on two cores."""
    try:
        import torch

        from heartfelt.tuning import danger as teaching
    except ImportError:
        raise MissingExtra("Tuning", "tune") from None
    from tokenizers import Tokenizer

    from heartfelt.memory.minilm_graph import read_safetensors
    from heartfelt.memory.taught_graph import read_taught, write_taught
    from heartfelt.weights import Store

    rows = [row for path in lessons for row in teaching.read_lessons(path)]
    talk = _talk(ordinary or [])
    store = Store()
    config = json.loads(store.path("minilm", "config.json").read_text("utf-8"))
    tensors = read_safetensors(store.path("minilm", "model.safetensors")) | (read_taught(start) if start else {})
    encoder = teaching.Encoder(
        tensors,
        heads=config["num_attention_heads"],
        layers=config["num_hidden_layers"],
        epsilon=config["layer_norm_eps"],
        frozen=frozen,
    ).to("cuda" if torch.cuda.is_available() else "cpu")
    tokenizer = Tokenizer.from_file(str(store.path("minilm", "tokenizer.json")))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    recipe = teaching.DangerTeaching(seed=seed, epochs=epochs, ordinary=share)
    teaching.teach(encoder, tokenizer, rows, talk, recipe, told=lambda line: err.print(line, style="dim"))
    write_taught(encoder.tensors(), target)
    out.print(f"{target}: taught on {len(rows)} lessons and {len(talk)} ordinary messages.", markup=False)


def phrases(
    lessons: Annotated[list[Path], typer.Argument(help="Messages with their labels (CSV: text, tier, danger, form).")],
    *,
    target: Annotated[Path, typer.Option("--out", "-o", help="Where the table goes.")] = Path("phrases.npz"),
    ordinary: Ordinary = None,
) -> None:
    """Weigh the phrases that stand in for the reader when it fails. A minute on two cores."""
    try:
        from heartfelt.tuning.danger import DangerLesson, read_lessons  # stands on torch
        from heartfelt.tuning.phrases import weigh
    except ImportError:
        raise MissingExtra("Tuning", "tune") from None
    rows: list[DangerLesson] = [row for path in lessons for row in read_lessons(path)]
    rows += [DangerLesson(message, 0) for message in _talk(ordinary or [])]
    weigh(rows, target)
    out.print(f"{target}: weighed on {len(rows)} messages.", markup=False)


def danger_talks(
    samples: Annotated[
        list[Path], typer.Argument(help="Messages, acts, whole talks, replies and their marks, as in samples/safety.")
    ],
    *,
    target: Annotated[Path, typer.Option("--out", "-o", help="Where the adapter goes.")] = Path("danger.gguf"),
    ordinary: Ordinary = None,
    rated: Annotated[
        list[Path] | None,
        typer.Option("--rated", help="Replies to ordinary talk with raters' marks (.jsonl.gz); may be repeated."),
    ] = None,
    share: Annotated[
        int, typer.Option("--share", min=0, help="How many ordinary messages, and as many rated replies, an epoch takes.")
    ] = 15_000,
    epochs: Annotated[int, typer.Option("--epochs", min=1, help="How often all samples are gone through.")] = 3,
    seed: Seed = 7,
    start: Annotated[Path | None, typer.Option("--from", help="An adapter to go on from.")] = None,
    licence: Annotated[str, typer.Option("--licence", help="That of the samples decides.")] = "Apache-2.0",
) -> None:
    """Teach the large reader, an adapter for the large embedded model. Ten minutes on a graphics card, days on two cores."""
    try:
        from heartfelt.tuning import danger_samples, large
        from heartfelt.tuning import danger_talks as teaching
    except ImportError:
        raise MissingExtra("Tuning", "tune") from None
    lessons = danger_samples.read_samples(samples)
    calm = [lesson for path in ordinary or [] for lesson in danger_samples.read_ordinary(path)]
    marked = [lesson for path in rated or [] for lesson in danger_samples.read_rated(path)]
    recipe = teaching.TalkTeaching(seed=seed, epochs=epochs, ordinary=share)
    with TemporaryDirectory() as folder:
        packs = teaching.packs(lessons, calm, marked, large.tokenizer().tokens, Path(folder), recipe)
        network = large.network(rank=recipe.rank, alpha=recipe.alpha, dropout=recipe.dropout, start=start)
        teaching.teach(network, packs, recipe, told=lambda line: err.print(line, style="dim"))
    off = large.exported(network, recipe.alpha, target, licence)
    told = f"taught on {len(lessons)} samples, {len(calm)} ordinary messages and {len(marked)} rated replies"
    out.print(f"{target}: {told}; the file is off by {off:.2g} at most.", markup=False)


def _talk(paths: list[Path]) -> list[PersonMessage]:
    from heartfelt.tuning.danger_samples import read_ordinary

    return [lesson.message for path in paths for lesson in read_ordinary(path)]
