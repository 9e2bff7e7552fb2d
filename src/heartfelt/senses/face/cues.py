"""Signs over time: from numbers a frame to sentences with a start, an end and a strength."""

import math
from dataclasses import dataclass

from heartfelt.records import Measured
from heartfelt.senses.face.seen import Face
from heartfelt.senses.face.signs import SIGNS, FaceSign

# Seconds over which a value is smoothed.
_SMOOTHED = 0.12
# Seconds for which a sign may be gone, or the face out of sight, and still be the same one.
_BRIDGED = 0.4
# A face that is harder to read than this says nothing.
_READABLE = 0.2
# A blink is shorter than this many seconds; more a minute than this is restless. People at rest blink 15 to 20 times.
_BLINK = 0.45
_RESTLESS = 35
_LONG_ENOUGH = 10.0
# Runs of one sign that are remembered, and cues that are told in the end: an hour has thousands, and nobody could read them.
_KEPT = 50
_MOST = 100


@dataclass
class _Run:
    """A sign that is on."""

    start: float
    end: float
    peak: float
    total: float
    count: int

    def take(self, time: float, value: float) -> None:
        self.end, self.peak = time, max(self.peak, value)
        self.total, self.count = self.total + value, self.count + 1

    @property
    def strength(self) -> float:
        return (self.peak + self.total / self.count) / 2


class _Watch:
    """Follows one sign."""

    def __init__(self, sign: FaceSign):
        self.sign = sign
        self.runs: list[_Run] = []
        self._value, self._time = 0.0, -math.inf
        self._on = False

    def take(self, time: float, face: Face) -> None:
        value = self._smoothed(time, min(max(self.sign.value(face), 0.0), 1.0))
        if value >= (self.sign.ends if self._on else self.sign.begins):
            self._extend(time, value)
            self._on = True
        else:
            self._on = False

    def _extend(self, time: float, value: float) -> None:
        if self.runs and time - self.runs[-1].end <= _BRIDGED:
            self.runs[-1].take(time, value)
        else:
            self._begin(_Run(time, time, value, value, 1))

    def _begin(self, run: _Run) -> None:
        """A twitch is let go as soon as it is over; of very many runs only the most telling are kept."""
        if self.runs and self.runs[-1].end - self.runs[-1].start < self.sign.least:
            self.runs.pop()
        self.runs.append(run)
        if len(self.runs) > 2 * _KEPT:
            best = sorted(self.runs[:-1], key=lambda each: -_weight(self.sign, each))[:_KEPT]
            self.runs = [*sorted(best, key=lambda each: each.start), run]

    def _smoothed(self, time: float, value: float) -> float:
        share = 1 - math.exp(-(time - self._time) / _SMOOTHED)
        self._value += share * (value - self._value)
        self._time = time
        return self._value


class Cues:
    """Told of the main speaker in every frame, and asked for the sentences at the end, or whenever one likes."""

    def __init__(self, signs: tuple[FaceSign, ...] = SIGNS):
        self._watches = [_Watch(sign) for sign in signs]
        self._first: float | None = None
        self._last = 0.0
        self._shut_since: float | None = None
        self._blinks = 0
        self.frames = 0
        """How many were taken."""

    def take(self, time: float, face: Face) -> None:
        self._first = time if self._first is None else self._first
        self._last = time
        self.frames += 1
        self._count_blinks(time, face)
        if face.quality >= _READABLE:
            for watch in self._watches:
                watch.take(time, face)

    def measured(self) -> tuple[Measured, ...]:
        """The most telling first: what says much, is strong, and lasts. One picture alone is told without a duration."""
        still = self._first == self._last
        found = [
            (_weight(watch.sign, run), _measured(watch.sign.text, run.start, run.end, run.strength))
            for watch in self._watches
            for run in watch.runs
            if still or run.end - run.start >= watch.sign.least
        ]
        found += self._blinking()
        return tuple(measured for _, measured in sorted(found, key=lambda pair: -pair[0])[:_MOST])

    def _count_blinks(self, time: float, face: Face) -> None:
        shut = min(face.closure) > 0.6
        if shut and self._shut_since is None:
            self._shut_since = time
        elif not shut and self._shut_since is not None:
            self._blinks += time - self._shut_since <= _BLINK
            self._shut_since = None

    @property
    def blinks(self) -> int:
        """AU45: how often both eyes were shut for a moment."""
        return self._blinks

    def _blinking(self) -> list[tuple[float, Measured]]:
        start = self._first or 0.0
        length = self._last - start
        rate = 60 * self._blinks / length if length >= _LONG_ENOUGH else 0.0
        strength = min(rate / (2 * _RESTLESS), 1.0)
        return [(0.5 * strength, _measured("blinks often", start, self._last, strength))] if rate > _RESTLESS else []


def _weight(sign: FaceSign, run: _Run) -> float:
    """Lasting counts, up to double after some seconds."""
    return sign.telling * run.strength * (2 - math.exp(run.start - run.end))


def _measured(text: str, start: float, end: float, strength: float) -> Measured:
    return Measured(source="face", text=text, start=round(start, 3), end=round(end, 3), strength=round(strength, 3))
