"""What a voice gives back: the sound, and when each sound and each word of it is said."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from heartfelt.records import Span, Word

Samples: TypeAlias = NDArray[np.float32]

_Timed = TypeVar("_Timed", bound=Span)

RATE = 24_000
"""Samples a second of everything that is spoken."""


class Phone(Span):
    """One sound of the language, or a silence."""

    symbol: str
    """In the International Phonetic Alphabet, such as «eɪ»; empty for silence."""
    stressed: bool = False
    """Whether the main stress of its word is on it."""


class SaidWord(Word):
    """One word as it was written, and when it is heard."""

    at: int
    """Where its first character stands in the text that was to be said."""
    spoken: str
    """The words that were said for it: «five dollars» for «$5»."""


@dataclass(frozen=True)
class SpokenAudio:
    """One stretch of speech. Its phones lie edge to edge from its start to its end; its words are in their order."""

    samples: Samples
    phones: tuple[Phone, ...]
    words: tuple[SaidWord, ...]
    rate: int = RATE

    @property
    def seconds(self) -> float:
        return len(self.samples) / self.rate


def joined(parts: Sequence[SpokenAudio]) -> SpokenAudio:
    """One stretch after the other, with the times moved on."""
    phones: list[Phone] = []
    words: list[SaidWord] = []
    written = 0
    for part in parts:
        start = written / RATE
        phones += (later(phone, start) for phone in part.phones)
        words += (later(word, start) for word in part.words)
        written += len(part.samples)
    samples = np.concatenate([part.samples for part in parts]) if parts else np.zeros(0, np.float32)
    return SpokenAudio(samples, tuple(phones), tuple(words))


def later(span: _Timed, seconds: float) -> _Timed:
    """The same, so many seconds later."""
    return span.model_copy(update={"start": span.start + seconds, "end": span.end + seconds})
