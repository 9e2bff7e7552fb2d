"""A text cut into words, each with what its neighbourhood says about its capital."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from heartfelt.safety.redact.lists import bare, is_word
from heartfelt.safety.redact.spans import covering, folded

_WORD = re.compile(r"[\w\u0300-\u036f]+(?:['’][\w\u0300-\u036f]+)*")
_QUIET = " \u00a0,&)0123456789-‑"
"""What may stand between two words of one sentence."""
_SHORT = frozenset({"mr", "mrs", "ms", "mx", "dr", "prof", "st", "sr", "jr", "rev", "sgt", "capt"})
_TITLED = 3
"""Common words with a capital from which on a text may be a headline, where capitals say nothing."""


@dataclass(frozen=True, slots=True)
class TextWord:
    start: int
    end: int
    """Without «'s»."""
    key: str
    title: bool
    """«Maria», «McKay», «O'Neill», but not «MARIA»."""
    upper: bool
    opens: bool
    """The first word of a sentence, a line or a quotation: its capital says nothing."""
    gap: str
    """What stands before it."""
    letters: bool
    owns: bool
    """Written with «'s»."""
    uncased: bool
    """Of a script that has no capitals."""


class _Shape(NamedTuple):
    key: str
    size: int
    title: bool
    upper: bool
    letters: bool
    owns: bool
    uncased: bool


def cut(text: str, kept: Sequence[tuple[int, int]]) -> list[TextWord]:
    """All words but those that are kept; mere digits are none."""
    taken = covering(kept, len(text))
    words: list[TextWord] = []
    for match in _WORD.finditer(text):
        if not taken[match.start()] and not match[0].isdigit():
            words.append(_word(match, words[-1] if words else None, text))
    return words


def _word(match: re.Match[str], before: TextWord | None, text: str) -> TextWord:
    start, shape = match.start(), _shape(match[0])
    gap = text[before.end : start] if before else text[max(0, start - 8) : start]
    if gap[:1] in ("'", "’"):
        gap = gap.lstrip("'’sdmlverSDMLVER")
    end = start + shape.size
    opens = _opens(before, gap)
    return TextWord(
        start,
        end,
        shape.key,
        shape.title,
        shape.upper,
        opens,
        gap,
        letters=shape.letters,
        owns=shape.owns,
        uncased=shape.uncased,
    )


@lru_cache(maxsize=32768)
def _shape(whole: str) -> _Shape:
    key = bare(whole)
    cut_off = len(folded(whole)) - len(key) if "'" in whole or "’" in whole else 0
    stem = whole[: len(whole) - cut_off]
    letters = stem.replace("'", "").replace("’", "").isalpha()
    title = letters and stem[0].isupper() and (len(stem) == 1 or not stem.isupper())
    upper, uncased = len(stem) > 1 and stem.isupper(), letters and stem.lower() == stem.upper()
    return _Shape(key, len(stem), title, upper, letters, cut_off > 0, uncased)


def _opens(before: TextWord | None, gap: str) -> bool:
    if before is None:
        return True
    if gap.startswith(".") and (before.key in _SHORT or before.end - before.start == 1):
        gap = gap[1:]
    return bool(gap.strip(_QUIET)) or " - " in gap


def joined(word: TextWord) -> bool:
    """Whether it follows the word before it within one name: «Jean-Luc», «Ana Lopez», «J. Smith»."""
    return word.gap in (" ", "-", "‑", ". ", "\u00a0")


def headline(words: Sequence[TextWord]) -> bool:
    """Whether common words have capitals as well, so that a capital is no sign of a name."""
    common = [word for word in words if not word.opens and word.end - word.start > 2 and is_word(word.key)]
    raised = sum(word.title or word.upper for word in common)
    return raised >= _TITLED and raised * 2 >= len(common)
