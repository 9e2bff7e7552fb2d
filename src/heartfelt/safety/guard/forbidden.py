"""What a reply may never say: looked for by code in every sentence, after it was written and before it is heard.

The wordings stand in forbidden.toml. Here a sentence is made plain first: one spelling for what can be written in many, so that
each wording needs to be written down once, and a disguise (look-alike letters, «k1ll», «s e x y») hides nothing.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from heartfelt.text import sentences_of

DIGITS = 16
"""Of a word that nobody should have to read, only this much of its SHA-256 is kept."""
LONGEST = 12
"""Letters of such a word that may be written as two."""
_EXCUSED = " ¦ "
"""Stands where something was excused; no wording reaches over it."""
_NAME = re.compile(r"(?<!\(\?P)(?<!\(\?)<([a-z]+)>")
_ALIKE = str.maketrans("аеорсухіѕјкԁɡνοıʼ’‘`´“”„«»‹›", "aeopcyxisjkdgvoi" + "'" * 5 + '"' * 7)
"""Letters of other alphabets that look Latin, and the many apostrophes and quotation marks."""
_UNSEEN = ("Mn", "Me", "Cf")
_SPACED = re.compile(r"(?<![\w'])[^\W\d_](?:([ .*_-])[^\W\d_])(?:\1[^\W\d_])+(?![\w'])")
_LEET_WORD = re.compile(
    r"(?<![\w@$!])(?!\d+[a-z]{1,3}\b)(?=[^a-z\s]{0,9}[a-z])[a-z\d@$!]{0,20}[\d@$!][a-z\d@$!]{0,20}(?<=[a-z\d@$])(?!\w)"
)
_LEET = str.maketrans("013457@$!", "oieastasi")
_DASH = re.compile(r"\s*(?:[–—―]|--+|(?<=\s)-(?=\s))\s*")
_QUOTED = re.compile(r"(?<!\w)'(.*?)'(?!\w)")
_WORD = re.compile(r"[a-z]+")
_STRETCHED = re.compile(r"(.)\1{2,}")
_PLURAL = re.compile(r"ies$|(?<=[sxz])es$|(?<=[cs]h)es$|s$|z$")


class ForbiddenFault(NamedTuple):
    kind: str
    quote: str
    """The sentence in which it was found, as it was written."""
    problem: str
    instruction: str
    """For the model that writes the reply again."""


@dataclass(frozen=True)
class _Kind:
    name: str
    description: str
    problem: str
    instruction: str
    patterns: re.Pattern[str]
    orders: re.Pattern[str]
    """Looked for only where somebody is told to do something."""
    excuses: re.Pattern[str]
    words: frozenset[str]
    """The first digits of the SHA-256 of words."""

    def found(self, plain: str, starts: list[int]) -> bool:
        """What excuses is looked for only where there is something to excuse."""
        if not self._stands_in(plain, starts):
            return False
        left = self.excuses.sub(_EXCUSED, plain)
        return self._stands_in(left, _starts(left))

    def _stands_in(self, plain: str, starts: list[int]) -> bool:
        return (
            self.patterns.search(plain) is not None
            or any(self.orders.match(plain, start) for start in starts)
            or not self.words.isdisjoint(_hashes(plain) if self.words else ())
        )


def faults(text: str) -> list[ForbiddenFault]:
    """Everything in the reply that may not be said, sentence by sentence; each kind once a sentence."""
    return [
        ForbiddenFault(kind.name, sentence, kind.problem, kind.instruction)
        for sentence in sentences_of(text)
        for kind in _found(sentence)
    ]


def problems(text: str) -> list[tuple[str, str]]:
    """The same as (problem, what to do about it)."""
    return [(fault.problem, fault.instruction) for fault in faults(text)]


def may_not_be_said(sentence: str) -> bool:
    return next(_found(sentence), None) is not None


def kinds() -> dict[str, str]:
    """What is looked for, by kind."""
    return {kind.name: kind.description for kind in _kinds()}


def _found(sentence: str) -> Iterator[_Kind]:
    plain = _plain(sentence)
    starts = _starts(plain)
    return (kind for kind in _kinds() if kind.found(plain, starts))


# ── the wordings ────────────────────────────────────────────────────────────────────────────────────────────────────


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads((Path(__file__).parent / "forbidden.toml").read_text("utf-8"))


@cache
def _kinds() -> tuple[_Kind, ...]:
    return tuple(_kind(name, given) for name, given in _table()["kinds"].items())


def _kind(name: str, given: dict[str, Any]) -> _Kind:
    shared = [pattern for excuse in given.get("excused", ()) for pattern in _table()["excuses"][excuse]]
    return _Kind(
        name,
        given["description"],
        given["problem"],
        given["instruction"],
        patterns=_any(given.get("patterns", [])),
        orders=_any(given.get("orders", [])),
        excuses=_any([*given.get("but", []), *shared]),
        words=frozenset(given.get("words", [])),
    )


def _starts(plain: str) -> list[int]:
    """Where somebody may be told to do something."""
    return [start.end() for start in _order().finditer(plain)]


@cache
def _order() -> re.Pattern[str]:
    return re.compile(_named(_table()["order"]))


def _any(patterns: list[str]) -> re.Pattern[str]:
    """One that matches where any of them does, in whole words; nothing where there are none."""
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(_named, patterns))})(?!\w)" if patterns else r"(?!)")


def _named(pattern: str) -> str:
    """With the word lists in the place of their names: <kin> becomes mother, father, and so on."""
    pattern = re.sub(r"\n\s*", "", pattern)
    while _NAME.search(pattern):
        pattern = _NAME.sub(lambda name: f"(?:{_list(name[1])})", pattern)
    return pattern


def _list(name: str) -> str:
    return re.sub(r"\n\s*", "", _table()["lists"][name])


# ── plain words ─────────────────────────────────────────────────────────────────────────────────────────────────────


def _plain(text: str) -> str:
    """Small Latin letters, no disguise, no short forms, no words that only fill, «,» for every dash, no apostrophes."""
    text = _QUOTED.sub(r'"\1"', _DASH.sub(", ", _letters(text)))
    text = _SPACED.sub(lambda run: run[0].replace(run[1], ""), text)
    text = _LEET_WORD.sub(lambda word: word[0].translate(_LEET), text)
    for short, long in _spellings():
        text = short.sub(long, text)
    text = re.sub(r"['*_~]", "", text.replace("-", " "))
    return re.sub(r"\s+(?=[,.!?;:])|^[\s,]+", "", re.sub(r"\s+", " ", text)).strip()


def _letters(text: str) -> str:
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", text.lower().translate(_ALIKE))
    return "".join(sign for sign in apart if unicodedata.category(sign) not in _UNSEEN).lower().translate(_ALIKE)


@cache
def _spellings() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(_named(short)), long) for short, long in _table()["spellings"])


def _hashes(plain: str) -> set[str]:
    """Of each word, and of each two words written as one."""
    words = _WORD.findall(plain)
    together = [f"{one}{two}" for one, two in pairwise(words) if len(one) + len(two) <= LONGEST]
    return {found for word in (*words, *together) for found in _hashed(word)}


@lru_cache(maxsize=4096)
def _hashed(word: str) -> tuple[str, ...]:
    return tuple(sha256(form.encode()).hexdigest()[:DIGITS] for form in _forms(word))


def _forms(word: str) -> Iterator[str]:
    """Without a plural's ending, and without letters that were doubled for show."""
    yield word
    if plural := _PLURAL.search(word):
        yield word[: plural.start()] + ("y" if plural[0] == "ies" else "")
    if _STRETCHED.search(word):
        yield from _forms(_STRETCHED.sub(r"\1\1", word))
        yield from _forms(_STRETCHED.sub(r"\1", word))
