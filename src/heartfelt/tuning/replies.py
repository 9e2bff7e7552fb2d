"""What the whole default recipe replies to turns that were not learnt from: how varied it is, and how often it only repeats."""

import asyncio
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from heartfelt.agents import Respond
from heartfelt.evaluation.weak import written_out
from heartfelt.listener import Listener
from heartfelt.models.seam import Model
from heartfelt.records import Dialogue, Forecast, Outcome
from heartfelt.safety.settings import Safety
from heartfelt.setup import Setup
from heartfelt.text import within
from heartfelt.tuning import corpora
from heartfelt.tuning.corpora import Talk
from heartfelt.tuning.measure import Told, interval

CORPUS = "empathetic_dialogues"

NOBODY = Setup(safety=Safety(on=False))
"""A corpus is answered, not a person: nothing is looked for and nothing replaced."""


@dataclass(frozen=True)
class RecipeReplies:
    """Turns of a corpus that the whole default recipe has answered."""

    gold: list[str]
    """What was felt."""
    said: list[str]
    seconds: list[float]
    forecasts: list[Forecast]
    """Of the first pass, before anything was mended."""


def answered(
    model: Model, data: Path, *, split: str, turns: int, seed: int, told: Told, setup: Setup = NOBODY
) -> RecipeReplies:
    talks = corpora.held_out(CORPUS, data, split)
    asked = last_turns(talks, turns, seed)
    outcomes = asyncio.run(_outcomes(model, setup, asked, f"{split} replies", told))
    return RecipeReplies(
        gold=felt(talks, asked),
        said=[outcome.reply for outcome in outcomes],
        seconds=[outcome.ms / 1000 for outcome in outcomes],
        forecasts=[_forecast(outcome) for outcome in outcomes],
    )


def reply_figures(made: RecipeReplies, data: Path) -> dict[str, Any]:
    """How varied the replies are, and how many a person of the training split has written; under `said`, all of them."""
    written = [turn.text for talk in corpora.training(CORPUS, data) for turn in talk.dialogue.turns if not turn.emotion]
    known = {plain(text) for reply in written for text in (reply, within(reply, sentences=Respond().sentences))}
    said = made.said
    return {
        "distinct_words": round(distinct(said, 1), 4),
        "distinct_pairs": round(distinct(said, 2), 4),
        "repeats_a_training_reply": interval([plain(reply) in known for reply in said]),
        "different_replies": round(len({plain(reply) for reply in said}) / max(1, len(said)), 4),
        "words_a_reply": round(float(np.mean([len(reply.split()) for reply in said])), 2),
        "seconds_a_turn": round(float(np.median(made.seconds)), 2),
        "replies": len(said),
        "said": said,
    }


def last_turns(talks: list[Talk], turns: int, seed: int) -> list[Dialogue]:
    """Talks up to the speaker's last turn, without the gold labels."""
    found: list[Dialogue] = []
    for talk in Random(f"{seed}/replies").sample(talks, min(turns, len(talks))):
        place = max(i for i, turn in enumerate(talk.dialogue.turns) if turn.emotion)
        heard = tuple(turn.model_copy(update={"emotion": None}) for turn in talk.dialogue.turns[: place + 1])
        found.append(talk.dialogue.model_copy(update={"turns": heard}))
    return found


def felt(talks: list[Talk], asked: list[Dialogue]) -> list[str]:
    gold = {talk.dialogue.id: talk.dialogue.turns[0].emotion or "" for talk in talks}
    return [gold[dialogue.id] for dialogue in asked]


async def _outcomes(model: Model, setup: Setup, asked: list[Dialogue], what: str, told: Told) -> list[Outcome]:
    outcomes: list[Outcome] = []
    async with Listener(setup, model=model) as listener:
        for dialogue in asked:
            outcomes.append(await listener.answer(dialogue))
            told(what, len(outcomes), len(asked))
    return outcomes


def _forecast(outcome: Outcome) -> Forecast:
    return next(record.output for record in outcome.passes[0].steps if isinstance(record.output, Forecast))


def distinct(texts: Iterable[str], size: int) -> float:
    """Different n-grams among all n-grams of all texts together, over lower-cased words (`dist_corpus`)."""
    grams = [
        tuple(words[at : at + size])
        for words in (text.lower().split() for text in texts)
        for at in range(len(words) - size + 1)
    ]
    return len(set(grams)) / max(1, len(grams))


def plain(reply: str) -> str:
    """For comparing: letters and digits in lower case."""
    return " ".join(re.findall(r"[a-z0-9']+", written_out(reply).lower()))
