"""A bank of plain replies that are right for anybody whose message is of that sort: for when nothing better is sure.

They name no fact of one person, so they get none wrong. Some fit everybody («Thank you for telling me that»), some a kind of
message («a loss»), some only one group of that kind («the first time alone with what the other one always did»): `plain.tsv`
holds one a line, with the mean mark that blind raters gave it (drawn towards the mean of all where few rated it) and how many
marks there were; `groups.npz` holds, for each group, the middle of the messages that it was written for. Both were written for
Heartfelt.
"""

import csv
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files
from zlib import crc32

import numpy as np

from heartfelt.agents.wish import NO_WISH, WantedReply
from heartfelt.memory.embed import Embedder, Vectors
from heartfelt.records import Dialogue
from heartfelt.text import asks

OFFERED = 4
"""Replies that are offered. Reading one takes a language model as long as writing two words."""
BASE, MARK, KIND, NEAR, GROUP, ELSEWHERE = -0.30, 0.95, 0.74, 0.78, -0.37, -0.24
"""What a reply's promise, the mark that it may get, is made of (fitted on 15,495 ratings of plain replies to 3,099 openings): a
beginning, the mark that raters gave it elsewhere, how likely the message is of its kind, how near it is to the group's messages
(a cosine), being for one group at all, and being for another place."""
LIKELY = 0.1
"""How likely a kind must be: a reply that is good for another kind is bad for this one, whatever its mark."""
CHEERFUL, CHEERS = frozenset({"good", "delight"}), 0.45
"""Kinds whose replies are glad, and how likely they must be together for one of these to be offered: gladness over a grief that
was not seen hurts more than a plain word over a joy."""
FEELING = 0.2
"""What it is worth that a reply is for the very feeling."""
VARIETY = 0.2
"""How far chance, which is the same for the same words, may change the order: nobody should always hear the same."""
VARIETY_OF_NEUTRAL = 0.45
"""The same among replies that suppose nothing, which are said to every third message."""
OF_A_GROUP = 2
"""Replies of one group that are offered at most."""
UNNAMED = 0.1
"""What a feeling counts in a kind none of whose replies names it, where one that does counts 1."""
UNSPOKEN = (
    "I hear what you say, and I think I hear what you don't say as well. Both are all right here.",
    "Those are brave words, I think. If there's something sadder behind them, it's welcome here too.",
    "You say it lightly, and still I'm not sure it's light. How are you really?",
)
"""Replies of the bank for when voice or face contradict the words, in the order in which they are said."""
UNKNOWING = (
    "I don't know enough about that to answer it well, and I won't guess. Who around you would know?",
    "Honestly, I don't know. I'm better at listening than at answers, and I'd rather say so.",
    "That's a fair question, and I have no good answer to it.",
    "I can't answer that well, and I'm sorry. I did hear that you asked.",
    "I don't know, and I don't want to make something up.",
)
"""What is said to a question where nothing is known: «Tell me more» to somebody who has just asked is no listening."""
HEARD = 3
"""Turns of the person's that say what the talk is about."""


@dataclass(frozen=True)
class PlainReply:
    kind: str
    """What the message is, one of `KINDS`; empty: anything at all."""
    when: str
    """`first` answers an opening, `later` a follow-up, `any` both."""
    feelings: frozenset[str]
    """Empty: any."""
    mark: float
    text: str
    group: int | None = None
    """The group of messages that it was written for; none: all of its kind."""


@dataclass(frozen=True)
class Candidate:
    text: str
    promise: float
    """The mark that it may get."""


@cache
def replies() -> tuple[PlainReply, ...]:
    text = files("heartfelt.agents").joinpath("plain.tsv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    return tuple(_reply(row) for row in rows)


@cache
def centres() -> Vectors:
    """The middle of each group's messages."""
    with as_file(files("heartfelt.agents").joinpath("groups.npz")) as path, np.load(path, allow_pickle=False) as data:
        found: Vectors = data["centres"].astype(np.float32)
    return found


def fitting(
    dialogue: Dialogue,
    *,
    kinds: Mapping[str, float],
    emotion: str = "",
    embedder: Embedder | None = None,
    most: int = OFFERED,
    wish: WantedReply = NO_WISH,
) -> tuple[Candidate, ...]:
    """The replies that promise most for this message, best first; the same ones for the same words, and none twice in a talk.

    `kinds`: how likely the message is of each. Without an embedder nothing is near: only what fits a whole kind is found. What
    meets a wish comes before what does not.
    """
    near = centres() @ _about(dialogue, embedder) if embedder is not None else None
    when = "first" if len(dialogue.turns) == 1 else "later"
    told = {turn.text for turn in dialogue.turns}

    def promise(reply: PlainReply) -> float:
        found = BASE + MARK * reply.mark + KIND * kinds.get(reply.kind, 0.0) + FEELING * (emotion in reply.feelings)
        if reply.group is not None and near is not None:
            found += NEAR * float(near[reply.group]) + GROUP
        if reply.when not in (when, "any"):
            found += ELSEWHERE
        return found

    def place(reply: PlainReply) -> tuple[int, bool, float]:
        return *wish.met(reply.text, reply.feelings), promise(reply) + VARIETY * chance(dialogue.last.text, reply.text)

    likely = {kind for kind, share in kinds.items() if share >= min(LIKELY, max(kinds.values()))}
    if sum(kinds.get(kind, 0.0) for kind in CHEERFUL) < CHEERS:
        likely = likely - CHEERFUL or likely
    fit = [reply for reply in replies() if reply.kind in likely and reply.text not in told]
    fit = [reply for reply in fit if reply.group is None or near is not None]
    found, taken = list[Candidate](), Counter[int]()
    for reply in sorted(fit, key=place, reverse=True):
        if reply.group is not None and taken[reply.group] == OF_A_GROUP:
            continue
        if reply.group is not None:
            taken[reply.group] += 1
        found.append(Candidate(reply.text, promise(reply)))
        if len(found) == most:
            break
    return tuple(found)


def neutral(dialogue: Dialogue, wish: WantedReply = NO_WISH, *, question: bool = False) -> str:
    """A reply that supposes nothing, for when nothing is known but that somebody said something. None twice in a talk. Who has
    asked hears that there is no answer. `question`: somebody knows that it is one, though it has no question mark."""
    told, said = {turn.text for turn in dialogue.turns}, dialogue.last.text
    if (question or asks(said)) and wish == NO_WISH and (left := [text for text in UNKNOWING if text not in told]):
        return max(left, key=lambda text: chance(said, text))
    fit = [reply for reply in replies() if not reply.kind]
    new = [reply for reply in fit if reply.text not in told] or fit

    def place(reply: PlainReply) -> tuple[int, bool, float]:
        return *wish.met(reply.text, reply.feelings), reply.mark + VARIETY_OF_NEUTRAL * chance(said, reply.text)

    return max(new, key=place).text


def unspoken(dialogue: Dialogue) -> tuple[Candidate, ...]:
    """What leaves room for what was not said, where voice or face contradict the words, and takes nothing for a joke."""
    told = {turn.text for turn in dialogue.turns}
    return tuple(Candidate(text, _by_text()[text].mark) for text in UNSPOKEN if text not in told)


def felt(kinds: Mapping[str, float], feeling: str) -> dict[str, float]:
    """How likely each kind is once somebody has said what is felt: the odds before, times how often a kind goes with it."""
    shares = {kind: share * _goes_with(kind, feeling) for kind, share in kinds.items()}
    total = sum(shares.values())
    return {kind: share / total for kind, share in shares.items()} if total else dict(kinds)


@cache
def _goes_with(kind: str, feeling: str) -> float:
    """The share of a kind's replies that are for this feeling, among those that are for any in particular."""
    named = [reply.feelings for reply in replies() if reply.kind == kind and reply.feelings]
    return (sum(feeling in feelings for feelings in named) + UNNAMED) / (len(named) + 1)


def feelings_of(text: str) -> frozenset[str]:
    """Those that a reply of the bank is for; none where it fits any, or where it is not from the bank."""
    return _by_text()[text].feelings if text in _by_text() else frozenset()


@cache
def _by_text() -> dict[str, PlainReply]:
    return {reply.text: reply for reply in replies()}


def _about(dialogue: Dialogue, embedder: Embedder) -> Vectors:
    """Where the talk is: the last message counts as much as what the person said of late altogether."""
    said = [turn.text for turn in dialogue.turns if turn.speaker == dialogue.last.speaker][-HEARD:]
    both = embedder.embed([said[-1], " ".join(said)]).sum(0)
    length = float(np.linalg.norm(both))
    return both / length if length else both


def chance(said: str, reply: str) -> float:
    """From 0 to 1, the same for the same words."""
    return (crc32(f"{said}\0{reply}".encode()) % 1000) / 1000


def _reply(row: dict[str, str]) -> PlainReply:
    feelings = frozenset() if row["feelings"] == "any" else frozenset(row["feelings"].split(","))
    group = int(row["group"]) if row["group"] else None
    return PlainReply(row["kind"], row["when"], feelings, float(row["mark"]), row["reply"], group)
