"""The ratings on disk: a file for each rater and mode, which only grows. An undo is a line, too."""

import re
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Literal, TypeAlias

from heartfelt.evaluation.experiments.folder import RunFolder
from heartfelt.evaluation.lines import Lines
from heartfelt.evaluation.rating.sheet import Mode, ReplySource, unit_key
from heartfelt.records import Record

Mark: TypeAlias = int | Literal["a", "b", "tie"]


class Entry(Record):
    """One line."""

    kind: Literal["begun", "rated", "undone"]
    rater: str
    mode: Mode
    at: str
    """When, in UTC."""
    item: str = ""
    dialogue: str = ""
    sources: tuple[ReplySource, ...] = ()
    """The system, or the two systems a and b."""
    first: Literal["a", "b"] = "a"
    """Which of two stood first."""
    marks: dict[str, Mark] = {}
    """By criterion: 1 to 5, or who won."""
    seconds: float = 0.0
    """How long it was looked at."""

    @property
    def key(self) -> str:
        return unit_key(self.item, self.sources)


def file_of(folder: RunFolder, mode: Mode, rater: str) -> Path:
    """Two names that are spelled alike for a file system still have two files."""
    plain = re.sub(r"[^a-z0-9]+", "-", rater.casefold()).strip("-")[:24] or "rater"
    return folder.path / "ratings" / f"{mode}-{plain}-{sha256(rater.casefold().encode()).hexdigest()[:8]}.jsonl"


def entries(folder: RunFolder, mode: Mode | None = None) -> list[Entry]:
    """All lines of a run's raters, in the order of each file."""
    paths = sorted((folder.path / "ratings").glob(f"{mode or '*'}-*.jsonl"))
    return [entry for path in paths for entry in Lines(path, Entry)]


def standing(found: Iterable[Entry]) -> dict[tuple[str, str], Entry]:
    """What holds after undos, by rater and unit, the latest last. Marks on further criteria join earlier ones."""
    given: dict[tuple[str, str], list[Entry]] = {}
    for each in (each for each in found if each.kind != "begun"):
        at = (each.rater.casefold(), f"{each.mode} {each.key}")
        before = given.pop(at, [])
        if each.kind == "undone":
            given[at] = before[:-1]
        else:
            given[at] = [*before, each.model_copy(update={"marks": (before[-1].marks if before else {}) | each.marks})]
    return {at: rated[-1] for at, rated in given.items() if rated}


def ratings(folders: Sequence[RunFolder], mode: Mode | None = None) -> list[Entry]:
    """The ratings that hold, of all raters of some runs."""
    return list(standing(each for folder in folders for each in entries(folder, mode)).values())
