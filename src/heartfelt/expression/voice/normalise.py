"""From a text as it is written to words that can be said, with the way back from each word to its place in the text.

What cannot be said is left out: emoji, smileys, quotation marks, the signs of Markdown. What nobody here can read, such as
Chinese, is refused.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache

from heartfelt.errors import InputError
from heartfelt.expression.voice import counting
from heartfelt.expression.voice.language import foreign
from heartfelt.expression.voice.readings import lists, readings

ENDS = ".!?…"
"""The marks that end a sentence."""
_MARKS = {**{mark: mark for mark in ",;:.!?…"}, "(": ",", ")": ",", "[": ",", "]": ",", "—": "—", "–": "—"}
_STRENGTH = " ,:;—….!?"
"""Of several marks in a row the last of this list is kept."""
_SMILEY = r"(?<![\w:;=])[:;=]['-]?[)(\]\[DPpoO|/\\*3]+(?!\w)|<3+(?!\w)|</3(?!\w)|\^_?\^"
_DASH = r"(?<=\s)--?(?=\s)|---?"


@dataclass(frozen=True)
class SpokenPiece:
    """Something that was written in one and is said as one or several words."""

    written: str
    at: int
    """Where it stands in the text."""
    spoken: str
    """Words between single spaces: letters, apostrophes and hyphens."""
    mark: str = ""
    """What follows it: one of , ; : — . ! ? … or nothing."""


@dataclass(frozen=True)
class Script:
    """A text that is ready to be said."""

    pieces: tuple[SpokenPiece, ...]

    @property
    def text(self) -> str:
        return " ".join(piece.spoken + piece.mark for piece in self.pieces)

    @property
    def words(self) -> int:
        return sum(len(piece.spoken.split()) for piece in self.pieces)


def normalise(text: str) -> Script:
    """The text in words that can be said, or InputError where nothing in it can be."""
    pieces = tuple(_pieces(text))
    if not pieces:
        said = "It is empty" if not text.strip() else "It holds only signs or emoji"
        raise InputError(f"There is nothing to say in this text. {said}: give it at least one word.")
    if language := foreign(text):
        raise InputError(f"This text looks like {language}, and the voice speaks only English: give it in English.")
    return Script(pieces)


def _pieces(text: str) -> Iterator[SpokenPiece]:
    plain, places = _levelled(text)
    last: SpokenPiece | None = None
    for found in _scanner().finditer(plain):
        kind = found.lastgroup or ""
        start, end = places[found.start()], places[found.end()]
        if kind in ("mark", "line"):
            if last is not None:
                last = _marked(last, _mark(found[0], plain[found.end() : found.end() + 1], last))
            continue
        spoken = _said(kind, found)
        if not spoken:
            continue
        if last is not None:
            yield last
        last = SpokenPiece(text[start:end], start, spoken)
        if found[0].endswith(".") and found[0].lower() not in lists()["titles"] and _ends_here(plain, found.end()):
            last = _marked(last, ".")
    if last is not None:
        yield last


def _levelled(text: str) -> tuple[str, list[int]]:
    """Wide, styled and joined letters as plain ones; and for each character of the answer where it stood."""
    parts: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        kind = unicodedata.category(character)
        plain = unicodedata.normalize("NFKC", character) if kind[0] in "LPZ" or kind in ("Nd", "Nl", "Sc") else character
        parts.append(plain)
        places += [place] * len(plain)
    return "".join(parts), [*places, len(text)]


@cache
def _scanner() -> re.Pattern[str]:
    rules = "|".join(f"(?P<r{index}>{pattern})" for index, (pattern, _) in enumerate(readings()))
    signs, marks = ("".join(re.escape(sign) for sign in signs) for signs in (lists()["signs"], _MARKS))
    rest = rf"(?P<mark>{_DASH}|[{marks}]+)|(?P<sign>[{signs}])|(?P<other>(?:(?!\d)[^\W_])+)"
    return re.compile(rf"(?P<line>[^\S\n]*\n\s*)|(?P<smiley>{_SMILEY})|{rules}|{rest}")


def _said(kind: str, found: re.Match[str]) -> str:
    if kind == "smiley":
        return ""
    if kind == "sign":
        return lists()["signs"][found[0]]
    words = found[0] if kind == "other" else readings()[int(kind[1:])][1](found)
    return " ".join("".join(_letter(character, words) for character in words).split())


def _letter(character: str, words: str) -> str:
    """A character that can be part of a word, or what is said for it; InputError where it cannot be read at all."""
    kind = unicodedata.category(character)
    if character in " '-" or "\u0300" <= character <= "\u036f" or _latin(character):
        return character
    if character in lists()["signs"]:
        return f" {lists()['signs'][character]} "
    if kind[0] == "N":
        return f" {counting.fraction(Decimal(str(unicodedata.numeric(character))))} "
    if kind in ("Lo", "Ll", "Lu", "Lt"):
        script = unicodedata.name(character, "unknown").split()[0].capitalize()
        raise InputError(
            f"«{words[:20]}» cannot be spoken: its letters are {script}, and these voices read only English in Latin letters. "
            "Write it in Latin letters, or leave it out."
        )
    return " "


def _latin(character: str) -> bool:
    return character.isalpha() and unicodedata.name(character, "").startswith("LATIN ")


def _mark(found: str, following: str, last: SpokenPiece) -> str:
    """The mark that a run of signs or the end of a line stands for."""
    if "\n" in found:
        ends = found.count("\n") > 1
        return "" if last.mark or (following.islower() and not ends) else "." if ends else ","
    if "-" in found:
        return "—"
    return max((_MARKS[sign] for sign in re.sub(r"\.{2,}", "…", found)), key=_STRENGTH.index)


def _marked(piece: SpokenPiece, mark: str) -> SpokenPiece:
    stronger = max(piece.mark or " ", mark or " ", key=_STRENGTH.index)
    return replace(piece, mark=stronger.strip())


def _ends_here(plain: str, end: int) -> bool:
    """Whether an abbreviation's full stop ends the sentence too: a capital or nothing follows."""
    rest = plain[end : end + 3].lstrip()
    return not rest or (rest[0].isupper() and plain[end].isspace())
