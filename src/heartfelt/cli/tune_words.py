"""`heartfelt tune words` teaches the adapter that finds the words; `heartfelt tune drafts` lets it answer, to be rated."""

import json
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Annotated, TypeAlias

import typer

from heartfelt.cli.console import err, out
from heartfelt.errors import MissingExtra
from heartfelt.files import whole

RANK, ALPHA = 32, 64.0

Corpus: TypeAlias = Annotated[Path, typer.Argument(help="A folder with exchanges, openings and ratings, as samples/exchanges.")]
LeftOut: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--left-out", help="A writer to look at while learning, and not to learn from; may be repeated."),
]
Seed: TypeAlias = Annotated[int, typer.Option("--seed", help="Of what is drawn by chance.")]
Start: TypeAlias = Annotated[Path | None, typer.Option("--from", help="An adapter to go on from.")]


def words(
    corpus: Corpus,
    *,
    target: Annotated[Path, typer.Option("--out", "-o", help="Where the adapter goes.")] = Path("words.gguf"),
    talks: Annotated[
        list[Path] | None,
        typer.Option("--talks", help="Whole talks with good replies, as samples/talks/everyday.jsonl.gz; may be repeated."),
    ] = None,
    left_out: LeftOut = None,
    epochs: Annotated[float, typer.Option("--epochs", min=0.001, help="How often all lessons are gone through.")] = 1.0,
    rate: Annotated[float, typer.Option("--rate", min=1e-7, help="How fast it learns.")] = 2e-4,
    preferences: Annotated[
        float, typer.Option("--preferences", min=0, help="How often pairs of rated answers are gone through then; 0: never.")
    ] = 0.6,
    seed: Seed = 7,
    start: Start = None,
    licence: Annotated[str, typer.Option("--licence", help="That of the corpus decides.")] = "Apache-2.0",
) -> None:
    """Teach the words, an adapter for the large embedded model. Ten minutes on a graphics card, days on two cores."""
    try:
        from heartfelt.tuning import large
        from heartfelt.tuning.words import prefer as preferring
        from heartfelt.tuning.words import teach as teaching
    except ImportError:
        raise MissingExtra("Tuning", "tune") from None
    from heartfelt.models.embedded.drafts import MARKS
    from heartfelt.tuning.words.corpus import LEFT_OUT, WordsCorpus
    from heartfelt.tuning.words.lessons import WordsLesson, WordsLessons, pack

    found = WordsCorpus.read(corpus, talks or ())
    recipe = teaching.WordsTeaching(rank=RANK, alpha=ALPHA, rate=rate, epochs=epochs, seed=seed)
    tokenizer = large.tokenizer()
    written = WordsLessons(tokenizer)
    learnt, looked = found.lessons(written, Random(seed), left_out or LEFT_OUT)
    network = large.network(rank=recipe.rank, alpha=recipe.alpha, dropout=recipe.dropout, start=start)
    digits = [tokenizer.tokens(mark)[0] for mark in MARKS]
    with TemporaryDirectory() as folder:

        def packed(lessons: list[WordsLesson], name: str) -> teaching.Packed:
            pack(lessons, path := Path(folder, f"{name}.npz"))
            return teaching.Packed.load(path)

        lessons = packed(learnt, "learnt")
        teaching.teach(network, lessons, packed(looked, "looked"), recipe, digits, _said)
        if preferences:

            def pairs(*, of_them: bool) -> preferring.PreferencePairs:
                chosen = found.preferences(Random(seed), left_out or LEFT_OUT, of_them=of_them)
                answers, weights = preferring.paired(chosen, written, recipe.length)
                return preferring.PreferencePairs(packed(answers, f"pairs-{of_them}"), weights)

            how = preferring.PreferenceTeaching(epochs=preferences, seed=seed)
            others = pairs(of_them=True)
            before = preferring.told_apart(network, others, how, recipe)
            preferring.prefer(network, pairs(of_them=False), lessons, how, recipe, digits, _said)
            after = preferring.told_apart(network, others, how, recipe)
            _said(f"of {len(others)} pairs left out the better is the likelier in {after:.3f}, before in {before:.3f}")
    off = large.exported(network, recipe.alpha, target, licence)
    told = f"taught on {len(learnt)} lessons, looked at {len(looked)}; the file is off by {off:.2g} at most"
    out.print(f"{target}: {told}.", markup=False)


def drafts(
    corpus: Corpus,
    *,
    start: Start = None,
    target: Annotated[Path, typer.Option("--out", "-o", help="Where the answers go, one message a line.")] = Path(
        "drafts.jsonl"
    ),
    draws: Annotated[int, typer.Option("--draws", min=0, help="How many are drawn beside the likeliest.")] = 6,
    most: Annotated[int, typer.Option("--most", min=1, help="How many messages are answered.")] = 1000,
    left_out: Annotated[
        list[str] | None, typer.Option("--left-out", help="A writer whose messages are not answered; may be repeated.")
    ] = None,
    seed: Seed = 7,
) -> None:
    """Let the large embedded model answer what persons say in exchanges, where no short answer was written or rated yet. Once
    raters marked them, the answers are what it learns best from: as lines of the ratings, in the next `tune words`."""
    try:
        from heartfelt.tuning import large
        from heartfelt.tuning.words import write as writing
    except ImportError:
        raise MissingExtra("Tuning", "tune") from None
    from heartfelt.agents import Respond
    from heartfelt.models.embedded.builds import WORDS
    from heartfelt.models.embedded.drafts import END, MARKS
    from heartfelt.tuning.words.corpus import LEFT_OUT, WordsCorpus
    from heartfelt.tuning.words.lessons import WordsLessons

    asked = list(WordsCorpus.read(corpus).unanswered(left_out or LEFT_OUT))
    asked = Random(seed).sample(asked, min(most, len(asked)))
    tokenizer = large.tokenizer()
    lessons, brief = WordsLessons(tokenizer), Respond(brief=True)
    network = large.network(rank=RANK, alpha=ALPHA, dropout=0.0, start=start or WORDS)
    form = writing.AnswerForm(
        end=tokenizer.tokens(END, special=True)[0],
        digits=[tokenizer.tokens(mark)[0] for mark in MARKS],
        stops=frozenset(tokenizer.tokens("\n")),
    )
    made = writing.drawn(
        network, [lessons.prompt(brief, dialogue) for dialogue in asked], form, draws=draws, seed=seed, told=_said
    )
    with whole(target) as draft:
        rows = zip(asked, made, strict=True)
        lines = (
            json.dumps(
                {
                    "turns": [turn.text for turn in dialogue.turns],
                    "replies": [
                        {"reply": " ".join(tokenizer.text(each.tokens).split()), "likely": each.likely, "mark": each.mark}
                        for each in answers
                    ],
                },
                ensure_ascii=False,
            )
            for dialogue, answers in rows
        )
        draft.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    out.print(f"{target}: {sum(map(len, made))} answers to {len(asked)} messages.", markup=False)


def _said(line: str) -> None:
    err.print(line, style="dim")
