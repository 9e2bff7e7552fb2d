"""When each sound and each word is heard, from the durations that the network gives its symbols and from the sound itself."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.voice.normalise import SpokenPiece
from heartfelt.expression.voice.phonemes import Symbol
from heartfelt.expression.voice.spoken import RATE, Phone, SaidWord, Samples
from heartfelt.expression.voice.symbols import HALF_STRESS, IPA, LONG, MARKS, SPACE, STRESS

FRAME = RATE // 40
"""Samples in a unit of the durations: 25 ms."""
EARLY = 2
"""Frames by which the sound comes before its symbol: with 50 ms voiced and unvoiced agree best with what is heard."""
_HOP = RATE // 200
_FIRST_PIECE, _LAST_PIECE, _GROWTH = round(0.5 * RATE), round(0.35 * RATE), 1.4
"""Samples of the first and of the last piece at least, and how much longer each may be than the one before: two cores need
0.1 s for a second of the whole, and for each piece 0.1 s and 0.45 of its length."""
_AROUND = round(0.15 * RATE)
"""Samples of silence that are made before the first sound and after the last, which may begin earlier and end later."""
_QUIET, _FAINT = 32.0, -58.0
"""Decibels below the loudest, and below full scale, from which nothing is heard any more."""


@dataclass(frozen=True)
class TimedSound:
    """One sound, or a silence where the symbol is empty, in samples."""

    symbol: str
    start: int
    end: int
    piece: int | None = None
    stressed: bool = False


def sounds_of(symbols: Sequence[Symbol], durations: NDArray[np.int64]) -> list[TimedSound]:
    """Edge to edge over the whole sound. The durations are those of the symbols, with one before and one after them."""
    ends = np.cumsum(durations) * FRAME - EARLY * FRAME
    total = int(durations.sum()) * FRAME
    ends = np.clip(ends, 0, total)
    found = [TimedSound("", 0, int(ends[0]))]
    stressed, pending = False, int(ends[0])
    for symbol, end in zip(symbols, map(int, ends[1:-1]), strict=True):
        last = found[-1]
        if symbol.text in (STRESS, HALF_STRESS):
            stressed = symbol.text == STRESS
        elif symbol.text == LONG:
            found[-1] = replace(last, end=end, symbol=last.symbol + LONG)
            pending = end
        elif symbol.text == SPACE:
            # between two words without a pause: half of it is the end of one, half the start of the other
            middle = end if not last.symbol else (pending + end) // 2
            found[-1] = replace(last, end=middle)
            pending = middle
        elif symbol.text in MARKS:
            found.append(TimedSound("", pending, end))
            pending = end
        else:
            found.append(TimedSound(IPA.get(symbol.text, symbol.text), pending, end, symbol.piece, stressed))
            stressed, pending = False, end
    return _one_silence([*found, TimedSound("", pending, total)])


def _one_silence(sounds: Sequence[TimedSound]) -> list[TimedSound]:
    """Silences that follow each other as one."""
    found = [sounds[0]]
    for sound in sounds[1:]:
        if sound.symbol or found[-1].symbol:
            found.append(sound)
        else:
            found[-1] = replace(found[-1], end=sound.end)
    return found


def moved(sounds: Sequence[TimedSound], samples: int) -> list[TimedSound]:
    """The same, so many samples later."""
    return [replace(sound, start=sound.start + samples, end=sound.end + samples) for sound in sounds]


def places(sounds: Sequence[TimedSound]) -> tuple[list[TimedSound], list[int]]:
    """Without most of the silence at both ends, and the sounds before which it is cut: where one word goes over into the next.

    Each piece is longer than the one before by what can be made of it while that is heard.
    """
    kept = list(sounds)
    if not kept[0].symbol:
        kept[0] = replace(kept[0], start=max(kept[0].start, kept[0].end - _AROUND))
    if not kept[-1].symbol:
        kept[-1] = replace(kept[-1], end=min(kept[-1].end, kept[-1].start + _AROUND))
    starts: list[int] = []
    begun, least = kept[0].end, _FIRST_PIECE
    for index, (before, sound) in enumerate(pairwise(kept), 1):
        between = before.symbol and sound.symbol and before.piece != sound.piece
        if between and sound.start - begun >= least and kept[-1].end - sound.start >= _LAST_PIECE:
            starts.append(index)
            begun, least = sound.start, round(least * _GROWTH)
    return kept, starts


def heard(sounds: Sequence[TimedSound], samples: Samples) -> list[TimedSound]:
    """The same with every silence as long as it really is: the sounds before and after it often fade within their time, or
    go on a little beyond it."""
    loud = _loud(samples)
    found = list(sounds)
    for index, sound in enumerate(found):
        if sound.symbol:
            continue
        start, end = sound.start, sound.end
        if index:
            before = found[index - 1]
            faded = _still_loud(loud, start, end)
            start = min(faded, _last_loud(loud, before.start, faded))
            found[index - 1] = replace(before, end=start)
        if index + 1 < len(found):
            after = found[index + 1]
            begun = _already_loud(loud, start, end)
            end = max(begun, _first_loud(loud, begun, after.end))
            found[index + 1] = replace(after, start=end)
        found[index] = replace(sound, start=start, end=end)
    return found


def _still_loud(loud: NDArray[np.bool_], start: int, end: int) -> int:
    """Until where the sound before a silence goes on into it."""
    quiet = np.flatnonzero(~loud[start // _HOP : end // _HOP])
    return min(start + int(quiet[0]) * _HOP, end) if quiet.size else start


def _already_loud(loud: NDArray[np.bool_], start: int, end: int) -> int:
    """From where the sound after a silence has begun within it."""
    quiet = np.flatnonzero(~loud[start // _HOP : end // _HOP])
    return max(start, start + (int(quiet[-1]) + 1) * _HOP) if quiet.size else end


def _loud(samples: Samples) -> NDArray[np.bool_]:
    """For each 5 ms, whether anything is heard."""
    whole = samples[: len(samples) // _HOP * _HOP].reshape(-1, _HOP)
    level = 10 * np.log10(np.mean(np.square(whole), axis=1) + 1e-10)
    return level > max(float(level.max(initial=-100.0)) - _QUIET, _FAINT)


def _last_loud(loud: NDArray[np.bool_], start: int, end: int) -> int:
    """The sample after which nothing is heard up to the end; at least a little of the stretch is kept."""
    inside = np.flatnonzero(loud[start // _HOP : end // _HOP])
    return max(start + (int(inside[-1]) + 1) * _HOP if inside.size else start, min(start + _HOP, end))


def _first_loud(loud: NDArray[np.bool_], start: int, end: int) -> int:
    inside = np.flatnonzero(loud[start // _HOP : end // _HOP])
    return min(start + int(inside[0]) * _HOP if inside.size else start, end - _HOP if end - start > _HOP else end)


def paced(
    sounds: Sequence[TimedSound], samples: Samples, pause: float, edge: float, after: float
) -> tuple[list[TimedSound], Samples]:
    """With the silences within made longer or shorter by a factor, and those at both ends of a given length in seconds."""
    kept: list[TimedSound] = []
    parts: list[Samples] = []
    written = 0
    for index, sound in enumerate(sounds):
        part = samples[sound.start : sound.end]
        if not sound.symbol:
            if index == 0:
                part = _of_length(part, round(edge * RATE), keep_end=True)
            elif index == len(sounds) - 1:
                part = _of_length(part, round(after * RATE), keep_end=False)
            else:
                part = _of_length(part, round(len(part) * pause), keep_end=False)
        kept.append(replace(sound, start=written, end=written + len(part)))
        parts.append(part)
        written += len(part)
    return kept, np.concatenate(parts)


def _of_length(part: Samples, length: int, *, keep_end: bool) -> Samples:
    """Silence cut or filled up where it is quietest: away from the sound that it borders on."""
    if len(part) >= length:
        return part[len(part) - length :] if keep_end else _faded(part, length)
    filling = np.zeros(length - len(part), np.float32)
    return np.concatenate([filling, part] if keep_end else [part, filling])


def _faded(part: Samples, length: int) -> Samples:
    part = part[:length].copy()
    fade = min(_HOP, length)
    part[length - fade :] *= np.linspace(1, 0, fade, dtype=np.float32)
    return part


def phones_of(sounds: Sequence[TimedSound]) -> tuple[Phone, ...]:
    return tuple(
        Phone(start=sound.start / RATE, end=sound.end / RATE, symbol=sound.symbol, stressed=sound.stressed)
        for sound in sounds
        if sound.end > sound.start
    )


def words_of(sounds: Sequence[TimedSound], pieces: Sequence[SpokenPiece]) -> tuple[SaidWord, ...]:
    """Every piece that has a sound, from its first to its last."""
    words: list[SaidWord] = []
    for number, piece in enumerate(pieces):
        own = [sound for sound in sounds if sound.piece == number]
        if own:
            times = {"start": own[0].start / RATE, "end": own[-1].end / RATE}
            words.append(SaidWord(**times, text=piece.written, at=piece.at, spoken=piece.spoken))
    return tuple(words)
