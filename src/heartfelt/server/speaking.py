"""A reply spoken while it is still being written: sentence by sentence, each stretch sent as soon as it is made.

The voice works in the runtime's one thread. Here, in the event loop, sentences wait their turn, and what was made is told with
its place in the reply's sound and in its text, so that whoever is interrupted knows what was heard.
"""

import asyncio
import re
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

import numpy as np

from heartfelt.errors import HeartfeltError
from heartfelt.expression.persona import Persona
from heartfelt.expression.stage import Stage
from heartfelt.expression.style import Style
from heartfelt.expression.timeline import Composer, Timeline
from heartfelt.expression.voice.spoken import RATE, Phone, SaidWord, SpokenAudio, later
from heartfelt.server.runtime import Runtime
from heartfelt.weights.right_of_way import RIGHT_OF_WAY

Result = TypeVar("Result")
_SENTENCE = re.compile(r"\s*(\S.*?[.!?…]+[\"'”’)]*)(\s|$)", re.S)
_CLOSING = 0.3
"""Seconds of silence at the end, in which the face goes on."""


@dataclass(frozen=True)
class SpeakingStretch:
    """A piece of the reply as it is heard and seen."""

    piece: int
    start: float
    """Seconds of the reply's sound before it."""
    seconds: float
    timeline: Timeline
    words: tuple[SaidWord, ...]
    """With their places in the text of the whole reply; times from its own start."""
    sound: bytes
    last: bool


@dataclass
class HeardWords:
    """Which words of the reply fall where in its sound."""

    words: list[SaidWord] = field(default_factory=list)

    def until(self, seconds: float, reply: str) -> str:
        """What of the reply was heard after so many seconds: whole words only."""
        begun = [word for word in self.words if word.start + 0.6 * (word.end - word.start) <= seconds]
        if not begun:
            return ""
        end = begun[-1].at + len(begun[-1].text)
        return reply[:end] if any(character.isalnum() for character in reply[end:]) else reply


class Speaking:
    """One reply. Write its pieces to it as they come, then `finish`; `hush` ends it at once."""

    def __init__(self, runtime: Runtime, persona: Persona, told: Callable[[SpeakingStretch], None]):
        self.heard, self.seconds = HeardWords(), 0.0
        self._runtime, self._persona, self._told = runtime, persona, told
        self._composer: Composer | None = None
        self._text, self._taken, self._pieces = "", 0, 0
        self._sentences: asyncio.Queue[tuple[int, str] | None] = asyncio.Queue()
        self._hushed = False
        self._work: asyncio.Task[None] | None = None

    def begin(self, style: Style) -> None:
        """How it is to be said; decided before its first word."""
        if self._hushed:
            return
        self._composer = Composer(style, self._persona)
        self._work = asyncio.create_task(self._speak(style))

    @property
    def begun(self) -> bool:
        return self._work is not None

    @property
    def text(self) -> str:
        """What was written to it so far."""
        return self._text

    def write(self, piece: str) -> None:
        """Whole sentences go to the voice at once. A piece ends where one does: what is told has passed the gate of safety."""
        self._text += piece
        while found := _SENTENCE.match(self._text, self._taken):
            self._sentences.put_nowait((found.start(1), found[1]))
            self._taken = found.end()

    async def finish(self, reply: str) -> None:
        """The reply as it was settled on: returns when all of it has been made, or after a hush."""
        if reply.startswith(self._text[: self._taken]) and (rest := reply[self._taken :].strip()):
            self._sentences.put_nowait((reply.index(rest, self._taken), rest))
        self._sentences.put_nowait(None)
        if self._work is not None:
            await self._work

    def hush(self) -> None:
        self._hushed = True
        if self._work is not None:
            self._work.cancel()

    async def _speak(self, style: Style) -> None:
        while (sentence := await self._sentences.get()) is not None:
            at, text = sentence
            urgent = not self._pieces  # the writer waits: whoever listens hears nothing yet
            made = await self._in_mouth(partial(_opened, self._runtime.stage, text, style, self._persona))
            while made is not None and (stretch := await self._in_mouth(partial(self._next, made, at, urgent))) is not None:
                self._tell(stretch)
        if self._pieces:
            self._tell(await self._in_mouth(lambda: self._made(_silence(), 0, last=True)))

    async def _in_mouth(self, work: Callable[[], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._runtime.mouth, work)

    def _next(self, made: Iterator[SpokenAudio], at: int, urgent: bool) -> SpeakingStretch | None:
        with RIGHT_OF_WAY.held() if urgent else nullcontext():
            spoken = next(made, None)
        return None if spoken is None else self._made(spoken, at, last=False)

    def _made(self, spoken: SpokenAudio, at: int, *, last: bool) -> SpeakingStretch:
        assert self._composer is not None
        words = tuple(word.model_copy(update={"at": word.at + at}) for word in spoken.words)
        timeline = self._composer.add(SpokenAudio(spoken.samples, spoken.phones, words, spoken.rate), last=last)
        sound = (np.clip(spoken.samples, -1, 1) * 32767).astype("<i2").tobytes()
        return SpeakingStretch(self._pieces, self.seconds, spoken.seconds, timeline, words, sound, last)

    def _tell(self, stretch: SpeakingStretch) -> None:
        if self._hushed:
            return
        self.heard.words += [later(word, stretch.start) for word in stretch.words]
        self.seconds += stretch.seconds
        self._pieces += 1
        self._told(stretch)


def _silence() -> SpokenAudio:
    return SpokenAudio(np.zeros(round(_CLOSING * RATE), np.float32), (Phone(start=0, end=_CLOSING, symbol=""),), ())


def _opened(stage: Stage, text: str, style: Style, persona: Persona) -> Iterator[SpokenAudio] | None:
    """Nothing for what cannot be said, such as an emoji alone: the words are still there to read."""
    try:
        return iter(stage.voice.say(text, style, persona))
    except HeartfeltError:
        return None
