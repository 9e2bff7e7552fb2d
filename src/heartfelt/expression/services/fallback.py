"""Another generator in the place of one that cannot be reached. Only for those who ask for it, and never without a word."""

from collections.abc import Callable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import cast, overload

from heartfelt.errors import GeneratorUnavailable
from heartfelt.expression.generators import FaceGenerator, VoiceGenerator
from heartfelt.expression.persona import Persona
from heartfelt.expression.style import Style
from heartfelt.expression.voice.spoken import SpokenAudio

Notice = Callable[[str], None]
"""Hears what happened and who takes over."""

# The name of a pair is that of the one who was last at work, so that a record never says that a service spoke which was away.


class FallbackVoice:
    """The first voice, or the second where the first is unavailable. Nobody changes voice in the middle of a reply: once
    something has been said, the error comes through."""

    def __init__(self, first: VoiceGenerator, second: VoiceGenerator, *, notice: Notice):
        self.name, self.first, self.second, self._notice = first.name, first, second, notice

    def say(self, text: str, style: Style, persona: Persona) -> Iterator[SpokenAudio]:
        spoken = self.first.say(text, style, persona)
        return self._begun(spoken, text, style, persona)

    def _begun(self, spoken: Iterator[SpokenAudio], text: str, style: Style, persona: Persona) -> Iterator[SpokenAudio]:
        try:
            begin = list(islice(spoken, 1))
            self.name = self.first.name
        except GeneratorUnavailable as error:
            self._notice(f"{error} {self.second.name} speaks instead.")
            begin, spoken, self.name = list[SpokenAudio](), self.second.say(text, style, persona), self.second.name
        yield from chain(begin, spoken)


class FallbackFace:
    """The first face, or the second where the first is unavailable."""

    def __init__(self, first: FaceGenerator, second: FaceGenerator, *, notice: Notice):
        self.name, self.first, self.second, self._notice = first.name, first, second, notice

    def film(self, spoken: SpokenAudio, style: Style, persona: Persona, target: Path) -> Path:
        self.name = self.first.name
        try:
            return self.first.film(spoken, style, persona, target)
        except GeneratorUnavailable as error:
            self._notice(f"{error} {self.second.name} is shown instead.")
        self.name = self.second.name
        return self.second.film(spoken, style, persona, target)


@overload
def or_else(first: VoiceGenerator, second: VoiceGenerator, *, notice: Notice) -> FallbackVoice: ...
@overload
def or_else(first: FaceGenerator, second: FaceGenerator, *, notice: Notice) -> FallbackFace: ...
def or_else(
    first: VoiceGenerator | FaceGenerator, second: VoiceGenerator | FaceGenerator, *, notice: Notice
) -> FallbackVoice | FallbackFace:
    """`first`, and `second` where `first` cannot be reached, does not answer in time or is broken on its own side.

    An answer that breaks the contract is no reason: that is a mistake in the service, and it is told as an error.
    """
    if hasattr(first, "say"):
        return FallbackVoice(cast(VoiceGenerator, first), cast(VoiceGenerator, second), notice=notice)
    return FallbackFace(cast(FaceGenerator, first), cast(FaceGenerator, second), notice=notice)
