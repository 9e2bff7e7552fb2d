"""What the sound itself tells about the words: how loud each sound is, and which words weigh."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.timeline.head import Stress
from heartfelt.expression.voice.language import small_words
from heartfelt.expression.voice.spoken import Phone, SpokenAudio
from heartfelt.expression.voice.symbols import IPA, VOWELS

Floats = NDArray[np.floating[Any]]

_APART = 0.55
"""Seconds between two words that weigh at least: a head that goes with every word is a rattle."""
_VOWELS = VOWELS | {letter for spelled in IPA.values() for letter in spelled}


def openings(spoken: SpokenAudio) -> list[float]:
    """How wide each sound opens the mouth against the mean, by how loud it is."""
    levels = [_decibels(spoken, phone) for phone in spoken.phones]
    middle = _middle(spoken.phones, levels)
    return [float(np.clip(1 + (level - middle) / 28, 0.72, 1.25)) for level in levels]


def stresses(spoken: SpokenAudio) -> list[Stress]:
    """The words that weigh, in the order of time."""
    levels = [_decibels(spoken, phone) for phone in spoken.phones]
    middle = _middle(spoken.phones, levels)
    found: list[Stress] = []
    for word in spoken.words:
        if word.text.lower().strip(".,!?'\"") in small_words("English"):
            continue
        own = [pair for pair in zip(spoken.phones, levels, strict=True) if _belongs(pair[0], word.start, word.end)]
        if own:
            phone, level = max(own, key=lambda pair: (pair[0].stressed, pair[1]))
            weight = float(np.clip(0.45 + (level - middle) / 14, 0.1, 1.0))
            found.append(Stress((phone.start + phone.end) / 2, weight))
    return _thinned(found)


def pauses(spoken: SpokenAudio) -> list[float]:
    """The moments at which a silence begins."""
    return [phone.start for phone in spoken.phones if not phone.symbol and phone.end - phone.start > 0.1]


def talking(spoken: SpokenAudio, times: Floats) -> Floats:
    """1 where somebody talks, 0 in longer silences, with soft edges."""
    share = np.zeros(len(times))
    for phone in spoken.phones:
        if phone.symbol or phone.end - phone.start < 0.12:
            inside = np.minimum(times - phone.start + 0.10, phone.end + 0.14 - times)
            share = np.maximum(share, np.clip(inside / 0.10, 0, 1))
    return share


def _thinned(found: Sequence[Stress]) -> list[Stress]:
    kept: list[Stress] = []
    for stress in sorted(found, key=lambda each: -each.weight):
        if all(abs(stress.at - other.at) >= _APART for other in kept):
            kept.append(stress)
    return sorted(kept, key=lambda each: each.at)


def _belongs(phone: Phone, start: float, end: float) -> bool:
    return bool(phone.symbol) and phone.symbol[0] in _VOWELS and start <= (phone.start + phone.end) / 2 <= end


def _middle(phones: Sequence[Phone], levels: Sequence[float]) -> float:
    vowels = [level for phone, level in zip(phones, levels, strict=True) if phone.symbol and phone.symbol[0] in _VOWELS]
    return float(np.median(vowels)) if vowels else -30.0


def _decibels(spoken: SpokenAudio, phone: Phone) -> float:
    piece = spoken.samples[int(phone.start * spoken.rate) : int(phone.end * spoken.rate)]
    return float(10 * np.log10(np.mean(np.square(piece)) + 1e-8)) if piece.size else -80.0
