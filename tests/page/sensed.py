"""Turns of which something was sensed, for the page to show."""

import base64
import io

import numpy as np
from PIL import Image

from heartfelt import Dialogue, Trace, Turn
from heartfelt.fusion.fuse import fuse
from heartfelt.fusion.tell import measured_cues
from heartfelt.records import Conflict, Cue, Evidence, Keyframe, Measured, Moment, Readings, Sensed, Word

from . import samples

SAID = "I'm fine, really. He just left."
SMILE = Measured(source="face", text="smiles with the mouth only", start=1.2, end=3.4, strength=0.8)
PAUSE = Measured(source="voice", text="long pause", start=1.5, end=2.6, strength=0.5)
MORE = tuple(Measured(source="face", text=f"sign {n}", start=n, end=n + 0.5, strength=0.2) for n in range(5))


def keyframe(time: float, side: int = 640, mime: str = "image/jpeg") -> Keyframe:
    file = io.BytesIO()
    pixels = np.random.default_rng(int(time * 10)).integers(0, 255, (side, side, 3), np.uint8)
    Image.fromarray(pixels).save(file, mime.removeprefix("image/").upper())
    return Keyframe(time=time, mime=mime, data=base64.b64encode(file.getvalue()).decode())


def moment(start: float, end: float, reliability: float, **shares: float) -> Moment:
    rest = (1 - sum(shares.values())) / 7
    labels = ("neutral", "surprise", "fear", "sadness", "joy", "disgust", "anger")
    return Moment(start=start, end=end, shares={each: shares.get(each, 0.0) + rest for each in labels}, reliability=reliability)


def words() -> tuple[Word, ...]:
    spoken = SAID.split()
    return tuple(
        Word(text=word, start=0.4 + 0.6 * place, end=0.9 + 0.6 * place, confidence=0.3 if place == 1 else 0.9)
        for place, word in enumerate(spoken)
    )


def readings() -> Readings:
    """A smile over a sad sentence."""
    told = (moment(0.4, 2.1, 0.8, neutral=0.7), moment(2.1, 4.0, 0.8, sadness=0.8))
    seen = tuple(moment(second, second + 0.9, 0.5 - 0.08 * second, joy=0.5 + 0.1 * second) for second in range(4))
    sensed = (
        Sensed(source="words", moments=told),
        Sensed(source="voice", cues=(PAUSE,)),
        Sensed(source="face", moments=seen, cues=(SMILE, *MORE), note="A face was found in 40% of the frames only."),
    )
    made = fuse(sensed, duration=4.2, words=words())
    clash = Conflict(start=2.1, end=3.4, score=0.9, text="the words tell of sadness while the face shows joy")
    return made.model_copy(update={"conflict": clash})


def picture() -> Readings:
    """What a photograph gives: one moment without a length."""
    shown = Sensed(
        source="face", moments=(moment(0, 0, 0.6, joy=0.7),), cues=(SMILE.model_copy(update={"start": 0, "end": 0}),)
    )
    return fuse((shown,), duration=0.0)


def nothing() -> Readings:
    """A black and silent film."""
    return Readings(duration=3.0, sensed=tuple(Sensed(source=each, note="Nothing.") for each in ("words", "voice", "face")))


def hour() -> Readings:
    """A moment a second and nine thousand words."""
    seen = tuple(moment(second, second + 0.9, 0.5, joy=0.5 if second // 300 % 2 else 0.1, fear=0.3) for second in range(3600))
    spoken = tuple(Word(text="so." if n % 12 == 11 else "word", start=0.4 * n, end=0.4 * n + 0.3) for n in range(9000))
    return fuse((Sensed(source="face", moments=seen),), duration=3600.0, words=spoken)


def trace(
    given: Readings | None = None, frames: tuple[Keyframe, ...] | None = None, *, text: str = SAID, speaker: str = "Ana"
) -> Trace:
    """A turn that was answered, whose perceive cites what was measured."""
    found = given or readings()
    shown = (keyframe(0.5), keyframe(2.5)) if frames is None else frames
    cues = (Cue(quote=text, meaning="hiding"), *measured_cues(found))
    dialogue = Dialogue(turns=(Turn(speaker=speaker, text=text, readings=found, keyframes=shown),))
    return samples.one_pass(samples.outputs() | {"perceive": Evidence(cues=cues)}, dialogue)
