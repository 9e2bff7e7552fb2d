"""The seam to a voice, and its double: a speaker that hums, for tests and for machines without weights."""

from collections.abc import Iterator
from typing import Protocol

import numpy as np

from heartfelt.expression.voice.chunks import Chunk, chunks
from heartfelt.expression.voice.manner import NEUTRAL, Manner
from heartfelt.expression.voice.normalise import normalise
from heartfelt.expression.voice.sound import louder
from heartfelt.expression.voice.spoken import RATE, Phone, SaidWord, SpokenAudio, joined
from heartfelt.expression.voice.voices import DEFAULT, Voice


class Speaker(Protocol):
    """Says a text."""

    name: str

    def say(self, text: str, *, voice: Voice | str = DEFAULT, manner: Manner = NEUTRAL) -> SpokenAudio:
        """All of it at once."""
        ...

    def stream(
        self, text: str, *, voice: Voice | str = DEFAULT, manner: Manner = NEUTRAL, piecewise: bool = False
    ) -> Iterator[SpokenAudio]:
        """Stretch by stretch, each as soon as it is made. The times of each count from its own start.

        `piecewise`: somebody waits, so a stretch may come in pieces.
        """
        ...

    def prepare(self, voice: Voice) -> Iterator[None]:
        """Learn once what lets a voice be heard sooner. It takes some seconds, a part of them for each step."""
        ...


class Hummer:
    """The double: a tone for each word, as long as the word has letters. Instant, and the same every time."""

    name = "hum"
    _LETTER, _HERTZ = 0.06, 150.0

    def say(self, text: str, *, voice: Voice | str = DEFAULT, manner: Manner = NEUTRAL) -> SpokenAudio:
        return joined(list(self.stream(text, voice=voice, manner=manner)))

    def stream(
        self, text: str, *, voice: Voice | str = DEFAULT, manner: Manner = NEUTRAL, piecewise: bool = False
    ) -> Iterator[SpokenAudio]:
        script = normalise(text)
        return (self._hummed(chunk, manner) for chunk in chunks(script.pieces))

    def prepare(self, voice: Voice) -> Iterator[None]:
        """Nothing is to be learnt about a tone."""
        return iter(())

    def _hummed(self, chunk: Chunk, manner: Manner) -> SpokenAudio:
        phones: list[Phone] = []
        words: list[SaidWord] = []
        end = 0.0
        for piece in chunk.pieces:
            start, end = end, end + self._LETTER * len(piece.spoken) / manner.rate
            phones.append(Phone(start=start, end=end, symbol="m"))
            words.append(SaidWord(start=start, end=end, text=piece.written, at=piece.at, spoken=piece.spoken))
        total = end + chunk.pause * manner.pause
        phones.append(Phone(start=end, end=total, symbol=""))
        times = np.arange(round(total * RATE)) / RATE
        tone = 0.1 * np.sin(2 * np.pi * self._HERTZ * 2 ** (manner.pitch / 12) * times) * (times < end)
        return SpokenAudio(louder(tone.astype(np.float32), manner.energy), tuple(phones), tuple(words))
