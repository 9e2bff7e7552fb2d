"""Moonshine's tokens: pieces of words in UTF-8, where «▁» begins a word."""

from collections.abc import Sequence
from pathlib import Path

from heartfelt.errors import DamagedError

BEGIN, END = 1, 2
_SPECIAL = 3
"""Tokens below this number are marks and no text."""
_WORD = "▁".encode()


class Vocabulary:
    """The pieces by their numbers."""

    def __init__(self, pieces: Sequence[bytes]):
        self.pieces = pieces

    @classmethod
    def read(cls, path: Path) -> "Vocabulary":
        return cls(_pieces(path.read_bytes()))

    def begins_word(self, token: int) -> bool:
        return self.pieces[token].startswith(_WORD)

    def text(self, tokens: Sequence[int]) -> str:
        joined = b"".join(self.pieces[token] for token in tokens if token >= _SPECIAL)
        return joined.decode(errors="replace").replace("▁", " ").strip()


def _pieces(data: bytes) -> list[bytes]:
    """The file is one piece after another, each behind its length: one byte, or two where the first is 128 or more."""
    pieces: list[bytes] = []
    place = 0
    while place < len(data):
        length = data[place]
        place += 1
        if length >= 128 and place < len(data):
            length += 128 * data[place] - 128
            place += 1
        pieces.append(data[place : place + length])
        place += length
    if place != len(data) or len(pieces) <= _SPECIAL:
        raise DamagedError("Moonshine's tokenizer.bin is cut short. Remove moonshine from the store and pull it again.")
    return pieces
