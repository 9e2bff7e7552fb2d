"""Rules: danger that is said in words one can list. They need no model, so they still stand when every model fails.

The phrases are in `rules.toml`. A rule is joined with the other detectors by OR: what it says nobody can take back. So each hit
is first asked whether something in its own clause or sentence excuses it: a negation, a novel, a quotation, a time long past,
somebody else. An excuse never reaches into another sentence: «I'm writing a novel. Also I took all my pills.» is an alarm.
"""

import re
import tomllib
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from heartfelt.records import Danger, Sign, Tier
from heartfelt.safety.detect.plain import Plain, plain

_BACK = 90
"""Letters before a hit in which a negation or another subject is looked for."""
_NEAR = 2
"""Sentences before and after that count as beside."""
_NO_EXCUSE: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Rule:
    name: str
    danger: Danger
    tier: Tier
    says: re.Pattern[str]
    near: re.Pattern[str] | None
    """What must stand in the same sentence or in one or two beside it, for words that alone are harmless."""
    unless: re.Pattern[str] | None
    """What takes this rule back in its sentence."""
    rises: bool
    """Whether a word such as «tonight» close by makes it imminent."""
    despite: frozenset[str]
    """Excuses that do not count for this rule."""


@dataclass(frozen=True)
class Excuse:
    name: str
    pattern: re.Pattern[str]
    reach: str
    """`before`: right before the hit, in its clause; `sentence`: anywhere in its sentence; `next`: in the sentence after it,
    where it can only be the point of a joke («My wife beats me. At Scrabble.»)."""
    keeps: re.Pattern[str] | None
    """What makes it no excuse: «I can't promise I won't»."""
    dangers: frozenset[str]
    """The dangers it can excuse; empty: all."""


@dataclass(frozen=True)
class Book:
    rules: tuple[Rule, ...]
    excuses: tuple[Excuse, ...]
    soon: re.Pattern[str]
    own_words: re.Pattern[str]
    """«I said», «I texted»: what stands before a quotation of one's own words."""
    unsure: frozenset[str]


def signs(text: str) -> list[Sign]:
    """One sign for each rule that finds its words, in the order of the rules."""
    read = plain(text)
    if not read.words:
        return []
    page, book = _Page(read), _book()
    return [sign for rule in book.rules if (sign := page.first(rule, book))]


def unsure() -> frozenset[str]:
    """The names of rules that raise an alarm only where the reader agrees."""
    return _book().unsure


class _Page:
    """One message under the rules."""

    def __init__(self, read: Plain) -> None:
        self.read = read
        self._starts = [start for start, _ in read.sentences]
        self._excused: dict[tuple[str, int], bool] = {}

    def first(self, rule: Rule, book: Book) -> Sign | None:
        for match in rule.says.finditer(self.read.text):
            at = bisect_right(self._starts, match.start()) - 1
            beside = self._beside(at)
            if rule.near and not rule.near.search(beside):
                continue
            if not self._excuse(rule, match, at, book):
                tier: Tier = "imminent" if rule.rises and book.soon.search(beside) else rule.tier
                return Sign(by="rules", tier=tier, danger=rule.danger, quote=self.read.quote(*match.span()), why=rule.name)
        return None

    def _excuse(self, rule: Rule, match: re.Match[str], at: int, book: Book) -> bool:
        if rule.unless and rule.unless.search(self._sentence(at)):
            return True
        if "quotation" not in rule.despite and self._quoted(match, at, book):
            return True
        before = self._before(match, at)
        return any(self._holds(excuse, before, at) for excuse in book.excuses if _counts(excuse, rule))

    def _holds(self, excuse: Excuse, before: str, at: int) -> bool:
        if excuse.reach == "before":
            return bool(excuse.pattern.search(before)) and not (excuse.keeps and excuse.keeps.search(before))
        if (excuse.name, at) not in self._excused:
            sentence = self._sentence(at + (excuse.reach == "next"))
            kept = excuse.keeps and excuse.keeps.search(sentence)
            self._excused[excuse.name, at] = bool(excuse.pattern.search(sentence)) and not kept
        return self._excused[excuse.name, at]

    def _quoted(self, match: re.Match[str], at: int, book: Book) -> bool:
        """Words in quotation marks are somebody else's, unless the person says that they said them."""
        inside = any(start <= match.start() and match.end() <= end for start, end in self.read.quoted)
        return inside and not book.own_words.search(self._sentence(at))

    def _before(self, match: re.Match[str], at: int) -> str:
        """The clause up to the hit."""
        start = max(self._starts[at], match.start() - _BACK)
        return self.read.text[start : match.start()].rpartition(",")[2]

    def _sentence(self, at: int) -> str:
        if at >= len(self.read.sentences):
            return ""
        start, end = self.read.sentences[at]
        return self.read.text[start:end]

    def _beside(self, at: int) -> str:
        found = self.read.sentences[max(0, at - _NEAR) : at + _NEAR + 1]
        return self.read.text[found[0][0] : found[-1][1]]


def _counts(excuse: Excuse, rule: Rule) -> bool:
    return excuse.name not in rule.despite and (not excuse.dangers or rule.danger in excuse.dangers)


@lru_cache
def _book() -> Book:
    data = tomllib.loads((Path(__file__).parent / "rules.toml").read_text("utf-8"))
    words: dict[str, str] = {}
    for name, pattern in data["words"].items():
        words[name] = _filled(pattern, words)
    return Book(
        rules=tuple(_rule(given, words) for given in data["rule"]),
        excuses=tuple(_made(name, given, words) for name, given in data["excuse"].items()),
        soon=_pattern([data["soon"]], words),
        own_words=_pattern([data["own_words"]], words),
        unsure=frozenset(data["unsure"]),
    )


def _rule(given: dict[str, Any], words: dict[str, str]) -> Rule:
    near, unless = given.get("near"), given.get("unless")
    return Rule(
        name=given["name"],
        danger=given["danger"],
        tier=given["tier"],
        says=_pattern(given["says"], words),
        near=_pattern([near], words) if near else None,
        unless=_pattern([unless], words) if unless else None,
        rises=given.get("rises", False),
        despite=frozenset(given.get("despite", _NO_EXCUSE)),
    )


def _made(name: str, given: dict[str, Any], words: dict[str, str]) -> Excuse:
    keeps = given.get("keeps")
    return Excuse(
        name=name,
        pattern=re.compile(rf"\b(?:{_filled(given['says'], words)})" + (r" ?$" if given["reach"] == "before" else r"\b")),
        reach=given["reach"],
        keeps=_pattern([keeps], words) if keeps else None,
        dangers=frozenset(given.get("dangers", ())),
    )


def _pattern(says: list[str], words: dict[str, str]) -> re.Pattern[str]:
    """The ways of saying it as one pattern of whole words."""
    return re.compile(r"(?<!\w)(?:" + "|".join(_filled(way, words) for way in says) + r")(?!\w)")


def _filled(pattern: str, words: dict[str, str]) -> str:
    """`<body>` stands for the list of that name."""
    joined = re.sub(r"\s*\n\s*", "", pattern)
    return re.sub(r"<(\w+)>", lambda m: f"(?:{words[m[1]]})", joined)


def named_rules() -> tuple[str, ...]:
    """What is looked for, in plain words."""
    return tuple(dict.fromkeys(rule.name for rule in _book().rules))
