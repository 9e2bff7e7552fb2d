"""Build a memory from files of dialogues: batch by batch, so that an interrupted build goes on where it stopped."""

from collections.abc import Callable
from pathlib import Path

from heartfelt.errors import LeakError
from heartfelt.memory.exemplars import Memory
from heartfelt.memory.guard import Guard
from heartfelt.memory.sources import Situations, SourceReading, read_all
from heartfelt.records import Record

Progress = Callable[[int, int], None]
"""Told the exemplars done so far and those to do in all."""


class Built(Record):
    """What a build found and did."""

    files: int
    """Files that held dialogues."""
    dialogues: int
    found: int
    """Exemplars in the files."""
    added: int
    """Those that were new; the others were remembered already, or said the same."""
    bad: int
    """Rows that could not be used."""
    problems: tuple[str, ...]
    """`FILE:LINE: what is wrong` for each of them."""


def build(
    source: Path,
    memory: Memory,
    *,
    split: str | None = None,
    scored: frozenset[str] = frozenset(),
    situations: Situations = "words",
    batch: int = 256,
    progress: Progress | None = None,
) -> Built:
    """Remember a file or a folder of dialogues.

    Each batch is one transaction, and what is remembered already is passed over: a build that was interrupted is
    finished by running it again. `scored` names the splits that the memory will be scored on, and none of theirs may
    be in the source. `split` names the split of rows that do not name their own.
    """
    readings = read_all(source, split=split, situations=situations)
    for reading in readings:
        _refuse_leak(reading, split, scored)
    exemplars = [exemplar for reading in readings for exemplar in reading.exemplars]
    added = 0
    for start in range(0, len(exemplars), batch):
        added += memory.add(exemplars[start : start + batch])
        if progress is not None:
            progress(min(start + batch, len(exemplars)), len(exemplars))
    problems = tuple(problem for reading in readings for problem in reading.problems)
    return Built(
        files=sum(bool(reading.dialogues) for reading in readings),
        dialogues=sum(reading.dialogues for reading in readings),
        found=len(exemplars),
        added=added,
        bad=len(problems),
        problems=problems,
    )


def _refuse_leak(reading: SourceReading, split: str | None, scored: frozenset[str]) -> None:
    """Before anything is stored. The file's name counts even where the caller names another split."""
    guard = Guard(scored=scored)
    splits = {exemplar.split for exemplar in reading.exemplars} | {reading.split}
    leaked = sorted(name for name in splits if guard.is_scored(name))
    if leaked:
        raise LeakError(
            f"{reading.path} holds {', '.join(leaked)}, which is being scored: a memory of it would give the answers "
            "away. Build from another split, or score another one."
        )
    if scored and reading.corpus and not (reading.split or split):
        raise LeakError(
            f"Nothing says which split of {reading.corpus} {reading.path} is, and a memory for scoring must know. "
            "Name it, such as --split meld/dev."
        )
