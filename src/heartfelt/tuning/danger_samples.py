"""Lessons for the large reader from every kind of sample: messages, acts, whole talks, replies and what is wrong with them."""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from heartfelt.errors import InputError
from heartfelt.safety.detect.large_prompt import LABELS
from heartfelt.safety.detect.message import LISTENER, PERSON, PersonMessage, line
from heartfelt.tuning.danger_talks import UNKNOWN, TalkLesson
from heartfelt.tuning.words import exchanges

CALM = ("off_topic", "joke", "denied", "thanks", "fiction")
"""Acts that by themselves tell of no danger."""
GOOD, BAD = 4.0, 2.0
"""Marks of raters from which, and up to which, a reply is taken to answer what was said, and to miss it."""
MARKS = {"G": "fits", "A": "", "B": "misses"}
Lines = tuple[str, ...]


def read_samples(paths: Iterable[Path]) -> list[TalkLesson]:
    """All lessons of some files, by what each holds (samples/safety/README.md); replies need their talks among them."""
    known = dict[tuple[str, int], Lines]()
    files = sorted(paths, key=lambda path: ".jsonl" not in path.suffixes)  # talks first: marks refer to them
    return [lesson for path in files for lesson in _read(path, known)]


def read_ordinary(path: Path) -> Iterator[TalkLesson]:
    """What people say in exchanges and openings, or a message a line: nobody is in danger."""
    calm = labels_of(tier="none")
    if ".jsonl" not in path.suffixes:
        yield from (TalkLesson(PersonMessage(text), calm) for text in _plain_lines(path))
        return
    for text in exchanges.lines(path):
        row = json.loads(text)
        if row.get("set", "rate") == "rate":
            turns, said = row["turns"], _lines(row["turns"])
            for at in range(0, len(said), 2):
                asked, before = (turns[at - 1], turns[at - 2]) if at else ("", "")
                yield TalkLesson(PersonMessage(turns[at], asked, before, said[:at]), calm)


def read_rated(path: Path) -> Iterator[TalkLesson]:
    """Replies to ordinary talk that raters marked high or low."""
    for rated in exchanges.read_ratings(path):
        if not BAD < rated.mark < GOOD:
            *earlier, last = rated.turns
            fits = "fits" if rated.mark >= GOOD else "misses"
            yield TalkLesson(PersonMessage(last, earlier=_lines(earlier)), labels_of(fits=fits), rated.reply)


def labels_of(
    *, tier: str = "", danger: str = "", who: str = "", act: str = "", fault: str = "", fits: str = ""
) -> tuple[int, ...]:
    """By their names; what is empty or `-` is not known, but for faults, where `-` is none."""
    given = (tier, danger if danger != "-" else "", who if who != "-" else "", act, fault, fits)
    return tuple(names.index(name) if name else UNKNOWN for names, name in zip(LABELS, given, strict=True))


def _read(path: Path, known: dict[tuple[str, int], Lines]) -> Iterator[TalkLesson]:
    try:
        if ".jsonl" in path.suffixes:
            yield from _talks(path, known)
            return
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                yield _lesson(row, known)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from None
    except (KeyError, ValueError, TypeError, csv.Error) as error:
        raise InputError(f"{path} does not hold samples for the reader of danger: {error}") from None


def _talks(path: Path, known: dict[tuple[str, int], Lines]) -> Iterator[TalkLesson]:
    """JSON lines with `turns`: `["P", text, tier, danger, who, act]` or `["L", text]`."""
    for text in path.read_text("utf-8").splitlines():
        talk = json.loads(text)
        said: list[str] = []
        for at, (speaker, words, *labels) in enumerate(talk["turns"]):
            if speaker == "P":
                tier, danger, who, act = labels
                message = PersonMessage(words, earlier=tuple(said))
                known[talk.get("id", ""), at] = message.lines
                yield TalkLesson(message, labels_of(tier=tier, danger=danger, who=who, act=act))
            said.append(line(PERSON if speaker == "P" else LISTENER, words))


def _lesson(row: Mapping[str, str], known: Mapping[tuple[str, int], Lines]) -> TalkLesson:
    if "talk" in row:
        *earlier, last = known[row["talk"], int(row["turn"])]
        message = PersonMessage(last.removeprefix(f"{PERSON}: "), earlier=tuple(earlier))
        if "mark" not in row:
            return TalkLesson(message, labels_of(), row["reply"], written=True)
        return TalkLesson(message, labels_of(fits=MARKS[row["mark"]]), row["reply"])
    if "fault" in row:
        return TalkLesson(PersonMessage(row["said"]), labels_of(fault=row["fault"]), row["reply"])
    message = PersonMessage(row["text"], row.get("asked") or "", row.get("before") or "")
    act, tier = row.get("act") or "", row.get("tier") or ""
    if act in CALM and not tier:
        tier = "none"
    return TalkLesson(message, labels_of(tier=tier, danger=row.get("danger") or "", who=row.get("who") or "", act=act))


def _plain_lines(path: Path) -> list[str]:
    try:
        return [line.strip() for line in path.read_text("utf-8").splitlines() if line.strip()]
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"Ordinary talk cannot be read: {error}") from None


def _lines(turns: Iterable[str]) -> Lines:
    return tuple(line(LISTENER if at % 2 else PERSON, text) for at, text in enumerate(turns))
