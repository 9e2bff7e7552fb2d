"""Plain questions that people ask while a danger is talked about, and what is answered to them first.

Somebody who asks «does it get better?» and hears another question instead feels that nobody listened. What is answered here was
written and reviewed beforehand (`answers.toml`); it is found by the words of the question alone, so that no model can put an
answer under a question that was not asked.
"""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from heartfelt.records import Who
from heartfelt.safety.detect.plain import plain
from heartfelt.text import sentences_of

FILE = Path(__file__).with_name("answers.toml")
ASKING = re.compile(
    r"\?|^(?:\w+,? ){0,3}(?:do|does|did|will|would|can|could|is|are|am|was|should|what|why|how|who|when|where|pls|please|plz"
    r"|dont|don't|tell me|talk)\b|\b(?:want to|wanna|like to|need to) know\b|\b(?:not|n't|nt) know (?:what|which|how)\b"
    r"|\bcan'?t i\b",
    re.I,
)
"""A sentence that may ask something: many people write no question mark."""


class Answer(NamedTuple):
    name: str
    asked: re.Pattern[str]
    families: tuple[str, ...]
    who: Who | None
    told: re.Pattern[str] | None
    unless: re.Pattern[str] | None
    says: tuple[str, ...]


def answers_to(said: str, family: str, who: Who, told: str = "") -> tuple[str, ...]:
    """The wordings that answer the last question in what was said; none where nothing known is asked. `told`: all that the
    person has said."""
    everything, message = plain(told or said).text, plain(said).text
    for sentence in reversed([each for each in sentences_of(said) if ASKING.search(each.strip())]):
        text = plain(sentence).text
        for answer in answers():
            fits = (not answer.families or family in answer.families) and answer.who in (None, who)
            if answer.unless is not None and answer.unless.search(message):
                continue
            if fits and answer.asked.search(text) and (answer.told is None or answer.told.search(everything)):
                return answer.says
    return ()


@cache
def answers() -> tuple[Answer, ...]:
    return tuple(_read())


def _read() -> Iterator[Answer]:
    for row in tomllib.loads(FILE.read_text("utf-8"))["answer"]:
        told, unless = (re.compile(row[name]) if name in row else None for name in ("told", "unless"))
        asked, families = re.compile(row["asked"]), tuple(row.get("families", ()))
        yield Answer(row["name"], asked, families, row.get("who"), told, unless, tuple(row["says"]))
