"""One recording through all senses: face and voice side by side, then the words, then what they say together."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

from heartfelt.fusion.fuse import fuse
from heartfelt.models.seam import Model
from heartfelt.records import Keyframe, Moment, Readings, Scores, Sensed, Word
from heartfelt.senses.face.seen import Face
from heartfelt.senses.media.keyframes import Keyframes
from heartfelt.senses.media.media import Media
from heartfelt.senses.media.pieces import Picture, Sound
from heartfelt.senses.media.sharpness import sharpness
from heartfelt.senses.words import words_sensed

FACE_RATE = 8.0
"""Frames a second that are looked at: an expression that matters lasts a quarter of a second or longer."""
Told: TypeAlias = Callable[[str, float, float], object]
"""Hears how far it is: the sense, seconds done, seconds in all (0 where nobody knows)."""


def silent(_sense: str, _done: float, _total: float) -> None:
    """The default callback: does nothing."""


@dataclass(frozen=True)
class Glance:
    """What one frame showed."""

    face: float
    """How well the face was seen, 0 to 1; 0 where there was none."""
    change: float
    """How much the expression differs from the one before, 0 to 1."""
    main: Face | None = None
    """The speaker's face with all that was measured of it, for whoever looks on live."""
    moment: Moment | None = None
    """The emotion that it showed, where one was read off this frame."""


class Eyes(Protocol):
    """A face sense for one turn."""

    def see(self, picture: Picture) -> Glance: ...

    def summary(self) -> Sensed: ...


class Ears(Protocol):
    """A voice sense for one turn."""

    def hear(self, sound: Sound) -> None: ...

    def summary(self) -> tuple[Sensed, tuple[Word, ...]]: ...


@dataclass(frozen=True)
class Impression:
    """What a recording gave."""

    readings: Readings
    keyframes: tuple[Keyframe, ...] = ()
    text: str = ""
    """What was said, heard or given."""
    notes: tuple[str, ...] = ()
    """What was odd about the recording."""


@dataclass(frozen=True)
class Senses:
    """Makes fresh eyes and ears for each recording, and reads the words with the model."""

    model: Model
    eyes: Callable[[], Eyes]
    ears: Callable[[], Ears]
    keyframes: int = 4
    rate: float = FACE_RATE
    told: Told = silent

    async def sense(self, media: Media, *, text: str = "") -> Impression:
        """Everything that can be measured. `text`, where it is given, stands for what was heard."""
        (face, frames), (voice, words) = await asyncio.gather(
            asyncio.to_thread(self._look, media), asyncio.to_thread(self._listen, media)
        )
        found = await self.together(face, voice, words, duration=media.clip.duration or _latest(face, voice), text=text)
        return replace(found, keyframes=frames.records() if frames else (), notes=media.notes)

    async def together(
        self,
        face: Sensed | None,
        voice: Sensed | None,
        words: tuple[Word, ...],
        *,
        duration: float,
        text: str = "",
        emotion: Callable[[str], Awaitable[Scores]] | None = None,
    ) -> Impression:
        """What was seen and heard, the words read by the model, and all of it as one. Recorded and live turns end here.

        `emotion` reads a sentence, where some have been read already.
        """
        said = text.strip() or " ".join(word.text for word in words)
        heard = () if text.strip() else words
        if voice is not None and not heard:
            voice = voice.model_copy(update={"language": ""})
        read = await words_sensed(
            self.model,
            said,
            words=heard,
            duration=duration,
            told=lambda done: self.told("words", done, duration),
            emotion=emotion,
        )
        sensed = tuple(each for each in (read, voice, face) if each is not None)
        return Impression(readings=fuse(sensed, duration=duration, words=words), text=said)

    def _look(self, media: Media) -> tuple[Sensed | None, Keyframes | None]:
        if media.clip.picture is None:
            return None, None
        eyes, chosen, total = self.eyes(), Keyframes(self.keyframes), media.clip.duration or 0.0
        for picture in media.frames(rate=self.rate):
            glance = eyes.see(picture)
            chosen.offer(picture, face=glance.face, sharpness=sharpness(picture.pixels), change=glance.change)
            self.told("face", picture.time, total)
        return eyes.summary(), chosen

    def _listen(self, media: Media) -> tuple[Sensed | None, tuple[Word, ...]]:
        if media.clip.sound is None:
            return None, ()
        ears, total = self.ears(), media.clip.duration or 0.0
        for sound in media.audio():
            ears.hear(sound)
            self.told("voice", sound.start, total)
        return ears.summary()


def _latest(*sensed: Sensed | None) -> float:
    moments: list[Moment] = [moment for each in sensed if each for moment in each.moments]
    return max((moment.end for moment in moments), default=0.0)
