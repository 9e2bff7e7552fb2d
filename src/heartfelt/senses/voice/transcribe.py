"""From sound to words: the seam behind which any recogniser can stand, and two doubles."""

from collections.abc import Iterable
from typing import NamedTuple, Protocol

from heartfelt.records import Word
from heartfelt.senses.voice.samples import Samples


class Transcript(NamedTuple):
    """What was said in one stretch of speech."""

    words: tuple[Word, ...] = ()
    """Their times are in seconds from the first sample."""
    language: str = ""
    """Its code, where it is clearly not English."""


class Transcriber(Protocol):
    @property
    def name(self) -> str:
        """What a trace calls it."""
        ...

    def transcribe(self, samples: Samples) -> Transcript:
        """What is said in one stretch of speech."""
        ...


class Wordless:
    """Hears no words: for whoever needs the tone of a voice only."""

    name = "wordless"

    def transcribe(self, samples: Samples) -> Transcript:
        return Transcript()


class ScriptedTranscriber:
    """The double for tests: gives the prepared words of each stretch in turn, and none once they are used up."""

    name = "scripted"

    def __init__(self, script: Iterable[tuple[Word, ...]]):
        self._script = iter(script)

    def transcribe(self, samples: Samples) -> Transcript:
        return Transcript(next(self._script, ()))
