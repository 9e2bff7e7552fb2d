"""What the whole default recipe replies to turns that were not learnt from: how varied it is, and how often it only repeats."""

import asyncio
import re
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from heartfelt.agents import Respond
from heartfelt.agents.speech import within
from heartfelt.listener import Listener
from heartfelt.models.seam import Model
from heartfelt.records import Dialogue
from heartfelt.setup import Setup
from heartfelt.tuning import corpora
from heartfelt.tuning.corpora import Talk
from heartfelt.tuning.measure import Told, interval
from heartfelt.tuning.weak import written_out

CORPUS = "empathetic_dialogues"


def measure_replies(
    model: Model, data: Path, *, split: str, turns: int, seed: int, told: Told, setup: Setup = Setup()
) -> dict[str, Any]:
    """Figures, and under `said` what was replied."""
    read = corpora.scored_test if split == "test" else corpora.validation
    asked = last_turns(read(CORPUS, data), turns, seed)
    said, seconds = asyncio.run(_replied(model, setup, asked, f"{split} replies", told))
    written = [turn.text for talk in corpora.training(CORPUS, data) for turn in talk.dialogue.turns if not turn.emotion]
    known = {plain(text) for reply in written for text in (reply, within(reply, sentences=Respond().sentences))}
    copied = [plain(reply) in known for reply in said]
    return {
        "distinct_words": round(distinct(said, 1), 4),
        "distinct_pairs": round(distinct(said, 2), 4),
        "repeats_a_training_reply": interval(copied),
        "different_replies": round(len({plain(reply) for reply in said}) / max(1, len(said)), 4),
        "words_a_reply": round(float(np.mean([len(reply.split()) for reply in said])), 2),
        "seconds_a_turn": round(float(np.median(seconds)), 2),
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


async def _replied(model: Model, setup: Setup, asked: list[Dialogue], what: str, told: Told) -> tuple[list[str], list[float]]:
    said: list[str] = []
    seconds: list[float] = []
    async with Listener(setup, model=model) as listener:
        for dialogue in asked:
            outcome = await listener.answer(dialogue)
            said.append(outcome.reply)
            seconds.append(outcome.ms / 1000)
            told(what, len(said), len(asked))
    return said, seconds


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
