"""Exchanges written for Heartfelt: what somebody said, what it means, how to answer it, and how not to."""

import gzip
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from pydantic import Field, ValidationError

from heartfelt.errors import InputError
from heartfelt.records import Dialogue, Plan, Record, Turn

Kind = TypeVar("Kind", bound=Record)
WORSE = (
    "cold",
    "misread",
    "nonsense",
    "platitude",
    "advice",
    "judging",
    "off",
    "self",
    "asks-known",
    "cheery",
    "repeat",
    "alarm",
)
"""The kinds of mistakes that a worse reply makes."""
FLAGS = "NMTGAIE"
"""What a rater may note of a reply: nonsense, misreads, tactless, generic, alarm without reason, unasked advice, error."""
SETS = ("choose", "everyday", "strangers", "look", "rate")
"""What an opening is for: to choose by, such as only hint, everyday ones or those of two strangers; for one last look; or for
rounds of drafts that are rated and learnt from."""


class Worse(Record):
    """A reply that a careless listener might give."""

    kind: str
    """One of `WORSE`, such as `misread`, `nonsense`, `advice`."""
    text: str


class Exchange(Record):
    id: str
    """The writer and a number."""
    writer: str
    turns: tuple[str, ...] = Field(min_length=1)
    """The person's and the listener's in turn; the first and the last are the person's."""
    emotion: str
    meaning: str
    """What happened and what it means to them: one plain sentence."""
    message: str = ""
    """Of what kind the last message is, as `heartfelt.agents.bank` names them; empty where nobody said."""
    cause: str
    """Words of the person's, as they said them."""
    plan: Plan
    reply: str
    worse: tuple[Worse, ...]
    close: str = ""
    """A reply almost in the person's own words: what a small model learns best."""

    def dialogue(self, speaker: str = "User", listener: str = "Listener") -> Dialogue:
        return dialogue_of(self.turns, speaker, listener)


class RatedReply(Record):
    """A reply to an opening, with the mark that a blind rater gave it."""

    opening: str
    """Replies to the same opening have the same."""
    turns: tuple[str, ...]
    reply: str
    mark: float = Field(ge=1, le=5)
    flags: str = ""
    """N nonsense, M misreads, T tactless, G generic, A alarm without reason, I unasked advice, E error."""
    source: str
    """Which model wrote it, and how; or `bank`."""
    message: str = ""
    """Of what kind the last message is, as in an exchange."""
    emotion: str = ""
    """How the person feels, one of 32."""
    brief: bool = False
    """Whether a few words were asked for."""

    @property
    def writer(self) -> str:
        """Who wrote the opening, as far as its name tells: `v5-e02` is by `v5`, `p-i-086` by `p-i`."""
        first, *rest = self.opening.split("-")
        return f"{first}-{rest[0]}" if rest and rest[0].isalpha() else first


class Opening(Record):
    """Something to answer, with the reply of a good listener."""

    id: str
    """The set and a number."""
    set: str
    """One of `SETS`."""
    turns: tuple[str, ...]
    reference: str
    message: str = ""
    emotion: str = ""
    plain: str = ""
    """A short reply that would fit others in the same situation too."""
    close: str = ""
    """As in an exchange."""

    @property
    def writer(self) -> str:
        """Who wrote it, as far as its name tells: `rate-v5-e02` is by `v5`."""
        parts = self.id.split("-")
        return parts[1] if len(parts) > 2 else ""


class BriefExchange(Record):
    """Something to answer in a few words."""

    id: str
    writer: str
    turns: tuple[str, ...] = Field(min_length=1)
    brief: str
    """A reaction, and mostly one easy question or one short sentence that is surely true."""
    reply: str = ""
    """A longer one, as a friend would say it."""
    point: str = ""
    """What the message means, in one plain sentence, where its meaning is a step beside its words."""
    draft: str = ""
    """What a model answered …"""
    mended: str = ""
    """… and what a rater made of it, with as few other words as would do."""


class TalkTurn(Record):
    """A message in the middle of a talk, how a good listener answers it, and what was said instead."""

    p: str
    kind: str
    """Of what kind the message is, as in an exchange."""
    good: str
    said: str


class EverydayTalk(Record):
    id: str
    """The writer and a number."""
    turns: tuple[TalkTurn, ...] = Field(min_length=1)

    def openings(self) -> Iterator[Opening]:
        """Each message with what was said before it, to be answered as a good listener does."""
        before: list[str] = []
        for number, turn in enumerate(self.turns):
            turns = (*before, turn.p)
            yield Opening(
                id=f"rate-{self.id}-{number}", set="rate", turns=turns, reference=turn.good, message=turn.kind, close=turn.good
            )
            before += turn.p, turn.said


def dialogue_of(turns: Sequence[str], speaker: str = "User", listener: str = "Listener") -> Dialogue:
    """The person's and the listener's words in turn, the last the person's."""
    names = (speaker, listener)
    return Dialogue(turns=tuple(Turn(speaker=names[i % 2], text=text) for i, text in enumerate(turns)), listener=listener)


def read_ratings(path: Path) -> Iterator[RatedReply]:
    return _all(RatedReply, path)


def read_openings(path: Path) -> Iterator[Opening]:
    return _all(Opening, path)


def read_briefs(path: Path) -> Iterator[BriefExchange]:
    return _all(BriefExchange, path)


def read_talks(path: Path) -> Iterator[EverydayTalk]:
    return _all(EverydayTalk, path)


def read_exchanges(path: Path) -> Iterator[Exchange]:
    """All exchanges of a file, one a line, compressed or not."""
    return _all(Exchange, path)


def lines(path: Path) -> Iterator[bytes]:
    """As they are: one with a broken letter spoils no other."""
    opened = gzip.open if path.suffix == ".gz" else open
    try:
        with opened(path, "rb") as file:
            yield from file
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path} cannot be read: {error}. It may be cut off: fetch it again.") from None


def _all(kind: type[Kind], path: Path) -> Iterator[Kind]:
    for number, line in enumerate(lines(path), 1):
        try:
            yield kind.model_validate_json(line)
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(map(str, first["loc"])) or "it"
            raise InputError(f"Line {number} of {path} is not what it should be: {place}: {first['msg']}.") from None
