"""The generators that come with Heartfelt: Kokoro's voice, and a face drawn from the timeline."""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from math import floor
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from heartfelt.expression.persona import Persona
from heartfelt.expression.style import Style
from heartfelt.expression.timeline import Timeline, compose
from heartfelt.expression.video import FPS, Frame, write_video
from heartfelt.expression.voice.emotions import manner_of
from heartfelt.expression.voice.kokoro import Kokoro
from heartfelt.expression.voice.manner import Manner
from heartfelt.expression.voice.speaker import Speaker
from heartfelt.expression.voice.spoken import SpokenAudio

if TYPE_CHECKING:
    from heartfelt.expression.render import Renderer

SIZE = 512

Told = Callable[[float], None]
"""Hears the share of the work that is done; who wants it to stop raises here."""

_KEPT = 2
"""Renderers that are kept: one holds the painted skin and the hair of a person, about 60 MB."""


class EmbeddedVoice:
    """Kokoro, in the manner that the style asks of this person."""

    def __init__(self, speaker: Speaker | None = None):
        self.speaker = speaker or Kokoro()
        self.name = self.speaker.name

    def say(self, text: str, style: Style, persona: Persona, *, piecewise: bool = False) -> Iterator[SpokenAudio]:
        """`piecewise`: somebody waits for the first of it."""
        return self.speaker.stream(text, voice=persona.voice, manner=manner_for(style, persona), piecewise=piecewise)

    def prepare(self, persona: Persona) -> Iterator[None]:
        """Learn once what lets this person be heard sooner; a sentence at a time."""
        return self.speaker.prepare(persona.voice)


class EmbeddedFace:
    """The drawn head. `mark` is a small text that every picture bears; `told` hears how far a film is."""

    name = "heartfelt-face"

    def __init__(self, size: int = SIZE, *, mark: str = "", seed: int = 0, threads: int = 2, told: Told | None = None):
        self.size, self.mark, self.seed, self.threads, self.told = size, mark, seed, threads, told
        self._renderers: OrderedDict[str, Renderer] = OrderedDict()

    def film(self, spoken: SpokenAudio, style: Style, persona: Persona, target: Path) -> Path:
        timeline = compose(spoken, style, persona, seed=self.seed)
        samples = np.zeros(round(timeline.seconds * spoken.rate), np.float32)
        samples[: len(spoken.samples)] = spoken.samples[: len(samples)]
        return write_video(
            self.frames(timeline, persona), samples, spoken.rate, target, fps=FPS, mark=self.mark or None, title=persona.name
        )

    def frames(self, timeline: Timeline, persona: Persona) -> Iterator[Frame]:
        """The pictures of a timeline, one by one."""
        renderer, count = self.renderer(persona), max(floor(timeline.seconds * FPS), 1)
        for index in range(count):
            yield renderer.frame(timeline.pose(index / FPS))
            if self.told:
                self.told((index + 1) / count)

    def renderer(self, persona: Persona) -> "Renderer":
        """The renderer of a person, made at the first call."""
        from heartfelt.expression.render import Renderer  # compiles, so only who draws waits for it

        key = persona.look.model_dump_json()
        if key not in self._renderers:
            self._renderers[key] = Renderer(persona.look, self.size, threads=self.threads)
            while len(self._renderers) > _KEPT:
                self._renderers.popitem(last=False)
        self._renderers.move_to_end(key)
        return self._renderers[key]


def manner_for(style: Style, persona: Persona) -> Manner:
    """The style's manner on top of the person's own."""
    felt, own = manner_of(style.emotion, style.intensity, style.tone).steps, persona.manner.steps
    return Manner.of_steps([first + second for first, second in zip(felt, own, strict=True)])
