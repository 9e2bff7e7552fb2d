"""Cuts a script into stretches that are spoken one after the other: sentences, and clauses where a sentence is long.

The first stretch is kept short, since nothing is heard before all of it has been made; the next may be longer by what can be
made while the one before is heard.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from heartfelt.expression.voice.normalise import ENDS, SpokenPiece

FIRST, LONGEST = 24, 180
"""Characters, as they are spoken: about 1.5 and 12 seconds. The longest bounds the memory that one stretch takes."""
_GROWTH = 5 / 3
_LEAST, _LEAST_FIRST = 15, 5
"""Characters: a stretch of less sounds cut off from what follows; but «Oh no,» is heard at once."""
_WORD = 40
_OPENERS = {"and", "but", "because", "when", "if", "which", "while", "although", "though", "since", "where", "until"}
SENTENCE, CLAUSE, RUN_ON = 0.4, 0.18, 0.05
"""Seconds of silence after a stretch: at the end of a sentence, at a comma, and where no mark stands."""


@dataclass(frozen=True)
class Chunk:
    pieces: tuple[SpokenPiece, ...]
    pause: float
    """Seconds of silence after it, before the manner has its say."""


def chunks(pieces: Sequence[SpokenPiece]) -> Iterator[Chunk]:
    limit = FIRST
    for sentence in _sentences(pieces):
        for stretch in _stretches(sentence, limit):
            yield Chunk(tuple(stretch), _pause(stretch[-1].mark))
            limit = min(round(limit * _GROWTH), LONGEST)


def _sentences(pieces: Sequence[SpokenPiece]) -> Iterator[list[SpokenPiece]]:
    sentence: list[SpokenPiece] = []
    for piece in (short for whole in pieces for short in _bounded(whole)):
        sentence.append(piece)
        if piece.mark and piece.mark in ENDS:
            yield sentence
            sentence = []
    if sentence:
        yield sentence


def _stretches(sentence: Sequence[SpokenPiece], limit: int) -> Iterator[Sequence[SpokenPiece]]:
    """Cut between clauses where it is longer than the limit, and between any words only where it is longer than the longest."""
    ends = [0, *accumulate(len(piece.spoken) + 1 for piece in sentence)]
    first = 0
    while (left := ends[-1] - ends[first]) > limit:
        near = range(first + 1, min(first + LONGEST, len(sentence)))
        fits = [place for place in near if ends[place] - ends[first] <= LONGEST]
        least = _LEAST_FIRST if limit == FIRST else _LEAST
        enough = [place for place in fits if ends[place] - ends[first] >= least and ends[-1] - ends[place] >= _LEAST]
        cut = _between_clauses(sentence, enough, within=[place for place in enough if ends[place] - ends[first] <= limit])
        if cut is None and left <= LONGEST:
            break
        cut = cut or fits[-1]
        yield sentence[first:cut]
        first, limit = cut, min(round(limit * _GROWTH), LONGEST)
    yield sentence[first:]


def _between_clauses(sentence: Sequence[SpokenPiece], places: Sequence[int], within: Sequence[int]) -> int | None:
    """The last place within the limit that is behind a mark, or else before a word that opens a clause; or else the next."""
    marked = [place for place in places if sentence[place - 1].mark]
    opened = [place for place in places if sentence[place].spoken.lower() in _OPENERS]
    for found in (marked, opened):
        if near := [place for place in found if place in within]:
            return near[-1]
    return min([*marked[:1], *opened[:1]], default=None)


def _pause(mark: str) -> float:
    return SENTENCE if mark and mark in ENDS else CLAUSE if mark else RUN_ON


def _bounded(piece: SpokenPiece) -> Iterator[SpokenPiece]:
    """A number of a thousand digits is one piece, and so is a word without an end: such are cut where they must be."""
    if len(piece.spoken) <= LONGEST // 2:
        yield piece
        return
    words = [word[start : start + _WORD] for word in piece.spoken.split() for start in range(0, len(word), _WORD)]
    for start in range(0, len(words), 2):
        last = start + 2 >= len(words)
        yield replace(piece, spoken=" ".join(words[start : start + 2]), mark=piece.mark if last else "")
