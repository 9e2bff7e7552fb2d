"""Replies to somebody in danger, each written for one message and fit for others that do the same.

They were written and reviewed beforehand, and are said word for word (`crisis_replies.csv`; docs/design/safety.md). Found are
those for the same acts, the same kind of danger and a message that is near in meaning; which of them answers what was said, the
large reader judges.
"""

import csv
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from heartfelt.memory.embed import Embedder, MiniLM
from heartfelt.records import Alert, Danger, Dialogue, DialogueAct, Tier, Who
from heartfelt.safety.detect.wordings import asks_about_dying
from heartfelt.safety.respond.crisis_plan import addressed
from heartfelt.safety.respond.supposed import supposes_more

FILE = Path(__file__).with_name("crisis_replies.csv")
VECTORS = Path(__file__).with_name("crisis_replies.npz")
OFFERED = 4
"""Replies that are judged. One takes as long to read as a sentence."""
ACT, NEAR, DANGER, TIER = 1.6, 1.0, 0.35, 0.25
"""What it is worth that a reply was written for an act (times how likely the message does that), for a message near in meaning
(times the cosine), for the same danger, and for one as grave."""
_OUTRIGHT = re.compile(r"\{|suicid|\bkill|\bend(ing)? (your|it\b)|\b(die|dying|death)\b|(hurt|harm)(ing)? yourself", re.I)
"""What is not said where there is only a doubt."""


class CrisisReply(NamedTuple):
    act: DialogueAct
    danger: Danger
    who: Who
    tier: Tier
    text: str


def candidates(
    alert: Alert, acts: Mapping[DialogueAct, float], dialogue: Dialogue, embedder: Embedder | None = None
) -> tuple[str, ...]:
    """The replies that promise most, best first. None says again what was said before, asks again whether somebody thinks of
    dying, or supposes what the person never said."""
    said = dialogue.last.text
    near = vectors() @ (embedder or _embedder()).embed([said])[0]
    heard = [turn.text for turn in dialogue.turns if turn.speaker == dialogue.listener]
    turns = [turn.text for turn in dialogue.turns if turn.speaker != dialogue.listener]
    told = " ".join(turns)
    earlier, asked = " ".join(heard), any(asks_about_dying(text) for text in heard)

    def worth(at: int, reply: CrisisReply) -> float:
        found = ACT * acts.get(reply.act, 0.0) + NEAR * float(near[at])
        return found + DANGER * (reply.danger == alert.danger) + TIER * (reply.tier == alert.tier)

    doubt, who = alert.state == "doubt", addressed(alert, said, turns)
    fit = [
        (worth(at, reply), reply.text)
        for at, reply in enumerate(replies())
        if reply.who == who
        and not (doubt and (_OUTRIGHT.search(reply.text) or reply.tier != "concern"))
        and _bare(reply.text) not in earlier
        and not (asked and asks_about_dying(reply.text))
        and not supposes_more(reply.text, told)
    ]
    return tuple(text for _, text in sorted(fit, reverse=True)[:OFFERED])


@cache
def replies() -> tuple[CrisisReply, ...]:
    with FILE.open(encoding="utf-8", newline="") as file:
        return tuple(
            CrisisReply(row["act"], row["danger"], row["who"], row["tier"], row["reply"])  # type: ignore[arg-type]
            for row in csv.DictReader(file)
        )


def write_vectors() -> None:
    """After the table of replies was changed: `python -m heartfelt.safety.respond.reply_bank`."""
    with FILE.open(encoding="utf-8", newline="") as file:
        said = [row["said"] for row in csv.DictReader(file)]
    np.savez_compressed(VECTORS, vectors=MiniLM().embed(said).astype(np.float16))


@cache
def vectors() -> NDArray[np.float32]:
    """Of the message that each reply was written for."""
    with np.load(VECTORS, allow_pickle=False) as data:
        found: NDArray[np.float32] = data["vectors"].astype(np.float32)
    return found


def _bare(text: str) -> str:
    """Without what is filled in only when it is said."""
    return text.partition("{")[0].strip() or text


@cache
def _embedder() -> Embedder:
    return MiniLM()


if __name__ == "__main__":
    write_vectors()
