"""What is wrong with a file of exchanges, ratings or openings, line by line, and what it holds.

A fault is what a writer has to mend. What is only worth a look, such as two persons who say nearly the same, is told as such.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from difflib import get_close_matches
from itertools import islice, pairwise
from math import ceil
from pathlib import Path
from statistics import median
from typing import Any, Literal, TypeAlias

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from heartfelt.agents.kinds import KINDS
from heartfelt.agents.plan import DIMENSIONS
from heartfelt.errors import InputError
from heartfelt.labels import label_set
from heartfelt.records import Record
from heartfelt.text import normalised
from heartfelt.tuning.words.exchanges import FLAGS, SETS, WORSE, Exchange, Opening, RatedReply, lines

REPLY = 45
"""The most words of a reply."""
MEANING = (6, 40)
"""The fewest and the most words of a meaning."""
MISTAKES = 2
"""Worse replies of an exchange."""
FIRST = 3
"""Words that begin a reply: no beginning should be everywhere."""
ALIKE = 0.5
"""The share of pairs of neighbouring words in common from which two texts are nearly the same."""
TELLING = 8
"""Texts of fewer words are alike by chance."""
HEAD = 20
"""Lines that say of which kind a file is."""

Kind: TypeAlias = Literal["exchanges", "ratings", "openings"]
Sort: TypeAlias = Literal["form", "name", "turns", "label", "cause", "reply", "meaning", "worse", "twice"]
Pair: TypeAlias = tuple[str, str]
Row: TypeAlias = Exchange | RatedReply | Opening
Wrong: TypeAlias = tuple[Sort, str]
"""Of what sort, and in words: what is wrong, and what to do."""

ROWS: dict[Kind, type[Row]] = {"exchanges": Exchange, "ratings": RatedReply, "openings": Opening}
TELLS: dict[Kind, set[str]] = {"exchanges": {"meaning", "worse"}, "ratings": {"mark", "opening"}, "openings": {"reference"}}
"""Fields that no other kind has."""
_NAMED = re.compile(r"(user|listener|speaker|assistant)\s*:", re.IGNORECASE)


class FileFault(Record):
    line: int
    """From 1."""
    id: str = ""
    """Empty where it cannot be read."""
    sort: Sort
    text: str
    """What is wrong, and what to do."""


class Near(Record):
    """Two lines on which persons say nearly the same."""

    lines: tuple[int, int]
    ids: tuple[str, str]
    alike: float
    """The share of pairs of neighbouring words in common."""


class ByTurns(Record):
    """What has this many turns."""

    turns: int
    """0: all."""
    count: int
    said: float
    """Words of the person's, the median."""
    said_most: int
    reply: float
    """Words of the reply, the median."""
    reply_most: int
    asks: float
    """The share of replies with a question."""


class CheckedFile(Record):
    path: str
    kind: Kind
    count: int
    """Lines that could be read."""
    faults: tuple[FileFault, ...]
    near: tuple[Near, ...]
    by_turns: tuple[ByTurns, ...]
    """Row by row, all of them last."""
    firsts: dict[str, int]
    """The words that begin most replies."""
    counts: dict[str, dict[str, int]]
    """Of each field that takes a few values, how often each is there."""
    marks: dict[str, float]
    """The mean mark of each source."""

    @property
    def is_whole(self) -> bool:
        return not self.faults


def kind_of(path: Path) -> Kind | None:
    """By its first lines or, where they say nothing, by its name. None: it is no such file."""
    fields: set[str] = set()
    try:
        for line in islice(lines(path), HEAD):
            fields |= _fields(line)
    except InputError:
        pass  # what could be read tells, or the name does; `check` says that it is broken
    told: list[Kind] = [kind for kind, telling in TELLS.items() if telling & fields]
    named: list[Kind] = [kind for kind in ROWS if path.name.startswith(f"{kind}.")]
    return next(iter(told + named), None)


def check(path: Path) -> CheckedFile:
    if not path.is_file():
        raise InputError(f"There is no file at {path}. Give the path of one.")
    kind = kind_of(path)
    if kind is None:
        raise InputError(f"{path} holds neither exchanges nor ratings nor openings. See samples/exchanges/README.md.")
    rows, faults = _read(path, ROWS[kind])
    for number, row in rows:
        faults += [_fault(number, row, wrong) for wrong in _wrong(row)]
    faults += _twice(rows)
    return CheckedFile(
        path=str(path),
        kind=kind,
        count=len(rows),
        faults=tuple(sorted(faults, key=lambda fault: fault.line)),
        near=tuple(_near(_heard(rows))),
        by_turns=tuple(_by_turns([row for _, row in rows])),
        firsts=_firsts([_reply(row) for _, row in rows]),
        counts=_counts([row for _, row in rows]),
        marks=_marks([row for _, row in rows if isinstance(row, RatedReply)]),
    )


# ── form ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _read(path: Path, kind: type[Row]) -> tuple[list[tuple[int, Row]], list[FileFault]]:
    """The lines that have the right form, with their numbers, and what is wrong with the others."""
    rows: list[tuple[int, Row]] = []
    faults: list[FileFault] = []
    number = 0
    try:
        for number, line in enumerate(lines(path), 1):
            try:
                rows.append((number, kind.model_validate_json(line)))
            except ValidationError as error:
                told = ["is empty: take it out"] if not line.strip() else [_in_words(each) for each in error.errors()]
                faults += [FileFault(line=number, sort="form", text=text) for text in told]
    except InputError as error:
        faults.append(FileFault(line=number + 1, sort="form", text=str(error)))
    if not rows and not faults:
        faults.append(FileFault(line=1, sort="form", text="the file is empty: is it the right one?"))
    return rows, faults


def _in_words(error: ErrorDetails) -> str:
    place = ".".join(map(str, error["loc"]))
    match error["type"]:
        case "json_invalid":
            why = str(error.get("ctx", {}).get("error", "")).replace("line 1 ", "")
            return f"is not JSON ({why}): write one object a line, in UTF-8"
        case "missing":
            return f"{place} is missing: add it"
        case "extra_forbidden":
            return f"{place} is no known field: take it out, or mend its name"
        case "greater_than_equal" | "less_than_equal":
            return f"{place} is {error['input']}: give 1 to 5"
        case "string_type":
            return f"{place} is not a text: write it in quotes"
        case "tuple_type":
            return f"{place} is not a list: write it in square brackets"
        case "too_short":
            return f"{place} is an empty list: add what was said"
        case _:
            return f"{place or 'it'} is not what it should be ({error['msg']}): see samples/exchanges/README.md"


def _fields(line: bytes) -> set[str]:
    try:
        found: Any = json.loads(line)
    except (ValueError, RecursionError):
        return set()
    return set(found) if isinstance(found, dict) else set()


# ── one line ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _wrong(row: Row) -> Iterator[Wrong]:
    yield from _wrong_turns(row.turns)
    yield from _unknown("emotion", row.emotion, label_set("ed32").labels, may_lack=not isinstance(row, Exchange))
    yield from _unknown("message", row.message, KINDS, may_lack=True)
    match row:
        case Exchange():
            yield from _wrong_exchange(row)
        case RatedReply():
            yield from _wrong_rating(row)
        case Opening():
            yield from _unknown("set", row.set, SETS)
            yield from _wrong_id(row.id, row.set, "set")
            yield from _wrong_reply(row.reference, "reference")
            yield from _wrong_close(row.close)


def _wrong_turns(turns: Sequence[str]) -> Iterator[Wrong]:
    """Turns bear no names, so who speaks is only told by their order."""
    if not turns:
        yield "turns", "turns is an empty list: add what was said"
    elif len(turns) % 2 == 0:
        yield "turns", f"has {len(turns)} turns, so the listener speaks last: end with a turn of the person's"
    for place, text in enumerate(turns, 1):
        if not text.strip():
            yield "turns", f"turn {place} is empty, so one side speaks twice: write it, or take out its neighbour too"
        elif named := _NAMED.match(text):
            yield "turns", f"turn {place} begins with '{named[0]}': write the words alone, the two sides in turn"
    for place, (one, other) in enumerate(pairwise(turns), 1):
        if one.strip() and one.strip() == other.strip():
            yield "turns", f"turns {place} and {place + 1} are the same: take out one, and see that the two still alternate"


def _wrong_exchange(row: Exchange) -> Iterator[Wrong]:
    yield from _wrong_id(row.id, row.writer, "writer")
    for name, options in DIMENSIONS.items():
        yield from _unknown(f"plan.{name}", getattr(row.plan, name), options)
    if not row.cause.strip():
        yield "cause", "cause is empty: quote words of the person's"
    elif not any(_quotes(row.cause, turn) for turn in row.turns[::2]):
        yield "cause", f"cause '{_short(row.cause)}' stands in no turn of the person's: quote their own words"
    yield from _wrong_reply(row.reply, "reply")
    yield from _wrong_close(row.close)
    fewest, most = MEANING
    if not fewest <= (count := _words(row.meaning)) <= most:
        yield "meaning", f"meaning has {count} words: write one sentence of {fewest} to {most}"
    yield from _wrong_worse(row)


def _wrong_worse(row: Exchange) -> Iterator[Wrong]:
    if len(row.worse) != MISTAKES:
        yield "worse", f"has {len(row.worse)} worse replies: give {MISTAKES}"
    told = {row.reply.strip(): "the reply"}
    for place, worse in enumerate(row.worse, 1):
        yield from _unknown(f"kind of worse reply {place}", worse.kind, WORSE)
        text = worse.text.strip()
        if not text:
            yield "worse", f"worse reply {place} is empty: write it"
        elif text in told:
            yield "worse", f"worse reply {place} is the same as {told[text]}: write another"
        told.setdefault(text, f"worse reply {place}")


def _wrong_rating(row: RatedReply) -> Iterator[Wrong]:
    if not row.opening.strip():
        yield "name", "opening is empty: name it, the same for all replies to it"
    if not row.source.strip():
        yield "name", "source is empty: say which model wrote the reply, or bank"
    if not row.reply.strip():
        yield "reply", "reply is empty: write what was rated, or take out the line"
    if unknown := "".join(sorted(set(row.flags) - set(FLAGS))):
        yield "label", f"flags '{row.flags}' has '{unknown}', which is no flag: use letters of {FLAGS}"
    if len(set(row.flags)) < len(row.flags):
        yield "label", f"flags '{row.flags}' has a letter twice: write each once"


def _wrong_reply(text: str, name: str) -> Iterator[Wrong]:
    if not text.strip():
        yield "reply", f"{name} is empty: write it"
    if (count := _words(text)) > REPLY:
        yield "reply", f"{name} has {count} words: shorten it to {REPLY} at most"
    if (count := text.count("?")) > 1:
        yield "reply", f"{name} asks {count} questions: keep one at most"


def _wrong_close(text: str) -> Iterator[Wrong]:
    if text:
        yield from _wrong_reply(text, "close")


def _wrong_id(name: str, owner: str, of: str) -> Iterator[Wrong]:
    if not owner.strip():
        yield "name", f"{of} is empty: say which"
    elif not name.startswith(f"{owner}-"):
        yield "name", f"id '{name}' does not begin with its {of}: write it like {owner}-001"


def _unknown(field: str, label: str, known: Collection[str], *, may_lack: bool = False) -> Iterator[Wrong]:
    if label in known or (may_lack and not label):
        return
    near = get_close_matches(label.strip().casefold(), known, n=1)
    advice = f"did you mean '{near[0]}'?" if near else f"use one of {', '.join(known)}"
    yield "label", f"{field} '{_short(label)}' is none of the {len(known)} known: {advice}"


def _quotes(cause: str, turn: str) -> bool:
    """Whatever case and punctuation; but as it stands where there are no words, as in a turn of pictures."""
    plain = normalised(cause)
    return f" {plain} " in f" {normalised(turn)} " if plain else cause.strip() in turn


# ── line against line ───────────────────────────────────────────────────────────────────────────────────────────────


def _twice(rows: list[tuple[int, Row]]) -> Iterator[FileFault]:
    """Names and words that come again; the first time they are right."""
    names: dict[str, tuple[int, Row]] = {}
    said: dict[str, tuple[int, Row]] = {}
    for number, row in rows:
        first, other = names.setdefault(_name(row), (number, row))
        if isinstance(row, RatedReply):
            if other.turns != row.turns:
                text = f"opening '{row.opening}' has other turns on line {first}: give it another name, or the same turns"
                yield _fault(number, row, ("name", text))
        elif first != number:
            yield _fault(number, row, ("name", f"id '{row.id}' is on line {first} too: give another number"))
    for number, row in _heard(rows):
        words = _said(row)
        first, other = said.setdefault(words, (number, row))
        if words and first != number:
            text = f"the person says the same words as on line {first} ({_name(other)}): take out one, or write another"
            yield _fault(number, row, ("twice", text))


def _near(rows: list[tuple[int, Row]]) -> list[Near]:
    """For each text one that is nearly the same.

    Two texts that share half of their pairs of words share one of the rarer half of them: only those are looked up.
    """
    texts = {words: (number, row) for number, row in reversed(rows) if (words := _said(row)).count(" ") + 1 >= TELLING}
    pairs = {words: frozenset(pairwise(words.split())) for words in texts}
    common = Counter(pair for each in pairs.values() for pair in each)
    holders: defaultdict[Pair, list[str]] = defaultdict(list)
    found: list[Near] = []
    for words, own in sorted(pairs.items(), key=lambda item: (len(item[1]), item[0])):
        rare = sorted(own, key=lambda pair: (common[pair], pair))[: len(own) - ceil(ALIKE * len(own)) + 1]
        looked = (other for pair in rare for other in holders[pair])  # ends with the first: copies of one text stay quick
        if other := next((other for other in looked if _share(own, pairs[other]) >= ALIKE), ""):
            (one, first), (two, second) = sorted((texts[words], texts[other]), key=lambda each: each[0])
            alike = round(_share(own, pairs[other]), 2)
            found.append(Near(lines=(one, two), ids=(_name(first), _name(second)), alike=alike))
        for pair in rare:
            holders[pair].append(words)
    return sorted(found, key=lambda near: (-near.alike, near.lines))


def _share(one: frozenset[Pair], other: frozenset[Pair]) -> float:
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared)


def _heard(rows: Iterable[tuple[int, Row]]) -> list[tuple[int, Row]]:
    """Each dialogue once: the replies to one opening were rated for the same words."""
    openings: set[str] = set()
    found: list[tuple[int, Row]] = []
    for number, row in rows:
        if isinstance(row, RatedReply):
            if row.opening in openings:
                continue
            openings.add(row.opening)
        found.append((number, row))
    return found


# ── figures ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _by_turns(rows: Sequence[Row]) -> Iterator[ByTurns]:
    lengths = sorted({len(row.turns) for row in rows})
    for turns in (*lengths, 0):
        group = [row for row in rows if not turns or len(row.turns) == turns]
        if not group:
            return
        said = [sum(map(_words, row.turns[::2])) for row in group]
        reply = [_words(_reply(row)) for row in group]
        yield ByTurns(
            turns=turns,
            count=len(group),
            said=median(said),
            said_most=max(said),
            reply=median(reply),
            reply_most=max(reply),
            asks=sum("?" in _reply(row) for row in group) / len(group),
        )


def _counts(rows: Sequence[Row]) -> dict[str, dict[str, int]]:
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        match row:
            case Exchange():
                found["writer"][row.writer] += 1
                found["worse"].update(worse.kind for worse in row.worse)
            case RatedReply():
                found["source"][row.source] += 1
                found["mark"][f"{row.mark:g}"] += 1
                found["flag"].update(row.flags)
                found["opening"][row.opening] += 1
            case Opening():
                found["set"][row.set] += 1
        found["emotion"][row.emotion] += 1
        found["message"][row.message] += 1
    return {field: dict(sorted(counts.items())) for field, counts in found.items()}


def _marks(rows: Sequence[RatedReply]) -> dict[str, float]:
    marks: defaultdict[str, list[float]] = defaultdict(list)
    for row in rows:
        marks[row.source].append(row.mark)
    return {source: round(sum(given) / len(given), 3) for source, given in sorted(marks.items())}


def _firsts(replies: Iterable[str], keep: int = 5) -> dict[str, int]:
    begun = Counter(" ".join(normalised(reply).split()[:FIRST]) for reply in replies)
    return {words: count for words, count in begun.most_common(keep) if words}


def _fault(number: int, row: Row, wrong: Wrong) -> FileFault:
    return FileFault(line=number, id=_name(row), sort=wrong[0], text=wrong[1])


def _name(row: Row) -> str:
    return row.opening if isinstance(row, RatedReply) else row.id


def _reply(row: Row) -> str:
    return row.reference if isinstance(row, Opening) else row.reply


def _said(row: Row) -> str:
    """The words of the person, normalised; as they stand where there are none, as in a turn of pictures."""
    text = " ".join(row.turns[::2])
    return normalised(text) or text.strip()


def _words(text: str) -> int:
    return len(text.split())


def _short(text: str, limit: int = 60) -> str:
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"
