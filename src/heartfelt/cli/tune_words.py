"""`heartfelt tune words`: teach the adapter that understands and finds the words."""

from dataclasses import replace
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
    draws: Annotated[
        int, typer.Option("--draws", min=0, help="How often it answers what nobody answered, to learn the best; 0: never.")
    ] = 8,
    start: Annotated[Path | None, typer.Option("--from", help="An adapter to go on from.")] = None,
    licence: Annotated[str, typer.Option("--licence", help="That of the corpus decides.")] = "Apache-2.0",
) -> None:
    """Teach the words, an adapter for the large embedded model. Ten minutes on a graphics card, days on two cores."""
    try:
        from heartfelt.tuning import large
        from heartfelt.tuning.words import teach as teaching
    except ImportError:
        raise MissingExtra("Tuning", "tune") from None
    from heartfelt.agents import Respond
    from heartfelt.models.embedded.drafts import END, MARKS
    from heartfelt.tuning.words.corpus import LEFT_OUT, WordsCorpus
    from heartfelt.tuning.words.lessons import WordsLesson, WordsLessons, pack
    from heartfelt.tuning.words.own_best import again, own_best

    def said(line: str) -> None:
        err.print(line, style="dim")

    found = WordsCorpus.read(corpus, talks or ())
    recipe = teaching.WordsTeaching(rank=32, alpha=64.0, rate=rate, epochs=epochs, seed=seed)
    tokenizer = large.tokenizer()
    written = WordsLessons(tokenizer)
    learnt, looked = found.lessons(written, Random(seed), left_out or LEFT_OUT)
    network = large.network(rank=recipe.rank, alpha=recipe.alpha, dropout=recipe.dropout, start=start)
    digits = [tokenizer.tokens(mark)[0] for mark in MARKS]
    with TemporaryDirectory() as folder:

        def packed(lessons: list[WordsLesson], name: str) -> teaching.Packed:
            pack(lessons, path := Path(folder, f"{name}.npz"))
            return teaching.Packed.load(path)

        valid = packed(looked, "looked")
        teaching.teach(network, packed(learnt, "learnt"), valid, recipe, digits, said)
        if draws:
            prompts = [written.prompt(Respond(brief=True), dialogue) for dialogue in found.unanswered(left_out or LEFT_OUT)]
            end, stops = tokenizer.tokens(END, special=True)[0], frozenset(tokenizer.tokens("\n"))
            own = own_best(network, prompts, draws=draws, end=end, digits=digits, stops=stops, seed=seed, told=said)
            learnt = own + again(learnt, Random(seed))
            second = replace(recipe, rate=rate / 2, epochs=1.0, checks=1)
            teaching.teach(network, packed(learnt, "own"), valid, second, digits, said)
    off = large.exported(network, recipe.alpha, target, licence)
    told = f"taught on {len(learnt)} lessons, looked at {len(looked)}; the file is off by {off:.2g} at most"
    out.print(f"{target}: {told}.", markup=False)
