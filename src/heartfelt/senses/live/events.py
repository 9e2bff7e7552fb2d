"""What a live session tells at once, in the time of the caller's clock; an `Impression` counts from its turn's start."""

from typing import Literal, TypeAlias

from pydantic import Field

from heartfelt.records import Moment, Record, Span
from heartfelt.senses.voice.sense import HeardSpeech, Overheard, VoiceActivity


class FaceSeen(Record):
    """One frame that was looked at. Where there was no face, the quality is 0 and the rest is empty."""

    kind: Literal["face"] = "face"
    time: float
    quality: float = Field(ge=0, le=1)
    """How far all of this can be trusted."""
    units: dict[str, float] = {}
    """Action units against the person's own face at rest, from 0 to 1."""
    head: dict[str, float] = {}
    """Degrees: `yaw`, `pitch`, `roll`."""
    gaze: dict[str, float] = {}
    """Degrees against the head: `yaw`, `pitch`."""
    box: tuple[float, float, float, float] | None = None
    """Left, top, right and bottom of the face, as shares of the picture's width and height."""
    moment: Moment | None = None
    """The emotion that was read off this frame, where one was: what a contradiction with voice and words is found by."""


class Stills(Record):
    """Which frames would be the keyframes if the turn were over now; told whenever that changes."""

    kind: Literal["stills"] = "stills"
    times: tuple[float, ...]


class Spoken(Record):
    """A stretch of speech that is over and understood."""

    kind: Literal["spoken"] = "spoken"
    heard: HeardSpeech


class TurnOver(Span):
    """Everything told before this belongs to the turn that it closes. Its start is the zero of that turn's times."""

    kind: Literal["turn over"] = "turn over"


Event: TypeAlias = FaceSeen | Stills | VoiceActivity | Overheard | Spoken | TurnOver


class Load(Record):
    """How far the senses keep up, counted from the start of the session."""

    frames: int = Field(ge=0)
    """Frames that were given."""
    passed_over: int = Field(ge=0)
    """Those that came faster than the wished rate."""
    dropped: int = Field(ge=0)
    """Those that gave way to a newer one, because the face sense was busy."""
    behind: float = Field(ge=0)
    """Seconds of sound that are given and not heard yet."""
    held_back: int = Field(ge=0)
    """Chunks whose giver had to wait."""
    held_seconds: float = Field(ge=0)
    """And for how long, all together."""
    missed: int = Field(ge=0)
    """Events that nobody fetched in time."""
