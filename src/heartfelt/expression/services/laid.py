"""When each sound is heard in speech that somebody else made: an estimate.

The sounds come from our own reading of the text. They are laid over the stretches in which something is heard, each as long as
it usually is beside the others; which words belong to which stretch is decided by length, and by the marks at which people
pause. Where the service tells when its words are heard, the sounds of a word keep to that.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby, pairwise
from typing import TypeAlias

import numpy as np

from heartfelt.expression.services.contract import ToldWord
from heartfelt.expression.voice.normalise import SpokenPiece
from heartfelt.expression.voice.phonemes import Symbol
from heartfelt.expression.voice.spoken import RATE, Samples
from heartfelt.expression.voice.symbols import HALF_STRESS, IPA, LONG, MARKS, SPACE, STRESS
from heartfelt.expression.voice.timing import TimedSound

Run: TypeAlias = tuple[int, int]
"""A stretch in samples."""

_DURATIONS = {
    **dict.fromkeys(("aɪ", "aʊ", "ɔɪ"), 150),
    **dict.fromkeys(("eɪ", "oʊ", "əʊ", "ɑ", "ɔ"), 130),
    **dict.fromkeys(("æ", "ɒ", "ɜ", "i", "u", "a", "e", "o", "ɛ", "ʌ"), 105),
    **dict.fromkeys(("ɪ", "ʊ"), 80),
    **dict.fromkeys(("ə", "ɐ", "ɚ", "ᵻ"), 65),
    **dict.fromkeys(("s", "z", "ʃ", "ʒ", "f", "θ", "tʃ", "dʒ"), 90),
    **dict.fromkeys(("p", "t", "k", "b", "d", "ɡ", "m", "n", "ŋ", "v", "w", "j", "h", "x"), 70),
    **dict.fromkeys(("l", "ɹ", "ð"), 60),
    "ɾ": 40,
}
"""Milliseconds in running speech, roughly: only how they compare matters."""
_OTHER = 80
_LONGER, _STRESSED, _LIGHT, _LAST = 1.25, 1.15, 0.65, 1.8
"""For a length mark; for a vowel under the main stress; for those of words without a stress, such as «of the»; and for the last
vowel before a mark with all that follows it, which everybody draws out."""
_VOWELS = "aeiouɑɒæɔəɚɛɜɪʊʌᵻɐ"
_HOP = RATE // 200
_QUIET, _FAINT = 32.0, -58.0
"""Decibels below the loudest, and below full scale, from which nothing is heard any more."""
_GAP, _BURST = round(0.13 * RATE), round(0.03 * RATE)
"""A shorter silence is the closure of a consonant; a shorter sound is a click."""
_UNMARKED = 0.3
"""Seconds by which the lengths must fit better before a pause is believed where no mark stands."""


@dataclass(frozen=True)
class SpokenUnit:
    """One piece of the text with its sounds and how long each usually is."""

    piece: int
    sounds: tuple[tuple[str, bool, float], ...]
    """Symbol, whether stressed, milliseconds."""
    marked: bool

    @property
    def length(self) -> float:
        return sum(length for _, _, length in self.sounds)


def laid(
    symbols: Sequence[Symbol], pieces: Sequence[SpokenPiece], samples: Samples, words: Sequence[ToldWord] = ()
) -> list[TimedSound]:
    """The sounds of the pieces edge to edge over all samples, with the silences between them."""
    units = list(units_of(symbols, pieces))
    heard = runs(samples)
    found: list[TimedSound] = []
    for some, where in _segments(units, _anchors(units, pieces, words, len(samples)), heard, len(samples)):
        for run, own in zip(where, _shared(some, where), strict=True):
            found += _filled(own, run)
    return _with_silences(found, len(samples))


# ── the text ────────────────────────────────────────────────────────────────────────────────────────────────────────


def units_of(symbols: Sequence[Symbol], pieces: Sequence[SpokenPiece]) -> Iterator[SpokenUnit]:
    """A unit for each piece that has a sound."""
    told = [symbol for symbol in symbols if symbol.piece is not None and symbol.text not in (SPACE, *MARKS)]
    for number, own in groupby(told, key=lambda symbol: symbol.piece or 0):
        sounds, marked = _sounds([symbol.text for symbol in own]), bool(pieces[number].mark)
        yield SpokenUnit(number, tuple(_weighed(sounds, final=marked or number == len(pieces) - 1)), marked)


def _sounds(symbols: Sequence[str]) -> list[tuple[str, bool, float]]:
    found: list[tuple[str, bool, float]] = []
    stressed = False
    for symbol in symbols:
        if symbol in (STRESS, HALF_STRESS):
            stressed = symbol == STRESS
        elif symbol == LONG and found:
            name, stress, length = found[-1]
            found[-1] = (name + LONG, stress, length * _LONGER)
        elif symbol != LONG:
            name = IPA.get(symbol, symbol)
            found.append((name, stressed, _DURATIONS.get(name, _OTHER)))
            stressed = False
    return found


def _weighed(sounds: Sequence[tuple[str, bool, float]], *, final: bool) -> Iterator[tuple[str, bool, float]]:
    light = not any(stressed for _, stressed, _ in sounds)
    vowels = [at for at, (name, _, _) in enumerate(sounds) if name[0] in _VOWELS]
    for at, (name, stressed, length) in enumerate(sounds):
        if at in vowels:
            length *= _STRESSED if stressed else _LIGHT if light else 1
        if final and vowels and at >= vowels[-1]:
            length *= _LAST
        yield name, stressed, length


# ── the sound ───────────────────────────────────────────────────────────────────────────────────────────────────────


def runs(samples: Samples) -> list[Run]:
    """The stretches in which something is heard; all of it where nothing stands out."""
    whole = samples[: len(samples) // _HOP * _HOP].reshape(-1, _HOP)
    level = 10 * np.log10(np.mean(np.square(whole), axis=1) + 1e-10)
    loud = np.flatnonzero(level > max(float(level.max(initial=-100.0)) - _QUIET, _FAINT))
    found: list[Run] = []
    for row in map(int, loud):
        start, end = row * _HOP, (row + 1) * _HOP
        if found and start - found[-1][1] < _GAP:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return [run for run in found if run[1] - run[0] >= _BURST] or [(0, len(samples))]


def _anchors(
    units: Sequence[SpokenUnit], pieces: Sequence[SpokenPiece], words: Sequence[ToldWord], total: int
) -> dict[int, Run]:
    """Where the units are heard according to the service: those whose first and last word are among what it told."""
    spoken = [(number, word) for number, piece in enumerate(pieces) for word in piece.spoken.split()]
    times: dict[int, Run] = {}
    for ours, theirs in _matched([word for _, word in spoken], [word.text for word in words]):
        start, end = (min(round(time * RATE), total) for time in (words[theirs].start, words[theirs].end))
        number = spoken[ours][0]
        times[number] = (times[number][0] if number in times else start, end)
    own = {unit.piece for unit in units}
    return {number: run for number, run in times.items() if run[1] > run[0] and number in own}


def _matched(ours: Sequence[str], theirs: Sequence[str]) -> Iterator[tuple[int, int]]:
    if len(ours) == len(theirs):
        yield from enumerate(range(len(ours)))
        return
    bare = [["".join(filter(str.isalnum, word.casefold())) for word in words] for words in (ours, theirs)]
    for block in SequenceMatcher(None, bare[0], bare[1], autojunk=False).get_matching_blocks():
        yield from ((block.a + offset, block.b + offset) for offset in range(block.size))


def _segments(
    units: Sequence[SpokenUnit], anchors: Mapping[int, Run], heard: Sequence[Run], total: int
) -> Iterator[tuple[Sequence[SpokenUnit], Sequence[Run]]]:
    """Units that lie together and the runs that are theirs: a told one has its own time, the others what lies between."""
    reached = 0
    for told, group in groupby(units, key=lambda unit: unit.piece in anchors):
        some = list(group)
        if told:
            for unit in some:
                start = max(anchors[unit.piece][0], reached)
                reached = max(anchors[unit.piece][1], start)
                yield [unit], [(start, reached)]
        else:
            later = [anchors[unit.piece][0] for unit in units if unit.piece > some[-1].piece and unit.piece in anchors]
            end = max(later[0], reached) if later else total
            yield some, _within(heard, reached, end) or [(reached, end)]


def _within(heard: Sequence[Run], start: int, end: int) -> list[Run]:
    cut = ((max(first, start), min(last, end)) for first, last in heard)
    return [run for run in cut if run[1] - run[0] >= _BURST]


# ── the one over the other ──────────────────────────────────────────────────────────────────────────────────────────


def _shared(units: Sequence[SpokenUnit], where: Sequence[Run]) -> list[Sequence[SpokenUnit]]:
    """The units of each run, so that lengths fit and pauses fall on marks. A run may be a breath and have none."""
    if len(where) == 1:
        return [units]
    ends = np.cumsum([0.0, *(unit.length for unit in units)])
    seconds = [(end - start) / RATE for start, end in where]
    ends *= sum(seconds) / ends[-1]
    best: dict[int, tuple[float, tuple[int, ...]]] = {0: (0.0, ())}
    for number, length in enumerate(seconds):
        last, reached = number == len(seconds) - 1, dict[int, tuple[float, tuple[int, ...]]]()
        for start, (cost, cuts) in best.items():
            for end in (len(units),) if last else range(start, len(units) + 1):
                inside = 0 < end < len(units)
                paused = _UNMARKED if inside and end > start and not units[end - 1].marked else 0.0
                price = cost + abs(float(ends[end] - ends[start]) - length) + paused
                if end not in reached or price < reached[end][0]:
                    reached[end] = (price, (*cuts, end))
        best = reached
    cuts = (0, *best[len(units)][1])
    return [units[start:end] for start, end in pairwise(cuts)]


def _filled(units: Sequence[SpokenUnit], run: Run) -> Iterator[TimedSound]:
    """All sounds of the units, from the start of the run to its end."""
    lengths = [length for unit in units for _, _, length in unit.sounds]
    if not lengths:
        return
    edges = run[0] + np.round(np.cumsum([0.0, *lengths]) / sum(lengths) * (run[1] - run[0])).astype(int)
    places = iter(pairwise(map(int, edges)))
    for unit in units:
        for symbol, stressed, _ in unit.sounds:
            start, end = next(places)
            yield TimedSound(symbol, start, end, unit.piece, stressed)


def _with_silences(sounds: Sequence[TimedSound], total: int) -> list[TimedSound]:
    """Edge to edge, with a silence at both ends even where it is empty: `paced` gives those their length."""
    found = [TimedSound("", 0, sounds[0].start if sounds else 0)]
    for sound in sounds:
        if sound.start > found[-1].end:
            found.append(TimedSound("", found[-1].end, sound.start))
        found.append(sound)
    return [*found, TimedSound("", found[-1].end, total)]
