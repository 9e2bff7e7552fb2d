"""What changed between two texts, word by word."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal, TypeAlias

_WORD = re.compile(r"\s*(?:\w[\w'’-]*|\S)|\s+$")
MOST_WORDS = 3_000
"""Longer texts are not compared word by word: it would take too long, and nobody would read it."""
ISLAND = 1
"""So few words in common between two changes are read as changed with them."""

_Run: TypeAlias = tuple[bool, list[str], list[str]]


@dataclass(frozen=True)
class Change:
    kind: Literal["same", "gone", "new"]
    text: str


def difference(before: str, now: str) -> list[Change]:
    """Same and new, put together, are the text now; same and gone are the text before."""
    runs = _without_islands(_runs(_WORD.findall(before), _WORD.findall(now)))
    return [change for run in runs for change in _changes(*run) if change.text]


def _runs(old: list[str], new: list[str]) -> list[_Run]:
    """(alike, old words, new words), in order."""
    if max(len(old), len(new)) > MOST_WORDS:
        return [(old == new, old, new)]
    codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [(code == "equal", old[a:b], new[c:d]) for code, a, b, c, d in codes]


def _without_islands(runs: list[_Run]) -> list[_Run]:
    joined: list[_Run] = []
    for i, (alike, old, new) in enumerate(runs):
        island = alike and len(old) <= ISLAND and 0 < i < len(runs) - 1
        alike = alike and not island
        if joined and joined[-1][0] == alike:
            joined[-1] = (alike, joined[-1][1] + old, joined[-1][2] + new)
        else:
            joined.append((alike, old, new))
    return joined


def _changes(alike: bool, old: list[str], new: list[str]) -> Iterator[Change]:
    if alike:
        yield Change("same", "".join(new))
    else:
        yield Change("gone", "".join(old))
        yield Change("new", "".join(new))
