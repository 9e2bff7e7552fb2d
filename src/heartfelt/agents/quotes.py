"""Quotes: cutting what was said into pieces that can be quoted, and telling whether a quote was really said."""

import re

from heartfelt.models.markers import defused

_BREAK = re.compile(r"(?<=[.!?;:…])\s+|,\s+|\s+(?=(?:and|but|because|so|when|while|although|though|since|until|or)\s)", re.I)
_SHORTEST, _LONGEST = 2, 14
"""Words in a piece."""


def pieces(text: str) -> list[str]:
    """The text cut at punctuation and conjunctions, each piece verbatim and short enough to be a cue."""
    parts = [part.strip(' ,;:.!?…—-"“”') for part in _BREAK.split(text)]
    short = [piece for part in parts if part for piece in _cut(part)]
    long_enough = [piece for piece in short if len(piece.split()) >= _SHORTEST]
    return list(dict.fromkeys(long_enough or short or [text.strip()]))


def said(quote: str, text: str) -> bool:
    """Whether `quote` stands in `text`, letter by letter but for case, spaces and the shape of quotation marks."""
    wanted = _plain(quote)
    return bool(wanted) and wanted in _plain(text)


def _cut(part: str) -> list[str]:
    words = part.split()
    return [" ".join(words[i : i + _LONGEST]) for i in range(0, len(words), _LONGEST)] if len(words) > _LONGEST else [part]


def _plain(text: str) -> str:
    text = defused(text).replace("’", "'").replace("‘", "'").replace("“", '"').replace("”", '"')
    return " ".join(text.lower().split()).strip(" .,;:!?…\"'")
