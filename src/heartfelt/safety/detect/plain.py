"""Text as a rule can read it: plain small words, and the way back to what was really typed.

People hide the words that filters look for («k1ll», «s u i c i d e», «unalive»), drop apostrophes and stretch letters. Rules
would need every spelling; here each word gets one. Whatever is changed keeps its place in the original, so that a rule can
still point at the very words that were said.
"""

import re
import tomllib
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

_DATA = tomllib.loads((Path(__file__).parent / "rules.toml").read_text("utf-8"))["spelling"]
_HIDDEN = frozenset(_DATA["hidden"].split())
"""Words that people hide. Only towards one of these is a spelling with digits, stars or gaps undone: «5kg» stays «5kg»."""
_JOINED = _HIDDEN | frozenset(_DATA["beside"].split())
_SAME = {tuple(typed.split()): meant.split() for typed, meant in _DATA["same"].items()}
_LONGEST = max(map(len, _SAME))
_FIRST = frozenset(typed[0] for typed in _SAME)
_FILLERS = frozenset(_DATA["fillers"].split())
_LEET = str.maketrans("013457@$!|", "oieastasii")
_ALIKE = str.maketrans("аеорсухіѕјкԁ’‘`´ʼ“”„«»", "aeopcyxisjkd'''''\"\"\"\"\"")
"""Letters of other alphabets that look Latin, and the many apostrophes and quotation marks."""
_TOKEN = re.compile(
    r"(?P<spaced>(?<![\w'])(?:[a-z](?:[ .\-_*/]|  )){2,40}[a-z](?![\w']))"
    r"|(?P<leet>(?<!\w)(?=[^\W_]{0,20}[@$!*|\d])(?=\S{0,20}[a-z])[\w@$!*|]{2,24}(?<![!*|]))"
    r"|(?P<word>[^\W_]+(?:'[^\W_]+)*'?(?<!')|&)"
    r"|(?P<open>(?<![\w'])['\"](?=\w))|(?P<close>['\"])"
    r"|(?P<stop>[.!?;\n…]+)|(?P<pause>[,:()\[\]–—]|(?<= )-+(?= ))"
    r"|(?P<laugh>[😂🤣😆😅💀😭😜😝]+)"
)
_STRETCHED = re.compile(r"(.)\1\1")
_WORDS_IN_A_SENTENCE = 60
"""A longer one is taken as several: people who type without a full stop still change the subject."""


class PlainWord(NamedTuple):
    """A tuple, not a record: a long text makes tens of thousands of them."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Plain:
    """Words with one blank between them; «,» and «.» stand as words where a clause or a sentence ends."""

    original: str
    words: tuple[PlainWord, ...]
    quoted: tuple[tuple[int, int], ...]
    """Stretches of `text` that stood in quotation marks."""

    @cached_property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)

    @cached_property
    def _starts(self) -> list[int]:
        return _starts(self.words)

    @cached_property
    def sentences(self) -> list[tuple[int, int]]:
        """Where each sentence of `text` starts and ends."""
        found, first = list[tuple[int, int]](), 0
        for at, word in enumerate(self.words):
            if word.text == "." or at - first >= _WORDS_IN_A_SENTENCE:
                found.append((self._starts[first], self._starts[at] + len(word.text)))
                first = at + 1
        if first < len(self.words):
            found.append((self._starts[first], len(self.text)))
        return found

    def quote(self, start: int, end: int) -> str:
        """What was typed where `text` reads `start` to `end`."""
        first, last = bisect_right(self._starts, start) - 1, bisect_right(self._starts, max(start, end - 1)) - 1
        return self.original[self.words[first].start : self.words[last].end]


def plain(text: str) -> Plain:
    letters, places = _letters(text)
    words, quoted = _read(letters)
    merged = list(_merged(words))
    placed = tuple(PlainWord(word.text, places[word.start], places[word.end - 1] + 1) for word in merged)
    return Plain(text, placed, tuple(_inside(merged, quoted)))


def _letters(text: str) -> tuple[str, list[int]]:
    """Small Latin letters without accents, without marks that cannot be seen; and where each one stood."""
    letters, places = list[str](), list[int]()
    for at, sign in enumerate(text):
        if sign.isascii():
            found = sign.lower()
        else:
            apart = unicodedata.normalize("NFKD", sign.lower().translate(_ALIKE))
            found = "".join(part for part in apart if unicodedata.category(part) not in ("Mn", "Cf", "Me")).lower()
        letters += found
        places += [at] * len(found)
    return "".join(letters), places


def _read(letters: str) -> tuple[list[PlainWord], list[tuple[int, int]]]:
    words, quoted, opened = list[PlainWord](), list[tuple[int, int]](), -1
    for match in _TOKEN.finditer(letters):
        kind, (start, end) = match.lastgroup, match.span()
        if kind == "open" and opened < 0:
            opened = end
        elif kind in ("open", "close"):
            quoted += [(opened, start)] if opened >= 0 else []
            opened = -1
        elif kind in ("stop", "pause", "laugh"):
            words.append(PlainWord({"stop": ".", "pause": ",", "laugh": "lol"}[kind], start, end))
        else:
            words += [PlainWord(found, start, end) for found in _spelt(match[0], kind or "")] or _apart(letters, start, end)
    return words, quoted


def _apart(letters: str, start: int, end: int) -> list[PlainWord]:
    """A stretch that hides nothing, word by word."""
    found = re.finditer(r"[^\W_]+", letters[start:end])
    return [PlainWord(_short(match[0]), start + match.start(), start + match.end()) for match in found]


def _spelt(token: str, kind: str) -> list[str]:
    """The words that a token stands for; none where it has to be read piece by piece."""
    if kind == "word":
        return [_short(token.replace("'", ""))]
    if kind == "leet":
        return _unmasked(token)
    return _segments("".join(sign for sign in token if sign.isalpha()))


def _short(word: str) -> str:
    """Stretched letters («kiiill», «sooo») made short."""
    if not _STRETCHED.search(word):
        return word
    twice, once = re.sub(r"(.)\1{2,}", r"\1\1", word), re.sub(r"(.)\1{2,}", r"\1", word)
    return twice if twice in _JOINED else once


def _unmasked(token: str) -> list[str]:
    """«k1ll» and «su*cide»; a star stands for any one letter."""
    found = token.translate(_LEET)
    if "*" in found:
        mask = re.compile(re.sub(r"\*", "[a-z]", re.escape(found).replace(r"\*", "*")))
        return next(([word] for word in sorted(_HIDDEN) if mask.fullmatch(word)), [])
    return [found] if found in _HIDDEN else []


def _segments(letters: str) -> list[str]:
    """«killmyself» as words, where all of it can be read as words of the list and one of them is a hidden one."""
    ways: dict[int, list[str]] = {0: []}
    for end in range(1, len(letters) + 1):
        for start in range(max(0, end - 10), end):
            if start in ways and end not in ways and letters[start:end] in _JOINED:
                ways[end] = [*ways[start], letters[start:end]]
    found = ways.get(len(letters), [])
    return found if any(word in _HIDDEN for word in found) else []


def _merged(words: list[PlainWord]) -> Iterator[PlainWord]:
    """One spelling for what can be said in several («do not», «wanna», «kms»), without fillers and stammering."""
    kept = [word for word in words if word.text not in _FILLERS]
    at, last = 0, ""
    while at < len(kept):
        sizes = range(_LONGEST, 0, -1) if kept[at].text in _FIRST else ()
        size = next((n for n in sizes if tuple(w.text for w in kept[at : at + n]) in _SAME), 0)
        meant = _SAME[tuple(w.text for w in kept[at : at + size])] if size else [kept[at].text]
        part = kept[at : at + max(size, 1)]
        at += len(part)
        for word in meant:
            if word != last or word not in ("i", "im", "ive", "my", ","):
                yield PlainWord(word, part[0].start, part[-1].end)
            last = word


def _starts(words: Iterable[PlainWord]) -> list[int]:
    starts, at = list[int](), 0
    for word in words:
        starts.append(at)
        at += len(word.text) + 1
    return starts


def _inside(words: list[PlainWord], quoted: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The quoted stretches, told in places of the plain text. One around everything quotes nobody."""
    starts, ends = _starts(words), [word.start for word in words]
    for start, end in quoted:
        first, last = bisect_right(ends, start - 1), bisect_right(ends, end - 1) - 1
        if first <= last and last - first + 1 < len(words) - 1:
            yield starts[first], starts[last] + len(words[last].text)
