"""The timeline: everything that a face does, on the clock of the sound. The browser plays it, the server draws it."""

from collections.abc import Sequence
from functools import cached_property
from math import ceil
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from heartfelt.errors import InputError
from heartfelt.expression.face.names import UNITS
from heartfelt.expression.face.pose import Pose
from heartfelt.expression.style import Style
from heartfelt.expression.voice.spoken import Phone, SaidWord, later
from heartfelt.records import Record

RATE = 50
"""Moments a second: fine enough for the shortest closing of the lips."""
ANGLES = ("yaw", "pitch", "roll", "gaze_yaw", "gaze_pitch")
CHANNELS = (*UNITS, *ANGLES)

Floats = NDArray[np.floating[Any]]


class Timeline(Record):
    """A stretch of a performance. Several that follow each other are `strung` into one."""

    format: Literal["heartfelt timeline 1"] = "heartfelt timeline 1"
    style: Style = Style()
    persona: str = ""
    """The name of who shows it; any other can show it too."""
    start: float = Field(default=0.0, ge=0)
    """Seconds of the performance before this stretch."""
    seconds: float = Field(gt=0)
    rate: int = Field(default=RATE, gt=0)
    """Moments a second."""
    words: tuple[SaidWord, ...] = ()
    """With their times in seconds from the start of this stretch."""
    phones: tuple[Phone, ...] = ()
    channels: dict[str, tuple[float, ...]]
    """For each unit of the face that moves (0 to 1) and each angle (degrees) its value at each moment; the rest is at rest."""

    @model_validator(mode="after")
    def _whole(self) -> "Timeline":
        for name, values in self.channels.items():
            if name not in CHANNELS:
                raise ValueError(f"a face has no channel '{name}'")
            if len(values) != self.moments:
                raise ValueError(f"the channel '{name}' has {len(values)} moments, and the timeline {self.moments}")
        return self

    @property
    def moments(self) -> int:
        return ceil(round(self.seconds * self.rate, 6))

    def pose(self, seconds: float) -> Pose:
        """What the face does at a moment, between two of the grid in even steps."""
        place = min(max(seconds * self.rate, 0.0), self.moments - 1.0)
        left = min(int(place), self.moments - 2) if self.moments > 1 else 0
        share = place - left
        row = self._rows[left] + (self._rows[min(left + 1, self.moments - 1)] - self._rows[left]) * share
        now = dict(zip(self.channels, row.tolist(), strict=True))
        angles = {angle: now.pop(angle) for angle in ANGLES if angle in now}
        return Pose(units=now, **angles)

    def channel(self, name: str) -> Floats:
        """The values of a channel; zeros for one that does not move."""
        return np.array(self.channels[name]) if name in self.channels else np.zeros(self.moments)

    @cached_property
    def _rows(self) -> Floats:
        return np.array(list(self.channels.values()), np.float64).reshape(len(self.channels), self.moments).T


def timeline_of(moving: dict[str, Floats], **fields: Any) -> Timeline:
    """A timeline of arrays: rounded to what can be seen, without the channels that never move."""
    channels = {
        name: tuple(np.round(values, 2 if name in ANGLES else 3).tolist())
        for name, values in sorted(moving.items())
        if np.abs(values).max(initial=0) >= 0.004
    }
    return Timeline(channels=channels, **fields)


def strung(parts: Sequence[Timeline]) -> Timeline:
    """Stretches that follow each other as one."""
    if not parts:
        raise InputError("There is nothing to string together.")
    first, names = parts[0], sorted({name for part in parts for name in part.channels})
    words = tuple(later(word, part.start - first.start) for part in parts for word in part.words)
    phones = tuple(later(phone, part.start - first.start) for part in parts for phone in part.phones)
    channels = {name: tuple(np.concatenate([part.channel(name) for part in parts]).tolist()) for name in names}
    seconds = sum(part.moments for part in parts) / first.rate
    return first.model_copy(update={"seconds": seconds, "words": words, "phones": phones, "channels": channels})
