"""The contract between Heartfelt and a generator that runs as a service, as `docs/reference/generator-contract.md` has it.

What is sent is strict; of what comes back, fields that are not known here are passed over, so that a service may say more.
"""

from typing import Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from heartfelt.expression.persona import Persona
from heartfelt.records import Age, Gender, Record, Timbre

VERSION = 1
ABOUT, SPEECH, FILM = "/v1/about", "/v1/speech", "/v1/film"
MOST_ABOUT, MOST_SPEECH, MOST_FILM = 64 * 1024, 64 * 1024**2, 512 * 1024**2
"""Bytes of an answer. Whatever is longer is not read to its end."""
MOST_SECONDS = 300.0
"""Of the speech for one sentence."""

Kind: TypeAlias = Literal["voice", "face"]
Options: TypeAlias = dict[str, Any]


class Told(BaseModel):
    """Something that a service says."""

    model_config = ConfigDict(frozen=True, extra="ignore", use_attribute_docstrings=True)


class ServiceInfo(Told):
    """What a service says of itself."""

    name: str = Field(min_length=1, max_length=200)
    kind: Kind
    contract: int
    emotions: tuple[str, ...] = Field(default=(), max_length=200)
    """The entries of its bank, in its own spelling; none where it takes no emotion."""
    licence: str = ""


class ToldWord(Told):
    """When a word is heard, in seconds from the start of the sound."""

    text: str
    start: float = Field(ge=0, allow_inf_nan=False)
    end: float = Field(ge=0, allow_inf_nan=False)


class ToldSpeech(Told):
    """Speech with the times of its words."""

    audio: str
    """A WAV file in base64."""
    words: tuple[ToldWord, ...] = Field(default=(), max_length=10_000)


class SpeakerAsked(Record):
    """Who is to be heard or seen."""

    name: str
    age: Age
    gender: Gender
    timbre: Timbre
    accent: Literal["american", "british"]
    reference: str | None = None
    """A recording or a picture that the service keeps under this name."""


class SpeechAsked(Record):
    """One sentence that is to be said."""

    text: str
    """In words that can be said: «five dollars», never «$5»."""
    written: str
    """As it was written."""
    language: Literal["en"] = "en"
    emotion: str
    intensity: float
    tone: str
    rate: float
    """Against the speaker's own pace."""
    pitch: float
    """Semitones above the speaker's own middle."""
    speaker: SpeakerAsked
    options: Options
    """What this generator alone understands, under the names of its own project."""


class FilmAsked(Record):
    """A film of somebody who says what the sound has."""

    emotion: str
    intensity: float
    tone: str
    lively: float
    """How much head and brows move, against most people."""
    seconds: float
    """The length of the sound, and so of the film."""
    speaker: SpeakerAsked
    options: Options


def speaker_asked(persona: Persona, reference: str | None) -> SpeakerAsked:
    who = persona.identity
    return SpeakerAsked(
        name=persona.name,
        age=who.age,
        gender=who.gender,
        timbre=who.timbre,
        accent=persona.voice.accent,
        reference=reference,
    )
