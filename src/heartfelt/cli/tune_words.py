"""`heartfelt tune words`: teach the adapter that understands and finds the words."""

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from heartfelt.cli.console import err, out
from heartfelt.errors import MissingExtra


def words(
    corpus: Annotated[Path, typer.Argument(help="A folder with exchanges, openings and ratings, as samples/exchanges.")],
    *,
    target: Annotated[Path, typer.Option("--out", "-o", help="Where the adapter goes.")] = Path("words.gguf"),
    talks: Annotated[
        list[Path] | None,
        typer.Option("--talks", help="Whole talks with good replies, as samples/talks/everyday.jsonl.gz; may be repeated."),
    ] = None,
    left_out: Annotated[
        list[str] | None,
        typer.Option("--left-out", help="A writer to look at while learning, and not to learn from; may be repeated."),
    ] = None,
    epochs: Annotated[float, typer.Option("--epochs", min=0.001, help="How often all lessons are gone through.")] = 1.0,
    rate: Annotated[float, typer.Option("--rate", min=1e-7, help="How fast it learns.")] = 2e-4,
    seed: Annotated[int, typer.Option("--seed", help="Of what is drawn by chance.")] = 7,
    start: Annotated[Path | None, typer.Option("--from", help="An adapter to go on from.")] = None,
    licence: Annotated[str, typer.Option("--licence", help="That of the corpus decides.")] = "Apache-2.0",
) -> None:
    """Teach the words, an adapter for the large embedded model. Ten minutes on a graphics card, days on two cores."""
    try:
        from heartfelt.tuning import large
        from heartfelt.tuning.words import teach as teaching
    except ImportError:
        raise MissingExtra("Tuning", "tune") from None
    from heartfelt.models.embedded.drafts import MARKS
    from heartfelt.tuning.words.corpus import LEFT_OUT, WordsCorpus
    from heartfelt.tuning.words.lessons import WordsLessons, pack

    found = WordsCorpus.read(corpus, talks or ())
    recipe = teaching.WordsTeaching(rank=32, alpha=64.0, rate=rate, epochs=epochs, seed=seed)
    tokenizer = large.tokenizer()
    learnt, looked = found.lessons(WordsLessons(tokenizer), Random(seed), left_out or LEFT_OUT)
    with TemporaryDirectory() as folder:
        paths = Path(folder, "learnt.npz"), Path(folder, "looked.npz")
        for lessons, path in zip((learnt, looked), paths, strict=True):
            pack(lessons, path)
        network = large.network(rank=recipe.rank, alpha=recipe.alpha, dropout=recipe.dropout, start=start)
        digits = [tokenizer.tokens(mark)[0] for mark in MARKS]
        train, valid = map(teaching.Packed.load, paths)
        teaching.teach(network, train, valid, recipe, digits, lambda line: err.print(line, style="dim"))
    off = large.exported(network, recipe.alpha, target, licence)
    told = f"taught on {len(learnt)} lessons, looked at {len(looked)}; the file is off by {off:.2g} at most"
    out.print(f"{target}: {told}.", markup=False)
