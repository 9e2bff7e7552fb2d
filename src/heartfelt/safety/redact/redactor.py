"""The redactor: reads everything first, so that what one sentence gives away is taken out of all of them."""

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate
from typing import Any

from heartfelt.safety.redact import fields
from heartfelt.safety.redact.dates import dates
from heartfelt.safety.redact.kept import kept
from heartfelt.safety.redact.links import homes, links
from heartfelt.safety.redact.lists import bare
from heartfelt.safety.redact.names import Names, is_role
from heartfelt.safety.redact.numbers import numbers
from heartfelt.safety.redact.places import places
from heartfelt.safety.redact.spans import STAND_IN, Kind, RedactedSpan, covering, settled

_ESCAPE = re.compile(r"\\(?:[\"\\/bfnrt]|u[0-9a-fA-F]{4})")
_LETTER = re.compile(r"\\u([0-9a-fA-F]{4})")
_ROUNDS = 4
"""How often a text is read again at most, until nothing more is found in it."""


class Redactor:
    """One for one export: whoever is «[name 1]» in a quote is «[name 1]» in the reply and in the prompt."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[Kind, str], int] = {}
        self._highest: dict[str, int] = {}
        self._names: dict[str, bool] = {}
        """Names that were learned, each with whether its lower-case form is meant too."""
        self._keys: set[tuple[Kind, str]] = set()
        self._read: dict[str, _Reading] = {}

    def text(self, text: str) -> str:
        """The text with stand-ins. Names that this redactor met before are known to it."""
        self._reserve(text)
        for _ in range(_ROUNDS):
            self._learn(text)
            text, before = self._replaced(text), text
            if text == before:
                break
        return text

    def data(self, data: Any) -> Any:
        """JSON with every text redacted. Keys, labels and hashes stay; pictures are dropped."""
        changes = fields.Changes(text=self._replaced, words=self._pieces, label=self._label)
        for _ in range(_ROUNDS):
            self._learn_all([*fields.texts(data)], [*fields.speakers(data)])
            data, before = fields.changed(data, changes), data
            if data == before:
                break
        self._read.clear()
        return data

    # ── learning ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _learn_all(self, texts: list[str], speakers: list[str]) -> None:
        for text in texts:
            self._reserve(text)
        for speaker in speakers:
            self._meet(speaker)
        for text in texts:
            self._learn(text)

    def _reserve(self, text: str) -> None:
        """Stand-ins that are already there keep their numbers to themselves."""
        for match in STAND_IN.finditer(text):
            self._highest[match[1]] = max(self._highest.get(match[1], 0), int(match[2]))

    def _meet(self, speaker: str) -> None:
        """A speaker is called by name, whatever the name looks like."""
        keys = [bare(word) for word in re.findall(r"[\w'’]+", STAND_IN.sub("", speaker))]
        keys = [key for key in keys if len(key) > 1 and not key.isdigit()]
        if keys and not all(map(is_role, keys)):
            self._know(keys, certain=frozenset(keys))

    def _learn(self, text: str) -> None:
        reading = self._reading(text)
        found = settled(filter(self._meant, reading.spans), reading.kept, len(reading.text))
        for span in found:
            self._number(span.kind, span.key)
            self._keys.add((span.kind, span.key))
        taken = covering(((span.start, span.end) for span in found), len(reading.text))
        for span, keys in reading.names.found(self._names):
            if not taken[span.start]:
                self._know(keys, certain=reading.names.certain)

    def _know(self, keys: list[str] | tuple[str, ...], *, certain: set[str] | frozenset[str]) -> None:
        """All parts of a name stand for one person, unless they were somebody's before."""
        number = self._number("name", keys[0])
        for key in keys:
            self._numbers.setdefault(("name", key), number)
            self._names[key] = self._names.get(key, False) or key in certain

    def _number(self, kind: Kind, key: str) -> int:
        if (kind, key) not in self._numbers:
            self._highest[kind] = self._highest.get(kind, 0) + 1
            self._numbers[kind, key] = self._highest[kind]
        return self._numbers[kind, key]

    # ── replacing ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _reading(self, text: str) -> "_Reading":
        if text not in self._read:
            self._read[text] = _Reading(text)
        return self._read[text]

    def _meant(self, span: RedactedSpan) -> bool:
        return span.sure or (span.kind, span.key) in self._keys

    def _spans(self, reading: "_Reading") -> list[RedactedSpan]:
        found = [*filter(self._meant, reading.spans), *(span for span, _ in reading.names.found(self._names))]
        return settled(found, reading.kept, len(reading.text))

    def _replaced(self, text: str) -> str:
        reading = self._reading(text)
        return self._filled(reading.text, self._spans(reading))

    def _label(self, label: str) -> str:
        """Left alone, but for the person whose folder it leads to, and for what a model wrote where a label was due."""
        words = label.split()
        if len(words) > 1 and any(self._names.get(bare(word)) for word in words):
            return self._replaced(label)
        return self._filled(label, settled(homes(label), kept(label), len(label)))

    def _filled(self, text: str, spans: list[RedactedSpan]) -> str:
        pieces: list[str] = []
        at = 0
        for span in spans:
            pieces += text[at : span.start], self._stand_in(span)
            at = span.end
        return "".join(pieces) + text[at:]

    def _stand_in(self, span: RedactedSpan) -> str:
        return f"[{span.kind} {self._number(span.kind, span.key)}]"

    def _pieces(self, words: list[str]) -> list[str]:
        """Words that were heard one by one are read as the sentence that they are: a number may be spread over several."""
        changed = list(words)
        starts = [0, *accumulate(len(word) + 1 for word in words)]
        for span in reversed(self._spans(self._reading(" ".join(words)))):
            first, last = bisect_right(starts, span.start) - 1, bisect_right(starts, span.end - 1) - 1
            if first == last:
                word, start = changed[first], starts[first]
                changed[first] = word[: span.start - start] + self._stand_in(span) + word[span.end - start :]
            else:
                changed[first : last + 1] = [self._stand_in(span)] * (last + 1 - first)
        return changed


class _Reading:
    """One text, read once: all that does not depend on what other texts give away."""

    def __init__(self, text: str):
        self.text = _LETTER.sub(_letter, text) if "\\u" in text else text
        plain = _masked(self.text)
        self.kept = [*kept(plain)]
        self.spans = [*_patterns(self.text, plain)]
        self.names = Names(plain, self.kept)


def _patterns(text: str, plain: str) -> Iterator[RedactedSpan]:
    yield from homes(text)
    yield from links(plain)
    yield from places(plain)
    yield from dates(plain)
    yield from numbers(plain)


def _masked(text: str) -> str:
    """Of the same length, with line breaks where JSON within the text escapes something: «\\nAna» begins with Ana."""
    return _ESCAPE.sub(lambda match: "\n" * len(match[0]), text) if "\\" in text else text


def _letter(match: re.Match[str]) -> str:
    """JSON within a text may write «é» as an escape, and a name would be cut in two there."""
    letter = chr(int(match[1], 16))
    return letter if letter.isalpha() else match[0]


def redact_text(text: str) -> str:
    return Redactor().text(text)


def redacted_json(data: Any) -> Any:
    return Redactor().data(data)


def redacted_trace(lines: bytes) -> bytes:
    """A trace file, still readable by `Trace.parse`. A line that was cut short by a kill is left out: it cannot be checked."""
    events: list[Any] = []
    for line in lines.split(b"\n"):
        if line.strip():
            try:
                events.append(json.loads(line))
            except (ValueError, RecursionError):
                continue
    return b"".join(json.dumps(event, ensure_ascii=False).encode() + b"\n" for event in Redactor().data(events))
