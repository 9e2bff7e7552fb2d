"""From a text and a style to a reply that is spoken and shown, and to the files of it."""

import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

from heartfelt.errors import InputError, UsageError
from heartfelt.expression.embedded import EmbeddedFace, EmbeddedVoice
from heartfelt.expression.generators import FaceGenerator, VoiceGenerator
from heartfelt.expression.persona import Persona
from heartfelt.expression.proof import Prover
from heartfelt.expression.sound import marked_wav
from heartfelt.expression.style import Style
from heartfelt.expression.timeline import Timeline, compose
from heartfelt.expression.voice.kokoro import MOST_WORDS
from heartfelt.expression.voice.normalise import normalise
from heartfelt.expression.voice.spoken import SpokenAudio, joined
from heartfelt.files import whole, writing
from heartfelt.records import Attempt, Carried, Performance

SOUND, FILM, TIMELINE = "reply.wav", "reply.mp4", "timeline.json"
WRITTEN = (".mp4", ".wav", ".json")
"""Endings of the files that a take can be written as."""
_MORE = 0.25
"""How much stronger an emotion that did not arrive is shown the second time."""


@dataclass(frozen=True)
class Take:
    """Somebody said something in a style."""

    text: str
    style: Style
    """What the voice carries."""
    persona: Persona
    spoken: SpokenAudio
    shown: Style
    """What the face shows: nearly always the same."""

    @cached_property
    def timeline(self) -> Timeline:
        """What the face does meanwhile; the browser plays it."""
        return compose(self.spoken, self.shown, self.persona)


class Stage:
    """A voice, a face, and somebody who looks whether the emotion arrived. Generators are opened at their first use."""

    def __init__(self, voice: VoiceGenerator | None = None, face: FaceGenerator | None = None, prover: Prover | None = None):
        self.voice, self.face, self.prover = voice or EmbeddedVoice(), face or EmbeddedFace(), prover or Prover()

    def take(self, text: str, style: Style, persona: Persona, *, shown: Style | None = None) -> Take:
        """All of a text, spoken. `shown` is what the face shows where it hides what the voice carries: a smile over tears."""
        words = normalise(text).words
        if words > MOST_WORDS:
            raise InputError(
                f"A text of {words:,} words is too long to be said at once; {MOST_WORDS:,} are the most. Say it in parts."
            )
        return Take(text, style, persona, joined(list(self.voice.say(text, style, persona))), shown or style)

    def write(self, take: Take, target: Path) -> Path:
        """The take as a sound (.wav), a film (.mp4) or a timeline (.json), by the ending of the name; whole or not at all."""
        ending = checked_ending(target)
        writers = {".wav": self._sound, ".mp4": self._film, ".json": self._timeline}
        with writing(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            writers[ending](take, target)
        return target

    def perform(self, text: str, style: Style, persona: Persona, folder: Path, *, film: bool = True) -> Performance:
        """Speak and show a reply, write it into a folder, and measure whether the emotion arrived.

        Where it did not arrive in the face, it is made once more with more of it, and the better one is kept.
        """
        first = self._performed(text, style, persona, folder, film=film)
        stronger = _stronger(first, style)
        if stronger is None:
            return first
        ms = dict(first.ms)
        with TemporaryDirectory(prefix=".again-", dir=folder) as aside, _timed(ms, "again"):
            second = self._performed(text, stronger, persona, Path(aside), film=film)
            kept = max(first, second, key=_arrival)
            for name in second.files if kept is second else ():
                (Path(aside) / name).replace(folder / name)
        attempts = tuple(Attempt(intensity=made.intensity, carried=made.carried, kept=made is kept) for made in (first, second))
        return kept.model_copy(update={"attempts": attempts, "ms": ms})

    def _performed(self, text: str, style: Style, persona: Persona, folder: Path, *, film: bool) -> Performance:
        ms: dict[str, float] = {}
        with _timed(ms, "voice"):
            take = self.take(text, style, persona)
        files = [self.write(take, folder / SOUND), self.write(take, folder / TIMELINE)]
        if film:
            with _timed(ms, "face"):
                files.append(self.write(take, folder / FILM))
        with _timed(ms, "proof"):
            carried = self._carried(take, folder / FILM if film else None)
        return Performance(
            emotion=style.emotion,
            intensity=style.intensity,
            tone=style.tone,
            identity=persona.identity,
            voice=self.voice.name,
            face=self.face.name if film else "",
            seconds=round(take.spoken.seconds, 3),
            files=tuple(file.name for file in files),
            carried=carried,
            findings=self.prover.findings(carried),
            ms=ms,
        )

    def _carried(self, take: Take, film: Path | None) -> tuple[Carried, ...]:
        heard = self.prover.heard(take.spoken, take.style, take.persona, self.voice)
        if film is None:
            return (heard,)
        drawn = self.face if isinstance(self.face, EmbeddedFace) else EmbeddedFace()
        return heard, self.prover.seen(film, take.shown, drawn.renderer(take.persona).frame())

    def _sound(self, take: Take, target: Path) -> None:
        with whole(target) as draft:
            draft.write_bytes(marked_wav(take.spoken.samples, take.spoken.rate))

    def _timeline(self, take: Take, target: Path) -> None:
        with whole(target) as draft:
            draft.write_text(take.timeline.model_dump_json(), encoding="utf-8")

    def _film(self, take: Take, target: Path) -> None:
        self.face.film(take.spoken, take.shown, take.persona, target)


def checked_ending(target: Path) -> str:
    """The ending of a file that a take can be written as; asked before anything is spoken in vain."""
    if target.suffix.lower() not in WRITTEN:
        raise UsageError(f"'{target.name}' cannot be written: give a name that ends in {', '.join(WRITTEN)}.")
    return target.suffix.lower()


def _stronger(made: Performance, style: Style) -> Style | None:
    """The style with more of its emotion, where that can help a face in which it did not arrive."""
    face = _face(made)
    if face is None or face.agrees or not face.recognised or face.expected == "neutral" or style.intensity >= 1:
        return None
    return style.model_copy(update={"intensity": min(round(style.intensity + _MORE, 3), 1.0)})


def _arrival(made: Performance) -> tuple[bool, float]:
    """How well the emotion arrived in the face: whether, and how sure the senses are of it."""
    face = _face(made)
    return (False, 0.0) if face is None else (face.agrees, face.shares.get(face.expected, 0.0))


def _face(made: Performance) -> Carried | None:
    return next((each for each in made.carried if each.channel == "face"), None)


@contextmanager
def _timed(ms: dict[str, float], name: str) -> Generator[None, None, None]:
    started = time.perf_counter()
    yield
    ms[name] = round((time.perf_counter() - started) * 1000, 1)
