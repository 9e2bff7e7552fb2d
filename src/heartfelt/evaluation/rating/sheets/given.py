"""What is given: openings, and what each system replied to them. One JSON object a line, compressed or not."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TypeVar

from pydantic import Field, ValidationError

from heartfelt.datasets.files import lines
from heartfelt.datasets.notes import DatasetNotes
from heartfelt.errors import InputError, UsageError
from heartfelt.records import Record

REFERENCE = "reference"
"""The system that the openings' own replies stand for."""


class _Row(Record, extra="ignore"):
    id: str = Field(min_length=1)


class SheetOpening(_Row):
    turns: tuple[str, ...] = Field(min_length=1)
    """The person's and the listener's in turn; the last is the person's."""
    reference: str | None = None
    """A reply written for it."""


class _Replied(_Row):
    reply: str
    """Empty where the system gave none."""


_Kind = TypeVar("_Kind", bound=_Row)


def read_openings(path: Path) -> dict[str, SheetOpening]:
    return _by_id(SheetOpening, path)


def read_systems(given: Iterable[str], openings: Mapping[str, SheetOpening]) -> dict[str, dict[str, str]]:
    """By the name of each system, by opening: what it replied. From NAME=FILE, and from the openings' references."""
    found: dict[str, dict[str, str]] = {}
    for each in given:
        name, is_, file = each.partition("=")
        if not (name.strip() and is_ and file):
            raise UsageError(f"'{each}' names no system with its replies. Give NAME=FILE, such as new=replies.jsonl.")
        if name in found:
            raise UsageError(f"Two systems are named '{name}'. Give each a name of its own.")
        found[name] = _replies(name, Path(file), openings)
    references = {opening.id: opening.reference for opening in openings.values() if opening.reference}
    if references and REFERENCE in found:
        raise UsageError(f"The openings bring a '{REFERENCE}' of their own. Give your system another name.")
    return found | ({REFERENCE: references} if references else {})


def _replies(name: str, path: Path, openings: Mapping[str, SheetOpening]) -> dict[str, str]:
    """To all openings; replies to others are left out."""
    given = _by_id(_Replied, path)
    if missing := [each for each in openings if each not in given]:
        raise InputError(
            f"{path}: '{name}' has no reply to {len(missing)} of {len(openings)} openings, such as '{missing[0]}'. Give all; "
            "where the system failed, an empty one."
        )
    return {each: given[each].reply for each in openings}


def _by_id(kind: type[_Kind], path: Path) -> dict[str, _Kind]:
    if not path.is_file():
        raise InputError(f"There is no file {path}. Give one with a JSON object on each line.")
    found: dict[str, _Kind] = {}
    for number, line in lines(path, DatasetNotes()):
        if not line.strip():
            continue
        row = _row(kind, line, f"{path}, line {number}")
        if row.id in found:
            raise InputError(f"{path}, line {number}: the id '{row.id}' stands there for a second time. Keep one of them.")
        found[row.id] = row
    if not found:
        raise InputError(f"{path} is empty. Give one with a JSON object on each line.")
    return found


def _row(kind: type[_Kind], line: str, place: str) -> _Kind:
    try:
        return kind.model_validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        what = ".".join(map(str, first["loc"])) or "the line"
        needed = ", ".join(name for name, field in kind.model_fields.items() if field.is_required())
        raise InputError(f"{place}: {what}: {first['msg']}. Each line is a JSON object with {needed}.") from None
