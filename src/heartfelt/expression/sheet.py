"""Everybody with seven emotions in the middle of one sentence, on one picture: to be looked at."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from heartfelt.expression.embedded import EmbeddedFace, EmbeddedVoice
from heartfelt.expression.persona import Persona
from heartfelt.expression.style import Style
from heartfelt.expression.timeline import compose
from heartfelt.expression.video import Frame
from heartfelt.expression.voice.spoken import SpokenAudio, joined
from heartfelt.files import writing

EMOTIONS = ("neutral", "happy", "sad", "anger", "fear", "surprise", "disgust")
SENTENCE = "I never thought that it would come to this."
_MARGIN, _HEADING = 84, 26
_NEAR = 0.6
"""Seconds from the middle."""
_PAPER, _INK = (250, 249, 247), (60, 58, 56)


def draw_sheet(
    people: Iterable[Persona],
    target: Path,
    *,
    emotions: Sequence[str] = EMOTIONS,
    size: int = 192,
    voice: EmbeddedVoice | None = None,
) -> None:
    """A row for each person and a column for each emotion, at full intensity, as the sentence is half said.

    It is said once, at rest, so that all are shown at the same sound.
    """
    people, face = list(people), EmbeddedFace(2 * size)
    spoken = joined(list((voice or EmbeddedVoice()).say(SENTENCE, Style(intensity=0.0), people[0])))
    page = Image.new("RGB", (_MARGIN + size * len(emotions), _HEADING + size * len(people)), _PAPER)
    pen = ImageDraw.Draw(page)
    for column, emotion in enumerate(emotions):
        pen.text((_MARGIN + (column + 0.5) * size, _HEADING / 2), emotion, _INK, anchor="mm", font_size=14)
    for row, persona in enumerate(people):
        pen.text((10, _HEADING + (row + 0.5) * size), persona.name, _INK, anchor="lm", font_size=14)
        for column, emotion in enumerate(emotions):
            frame = half_said(spoken, Style(emotion=emotion, intensity=1.0), persona, face)
            small = Image.fromarray(frame).crop(_head(face.size)).resize((size, size), Image.Resampling.LANCZOS)
            page.paste(small, (_MARGIN + column * size, _HEADING + row * size))
    with writing(target):
        page.save(target, quality=88)


def half_said(spoken: SpokenAudio, style: Style, persona: Persona, face: EmbeddedFace) -> Frame:
    """The picture in the middle of what is said, at the vowel near it that rounds the lips the least, with open eyes."""
    timeline = compose(spoken, style, persona, seed=face.seed)
    lids, times = timeline.channel("eyeBlinkLeft"), np.arange(timeline.moments) / timeline.rate
    near = (np.abs(times - spoken.seconds / 2) < _NEAR) & (lids <= lids.min() + 0.3)
    round_lips = timeline.channel("mouthPucker") + timeline.channel("mouthFunnel")
    shut = timeline.channel("mouthClose")
    moment = times[np.argmin(np.where(near, round_lips + 4 * shut - 0.5 * timeline.channel("jawOpen"), np.inf))]
    return face.renderer(persona).frame(timeline.pose(float(moment)))


def _head(size: int) -> tuple[int, int, int, int]:
    """The part of a picture that the head is in."""
    return round(0.15 * size), round(0.05 * size), round(0.85 * size), round(0.75 * size)
