"""From sound to words: the seam behind which any recogniser can stand, and two doubles."""

from collections.abc import Iterable
from typing import Protocol

from heartfelt.records import Word
from heartfelt.senses.voice.samples import Samples


class Transcriber(Protocol):
    @property
    def name(self) -> str:
        """What a trace calls it."""
        ...

    def transcribe(self, samples: Samples) -> tuple[Word, ...]:
        """The words of one stretch of speech, their times in seconds from its first sample."""
        ...


class Wordless:
    """Hears no words: for whoever needs the tone of a voice only."""

    name = "wordless"

    def transcribe(self, samples: Samples) -> tuple[Word, ...]:
        return ()


class ScriptedTranscriber:
    """The double for tests: gives the prepared words of each stretch in turn, and none once they are used up."""

    name = "scripted"

    def __init__(self, script: Iterable[tuple[Word, ...]]):
        self._script = iter(script)

    def transcribe(self, samples: Samples) -> tuple[Word, ...]:
        return next(self._script, ())
