"""A bank of plain replies that are right for anybody whose message is of that kind: for when nothing better is sure.

They name no fact, so they get none wrong. Written for Heartfelt; `plain.tsv` holds one a line, with the mean mark that blind
raters gave it after messages of its kind (drawn towards the mean of all where few rated it), and how many marks there were.
"""

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from zlib import crc32

from heartfelt.records import Dialogue

KINDS = {
    "bad": "bad news or pain, none of the following",
    "loss": "a death or a parting, missing somebody or something",
    "wrong": "somebody wronged or hurt them",
    "worry": "something ahead or unknown that troubles them",
    "fault": "they did or failed something: shame, guilt",
    "nuisance": "something small that annoys",
    "ironic": "sarcasm, understatement, an 'I'm fine' that is not meant",
    "mixed": "glad and sad at once, torn",
    "memory": "telling of long ago, fondly or wistfully",
    "good": "good news, pride, joy",
    "delight": "a small delight, cosy, amused",
    "chat": "neutral talk, facts, plans",
    "unclear": "too short or vague to know",
    "question": "they ask the listener something: advice, an opinion, a fact, about itself",
    "correct": "they correct, scold, test or reject the listener",
    "thanks": "they thank or say goodbye",
}
"""The kinds of messages, and what each is."""
EXACT, ANY_FEELING = 0.4, 0.15
"""What it is worth that a reply is for the very feeling, or for any, in marks."""
OTHER_PLACE = 0.5
"""What it costs that a reply is for another place in the talk."""
VARIETY = 0.3
"""How far chance, which is the same for the same words, may change the order: nobody should always hear the same."""


@dataclass(frozen=True)
class PlainReply:
    kind: str
    """What the message is, one of `KINDS`."""
    when: str
    """`first` answers an opening, `later` a follow-up, `any` both."""
    feelings: frozenset[str]
    """Empty: any."""
    mark: float
    text: str


@cache
def replies() -> tuple[PlainReply, ...]:
    text = files("heartfelt.agents").joinpath("plain.tsv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    return tuple(
        PlainReply(row["kind"], row["when"], _feelings(row["feelings"]), float(row["mark"]), row["reply"]) for row in rows
    )


def fitting(dialogue: Dialogue, *, kind: str, emotion: str = "", most: int = 3) -> tuple[str, ...]:
    """The replies that promise most for this message; the same ones for the same words, and none that was said before."""
    when = "first" if len(dialogue.turns) == 1 else "later"
    told = {turn.text for turn in dialogue.turns}
    fit = [reply for reply in replies() if reply.kind == kind and reply.text not in told]
    fit.sort(key=lambda reply: -_worth(reply, emotion, when, dialogue.last.text))
    return tuple(reply.text for reply in fit[:most])


def _worth(reply: PlainReply, emotion: str, when: str, said: str) -> float:
    feeling = ANY_FEELING if not reply.feelings else EXACT if emotion in reply.feelings else 0.0
    place = 0.0 if reply.when in (when, "any") else OTHER_PLACE
    chance = (crc32(f"{said}\0{reply.text}".encode()) % 1000) / 1000
    return reply.mark + feeling - place + VARIETY * chance


def _feelings(text: str) -> frozenset[str]:
    return frozenset() if text == "any" else frozenset(text.split(","))
