"""What raters gave back: a file for each sheet and rater, a line for each reply."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from heartfelt.datasets.files import lines
from heartfelt.datasets.notes import DatasetNotes
from heartfelt.errors import InputError
from heartfelt.evaluation.rating.sheets.key import SHEETS, Key, SheetItem
from heartfelt.records import Record

FLAGS = {
    "N": "nonsense",
    "M": "misread",
    "T": "tactless",
    "G": "generic",
    "A": "alarm",
    "I": "advice",
    "E": "error",
}
MOST_TOLD = 5
"""Bad lines in one message."""
_LINE = re.compile(r"([0-9]{1,9})\s+(\S+)\s+(\S+)(.*)")
"""`ITEM LETTER MARK FLAGS`; flags may be missing, or `-`."""


class SheetAnswer(Record):
    rater: str
    item: int
    letter: str
    mark: int
    flags: str = ""


class SheetRater(Record):
    name: str
    marks: int
    missing: int
    """Replies without a mark on the sheets that this rater has begun."""


class Answers(Record):
    given: tuple[SheetAnswer, ...]
    raters: tuple[SheetRater, ...]
    unrated: tuple[str, ...]
    """Sheets that nobody has begun."""


class _File(NamedTuple):
    path: Path
    sheet: str
    rater: str


def read_answers(folder: Path, key: Key) -> Answers:
    sheets = key.sheets()
    found = list(_files(folder / SHEETS, sheets))
    if not found:
        raise InputError(
            f"There are no answers in {folder / SHEETS} yet. Raters put them there as sheet-01.NAME: see brief.md."
        )
    given: dict[tuple[str, int, str], SheetAnswer] = {}
    bad: list[str] = []
    for file in found:
        items = {item.number: item for item in sheets[file.sheet]}
        for number, line in lines(file.path, DatasetNotes()):
            if line.strip() and not line.lstrip().startswith("#"):
                try:
                    answer = _answer(line, file, items)
                    _once(answer, given)
                except InputError as error:
                    bad.append(f"{file.path}, line {number}: {error}")
    if bad:
        more = [f"… and {len(bad) - MOST_TOLD} more."] if len(bad) > MOST_TOLD else []
        raise InputError("\n".join([*bad[:MOST_TOLD], *more]))
    begun = {file.sheet for file in found}
    return Answers(
        given=tuple(given.values()),
        raters=tuple(_rater(name, found, given, sheets) for name in dict.fromkeys(file.rater for file in found)),
        unrated=tuple(sheet for sheet in sheets if sheet not in begun),
    )


def _files(folder: Path, sheets: dict[str, list[SheetItem]]) -> Iterator[_File]:
    """`sheet-01.ada`, and also `sheet-01.txt.ada` and `sheet-01.ada.txt`, as editors like to save it."""
    for path in sorted(folder.glob("sheet*")):
        sheet, *rest = path.name.split(".")
        names = [part for part in rest if part != "txt"]
        if sheet in sheets and rest == ["txt"]:
            continue
        if sheet not in sheets or len(names) != 1 or not re.fullmatch(r"[\w-]+", names[0]):
            raise InputError(f"{path} is not named as answers are. Name it SHEET.RATER, such as sheet-01.ada, or take it away.")
        yield _File(path, sheet, names[0].casefold())


def _answer(line: str, file: _File, items: dict[int, SheetItem]) -> SheetAnswer:
    read = _LINE.fullmatch(line.strip().upper())
    if read is None:
        raise InputError(f"'{line.strip()}' is no answer. Write ITEM LETTER MARK FLAGS, such as: 12 B 3 G")
    item, letter, mark, flags = int(read[1]), read[2], read[3], re.sub(r"[\s,-]", "", read[4])
    if item not in items:
        raise InputError(f"there is no item {item} on {file.sheet}, which has {min(items)} to {max(items)}. Mend the number.")
    if letter not in items[item].replies:
        raise InputError(f"item {item} has no reply {letter}, only {', '.join(items[item].replies)}. Mend the letter.")
    if mark not in ("1", "2", "3", "4", "5"):
        raise InputError(f"'{mark}' is no mark. Give a whole one from 1 to 5.")
    if unknown := next((flag for flag in flags if flag not in FLAGS), ""):
        raise InputError(f"'{unknown}' is no flag. Use some of {' '.join(FLAGS)}, or none.")
    kept = "".join(flag for flag in FLAGS if flag in flags)
    return SheetAnswer(rater=file.rater, item=item, letter=letter, mark=int(mark), flags=kept)


def _once(answer: SheetAnswer, given: dict[tuple[str, int, str], SheetAnswer]) -> None:
    at = (answer.rater, answer.item, answer.letter)
    if at in given:
        raise InputError(f"{answer.rater} has marked item {answer.item} {answer.letter} before. Keep one of the two lines.")
    given[at] = answer


def _rater(
    name: str, found: list[_File], given: dict[tuple[str, int, str], SheetAnswer], sheets: dict[str, list[SheetItem]]
) -> SheetRater:
    marks = sum(rater == name for rater, _, _ in given)
    begun = {file.sheet for file in found if file.rater == name}
    return SheetRater(
        name=name, marks=marks, missing=sum(len(item.replies) for sheet in begun for item in sheets[sheet]) - marks
    )
