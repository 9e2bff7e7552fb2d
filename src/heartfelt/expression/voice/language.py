"""Tells English from other languages in Latin letters, by the small words that no sentence does without."""

import re
import tomllib
from functools import cache
from importlib.resources import files

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_CLEARLY = 2
"""Small words of another language, more than of English, before a text is called foreign."""


def foreign(text: str) -> str | None:
    """The language of a text that is clearly not English; None where it is, or may be."""
    found = {word.lower() for word in _WORD.findall(text)}
    counts = {language: len(found & small_words(language)) for language in _tables()}
    english = counts.pop("English")
    language = max(counts, key=lambda name: counts[name])
    return language if counts[language] >= english + _CLEARLY else None


@cache
def small_words(language: str) -> frozenset[str]:
    """The words that carry a sentence and seldom weigh in it."""
    return frozenset(_tables()[language].split())


@cache
def _tables() -> dict[str, str]:
    return tomllib.loads(files("heartfelt.expression.voice").joinpath("small_words.toml").read_text(encoding="utf-8"))
