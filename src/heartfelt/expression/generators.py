"""The two seams of the expression: who speaks, and who shows a face.

`embedded` has those that come with Heartfelt; `services` reaches generators that you run yourself.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from heartfelt.expression.persona import Persona
from heartfelt.expression.style import Style
from heartfelt.expression.voice.spoken import SpokenAudio


class VoiceGenerator(Protocol):
    """Says a text as a person, in a style."""

    name: str

    def say(self, text: str, style: Style, persona: Persona) -> Iterator[SpokenAudio]:
        """Stretch by stretch, each as soon as it is made; the times of each count from its own start."""
        ...


class FaceGenerator(Protocol):
    """Shows a person who says something."""

    name: str

    def film(self, spoken: SpokenAudio, style: Style, persona: Persona, target: Path) -> Path:
        """Write the film of it to `target`, an MP4 with pictures and sound: whole or not at all."""
        ...
