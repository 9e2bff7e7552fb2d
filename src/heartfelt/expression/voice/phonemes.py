"""From the pieces of a sentence to Kokoro's symbols, each knowing the piece that it is a part of.

eSpeak wants whole clauses, since a word sounds otherwise beside others («a», «the», «read»); but it runs some words together.
So each word is asked for once more alone, and the clause is laid beside the lone words to find where each begins.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from heartfelt.expression.voice.espeak import Accent, Sounds
from heartfelt.expression.voice.normalise import SpokenPiece
from heartfelt.expression.voice.symbols import HALF_STRESS, SPACE, STRESS, spelled

_SPEAKER = re.compile(r"i(?:['’](?:m|ve|ll|d))?", re.IGNORECASE)
"""Who speaks, as a word."""


@dataclass(frozen=True)
class Symbol:
    """One symbol of Kokoro's, and the number of the piece that it belongs to; None for spaces and marks between pieces."""

    text: str
    piece: int | None = None


def symbols_of(pieces: Sequence[SpokenPiece], source: Sounds, accent: Accent) -> tuple[Symbol, ...]:
    """All symbols of a sentence, with the spaces and marks between its words."""
    found: list[Symbol] = []
    for first, after in _clauses(pieces):
        clause = pieces[first:after]
        for offset, written in enumerate(_split(clause, source, accent)):
            found += (Symbol(symbol, first + offset) for symbol in written)
            if mark := clause[offset].mark:
                found.append(Symbol(mark))
            found.append(Symbol(SPACE))
    return tuple(found[:-1])


def _clauses(pieces: Sequence[SpokenPiece]) -> Iterator[tuple[int, int]]:
    first = 0
    for index, piece in enumerate(pieces):
        if piece.mark or index == len(pieces) - 1:
            yield first, index + 1
            first = index + 1


def _split(clause: Sequence[SpokenPiece], source: Sounds, accent: Accent) -> list[str]:
    """The symbols of each piece of a clause, with spaces only inside a piece of several words."""
    words = [word for piece in clause for word in piece.spoken.split()]
    whole = [spelled(word, accent) for word in source.sounds(" ".join(words), accent).split()]
    if len(whole) != len(words):
        alone = [spelled(source.sounds(word, accent).replace(SPACE, ""), accent) for word in words]
        whole = laid_beside("".join(whole), alone)
    whole = [_spoken_out(word, sounds) for word, sounds in zip(words, whole, strict=True)]
    split: list[str] = []
    for piece in clause:
        count = len(piece.spoken.split())
        split.append(SPACE.join(word for word in whole[:count] if word))
        whole = whole[count:]
    return split


def _spoken_out(word: str, sounds: str) -> str:
    """eSpeak has «I» without a stress, as fast speech has it; Kokoro, which learnt it with a half one, then swallows it."""
    return HALF_STRESS + sounds if _SPEAKER.fullmatch(word) and not sounds.startswith((STRESS, HALF_STRESS)) else sounds


@lru_cache(maxsize=256)
def _cheapest(text: str, pattern: str) -> tuple[int, ...]:
    """For each place of the pattern the place of the text that it is laid beside, by the fewest edits."""
    rows = [list(range(len(text) + 1))]
    for row, letter in enumerate(pattern, 1):
        above, current = rows[-1], [row]
        for column, other in enumerate(text, 1):
            current.append(min(above[column - 1] + (letter != other), above[column] + 1, current[-1] + 1))
        rows.append(current)
    places, row, column = [0] * (len(pattern) + 1), len(pattern), len(text)
    while row:
        places[row] = max(places[row], column)
        if column and rows[row][column] == rows[row - 1][column - 1] + (pattern[row - 1] != text[column - 1]):
            row, column = row - 1, column - 1
        elif column and rows[row][column] == rows[row][column - 1] + 1:
            column -= 1  # what the text has more than the pattern goes to the sound before it
        else:
            row -= 1
    return tuple(places)


def laid_beside(text: str, words: Sequence[str]) -> list[str]:
    """Cut a text in as many parts as there are words, each where the next word begins."""
    places = _cheapest(text, "".join(words))
    cuts, written = [0], 0
    for word in words[:-1]:
        written += len(word)
        cuts.append(max(places[written], cuts[-1]))
    return [text[start:end] for start, end in zip(cuts, [*cuts[1:], len(text)], strict=True)]
