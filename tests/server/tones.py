"""Ears for long talks: every sentence is a tone of its own, so that it is known however it was cut or joined."""

from itertools import groupby

import numpy as np

from heartfelt.models import Model
from heartfelt.records import Word
from heartfelt.senses.media.pieces import SAMPLE_RATE, Samples
from heartfelt.senses.sense import Senses
from heartfelt.senses.voice.transcribe import Transcript
from scripts import good
from senses.test_live import Face

from .serving import Ears

LOWEST, APART = 400, 50
"""Hertz."""
_LONG, _LOUD, _LEAST = 1024, 1e-3, 2
"""Samples that are looked at together; the power of a tone; and how many of them are no accident."""


def pitch_of(number: int) -> int:
    return LOWEST + APART * number


def sentence_of(number: int) -> str:
    return f"Today I counted {number} birds."


class ToneTranscriber:
    name = "tones"

    def transcribe(self, samples: Samples) -> Transcript:
        pieces = samples[: len(samples) // _LONG * _LONG].reshape(-1, _LONG)
        runs = [(number, len(list(run))) for number, run in groupby(map(_number, pieces))]
        numbers = dict.fromkeys(number for number, long in runs if number is not None and long >= _LEAST)
        words = [word for number in numbers for word in sentence_of(number).split()]
        return Transcript(tuple(Word(start=0.1 * i, end=0.1 * i + 0.1, text=word) for i, word in enumerate(words)))


def _number(piece: Samples) -> int | None:
    if np.mean(np.square(piece)) < _LOUD:
        return None
    strongest = int(np.argmax(np.abs(np.fft.rfft(piece * np.hanning(len(piece))))))
    return round((strongest * SAMPLE_RATE / _LONG - LOWEST) / APART)


class ToneEars(Ears):
    def __init__(self) -> None:
        super().__init__()
        self.voice.transcriber = ToneTranscriber()


def sensing(model: Model) -> Senses:
    return Senses(model=good("compact"), eyes=Face, ears=ToneEars)  # type: ignore[arg-type]
