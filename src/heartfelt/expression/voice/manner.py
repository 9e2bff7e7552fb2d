"""How something is said: a few numbers that turn one neutral voice into any other mood of the same speaker."""

from collections.abc import Sequence
from math import exp, log
from typing import Self

from pydantic import Field

from heartfelt.records import Record

_LIMITS = {
    "pitch": (-4.0, 4.0),
    "range": (0.4, 1.8),
    "rate": (0.8, 1.2),
    "energy": (-8.0, 6.0),
    "pause": (0.5, 2.0),
    "brightness": (-8.0, 6.0),
    "tremor": (0.0, 0.8),
}
_FACTORS = ("range", "rate", "pause")
_UNITS = {
    "pitch": 1.0,
    "range": log(1.2),
    "rate": log(1.1),
    "energy": 3.0,
    "pause": log(4 / 3),
    "brightness": 3.0,
    "tremor": 0.25,
}
"""What is about one step to the ear: a semitone, a fifth of the melody, a tenth of the pace, 3 decibels, a third of the
pauses, 3 decibels above 2 kilohertz, a quarter of a semitone of tremor."""


class Manner(Record):
    """All relative to the speaker's own neutral way. Beyond these limits the voice stops sounding like a person."""

    pitch: float = Field(default=0.0, ge=_LIMITS["pitch"][0], le=_LIMITS["pitch"][1])
    """Semitones above the speaker's own middle."""
    range: float = Field(default=1.0, ge=_LIMITS["range"][0], le=_LIMITS["range"][1])
    """How wide the melody swings around that middle: below 1 is flatter, above 1 livelier."""
    rate: float = Field(default=1.0, ge=_LIMITS["rate"][0], le=_LIMITS["rate"][1])
    """How fast the sounds follow each other, pauses left out."""
    energy: float = Field(default=0.0, ge=_LIMITS["energy"][0], le=_LIMITS["energy"][1])
    """Decibels louder."""
    pause: float = Field(default=1.0, ge=_LIMITS["pause"][0], le=_LIMITS["pause"][1])
    """How long the silences are, within and between sentences."""
    brightness: float = Field(default=0.0, ge=_LIMITS["brightness"][0], le=_LIMITS["brightness"][1])
    """Decibels more above 2 kilohertz: an effortful voice is bright, a soft one is dark."""
    tremor: float = Field(default=0.0, ge=_LIMITS["tremor"][0], le=_LIMITS["tremor"][1])
    """How far the pitch trembles, in semitones to either side."""

    @property
    def steps(self) -> tuple[float, ...]:
        """A number for each field in the order of this class, where 0 is neutral and 1 is about a step to the ear."""
        values: dict[str, float] = self.model_dump()
        return tuple((log(value) if name in _FACTORS else value) / _UNITS[name] for name, value in values.items())

    @classmethod
    def of_steps(cls, steps: Sequence[float]) -> Self:
        """The way back; what goes beyond the limits of a voice stays at them."""
        values: dict[str, float] = {}
        for (name, unit), step in zip(_UNITS.items(), steps, strict=True):
            value = exp(step * unit) if name in _FACTORS else step * unit
            low, high = _LIMITS[name]
            values[name] = round(min(max(value, low), high), 4)
        return cls(**values)


NEUTRAL = Manner()
