"""A stretch of text that must not leave the house, and how overlapping ones are settled."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal["name", "number", "address", "e-mail", "link", "date"]
STAND_IN = re.compile(r"\[(name|number|address|e-mail|link|date) (\d{1,9})\]")


class RedactedSpan(NamedTuple):
    start: int
    end: int
    kind: Kind
    key: str
    """What makes two of them the same, whatever their case and punctuation."""
    sure: bool = True
    """Otherwise only where the same was found for sure elsewhere: «4321» alone is nothing, after «my pin is 4321» it is."""


@lru_cache(maxsize=65536)
def folded(word: str) -> str:
    """Without case, accents and curly apostrophes, so that «José» is «jose»."""
    if word.isascii():
        return word.lower()
    plain = unicodedata.normalize("NFKD", word.replace("’", "'")).casefold()
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


def solid(text: str) -> str:
    """Letters and digits alone: the key of numbers and addresses, which everybody punctuates differently."""
    return "".join(letter for letter in folded(text) if letter.isalnum())


def settled(found: Iterable[RedactedSpan], kept: Iterable[tuple[int, int]], size: int) -> list[RedactedSpan]:
    """In order and without overlaps: what was found first wins, and what is kept stays."""
    taken = covering(kept, size)
    chosen: list[RedactedSpan] = []
    for span in found:
        if not any(taken[span.start : span.end]):
            taken[span.start : span.end] = b"\1" * (span.end - span.start)
            chosen.append(span)
    return sorted(chosen)


def covering(spans: Iterable[tuple[int, int]], size: int) -> bytearray:
    """One for each character that they hold."""
    taken = bytearray(size)
    for start, end in spans:
        taken[start:end] = b"\1" * (end - start)
    return taken
