"""The line of time that the senses are drawn along: places in percent, marks at round seconds, times as people write them."""

from dataclasses import dataclass

from heartfelt.records import Span

SHORTEST = 1.0
"""Seconds that the line is long at least: a picture has no length."""
MOST_MARKS = 6
_STEPS = (0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200)
THINNEST = 0.6
"""Percent: what is shorter could not be seen."""


@dataclass(frozen=True)
class AxisPlace:
    """Where something stands on the line, in percent of its length."""

    left: float
    width: float


@dataclass(frozen=True)
class Axis:
    seconds: float
    still: bool = False
    """Whether it is a picture, of which everything holds all the time."""

    @classmethod
    def of(cls, duration: float) -> "Axis":
        return cls(max(duration, SHORTEST), still=duration <= 0)

    def place(self, span: Span) -> AxisPlace:
        """Never beyond the ends of the line: a recording may be shorter than the last thing heard in it."""
        if self.still:
            return AxisPlace(0.0, 100.0)
        left, right = (min(max(100 * time / self.seconds, 0.0), 100.0) for time in (span.start, span.end))
        width = max(right - left, THINNEST)
        return AxisPlace(round(min(left, 100 - width), 3), round(width, 3))

    @property
    def marks(self) -> list[tuple[float, str]]:
        """Percent and what is written there."""
        if self.still:
            return []
        step = next((step for step in _STEPS if self.seconds / step <= MOST_MARKS), self.seconds / MOST_MARKS)
        times = [number * step for number in range(int(self.seconds / step + 1e-9) + 1)]
        return [(round(100 * time / self.seconds, 3), clock(time, short=step >= 1)) for time in times]

    def when(self, span: Span) -> str:
        """«2.1–3.4 s», «1:05–1:12», or nothing for a picture."""
        if self.still:
            return ""
        if span.end < 60:
            return f"{span.start:.1f}–{span.end:.1f} s" if span.end > span.start else f"{span.start:.1f} s"
        return f"{clock(span.start, short=True)}–{clock(span.end, short=True)}"


def clock(time: float, *, short: bool = False) -> str:
    """«2.1 s»; from a minute on «1:05», from an hour on «1:02:05»."""
    if time < 60:
        return f"{time:.0f} s" if short else f"{time:.1f} s"
    minutes, seconds = divmod(int(time), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
