"""Corpora that are kept as one utterance a row: the rows of each dialogue, in order, one dialogue at a time."""

from collections.abc import Callable, Iterator
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from heartfelt.datasets.files import cells, lines
from heartfelt.datasets.notes import DatasetNotes
from heartfelt.errors import InputError


class DatasetRow(NamedTuple):
    number: int
    """Of the line in its file."""
    dialogue: str
    place: int
    """Its number within the dialogue, which may skip some."""
    cells: dict[str, str]


Key = Callable[[dict[str, str]], tuple[str, int]]
"""The dialogue of a row and its place in it. Raises ValueError for a row that cannot be used."""


def dialogues(path: Path, columns: frozenset[str], key: Key, notes: DatasetNotes) -> Iterator[tuple[str, list[DatasetRow]]]:
    """Each dialogue and its rows by place. Published files keep the rows of a dialogue together, but nothing promises it."""
    apart = _scattered(_rows(path, columns, key, DatasetNotes()))
    rows = _rows(path, columns, key, notes)
    for name in sorted(apart):
        notes.add("scattered", f"{path.name}, dialogue {name}")
    groups = _gathered(rows) if apart else ((name, list(found)) for name, found in groupby(rows, attrgetter("dialogue")))
    for name, found in groups:
        yield name, _once(sorted(found, key=attrgetter("place", "number")), path, notes)


def filled(cells: dict[str, str], column: str) -> str:
    if not cells[column].strip():
        raise ValueError(f"the column {column} is empty")
    return cells[column].strip()


def integer(cells: dict[str, str], column: str) -> int:
    if not cells[column].strip().isdecimal():
        raise ValueError(f"the column {column} is not a number: {cells[column]!r}")
    return int(cells[column])


def _rows(path: Path, columns: frozenset[str], key: Key, notes: DatasetNotes) -> Iterator[DatasetRow]:
    numbered = lines(path, notes)
    header = cells(next(numbered, (1, ""))[1])
    if lacking := sorted(columns - set(header)):
        raise InputError(f"{path} lacks the columns {', '.join(lacking)}. Its first line must name them.")
    for number, line in numbered:
        if not line.strip():
            continue
        found = cells(line)
        if len(found) < len(header):
            # EmpatheticDialogues as published does not escape quotes, and has no comma inside a cell.
            found = line.split(",")
        if len(found) < len(header):
            notes.add("row", f"{path.name}:{number}", f"{len(found)} columns instead of {len(header)}")
            continue
        row = dict(zip(header, found, strict=False))
        try:
            dialogue, place = key(row)
        except ValueError as error:
            notes.add("row", f"{path.name}:{number}", str(error))
            continue
        yield DatasetRow(number, dialogue, place, row)


def _scattered(rows: Iterator[DatasetRow]) -> set[str]:
    seen: set[str] = set()
    apart: set[str] = set()
    for name, _ in groupby(rows, attrgetter("dialogue")):
        (apart if name in seen else seen).add(name)
    return apart


def _gathered(rows: Iterator[DatasetRow]) -> Iterator[tuple[str, list[DatasetRow]]]:
    found: dict[str, list[DatasetRow]] = {}
    for row in rows:
        found.setdefault(row.dialogue, []).append(row)
    yield from found.items()


def _once(rows: list[DatasetRow], path: Path, notes: DatasetNotes) -> list[DatasetRow]:
    kept: list[DatasetRow] = []
    for row in rows:
        if kept and kept[-1].place == row.place:
            notes.add("duplicate", f"{path.name}:{row.number}", f"dialogue {row.dialogue} has turn {row.place} already")
        else:
            kept.append(row)
    return kept
