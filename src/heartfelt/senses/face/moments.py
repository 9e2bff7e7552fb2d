"""What the expression network said, a second at a time: one frame can err, and a trace of every frame would be unreadable."""

import math
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import zip_longest

from heartfelt.records import Moment, Scores

_WINDOW = 1.0
_SOON = 0.6
# Even a face that is hard to read counts a little, so that a window of nothing better is still told.
_LEAST_WEIGHT = 0.01


@dataclass
class _Window:
    start: float
    end: float
    shares: defaultdict[str, float] = field(default_factory=lambda: defaultdict[str, float](float))
    weight: float = 0.0
    quality: float = 0.0
    count: int = 0


class Moments:
    """Gathers the shares of single frames into windows of a second; better pictures count for more."""

    def __init__(self) -> None:
        self._windows: dict[int, _Window] = {}

    def take(self, time: float, shares: Scores, quality: float) -> None:
        window = self._windows.setdefault(math.floor(time / _WINDOW), _Window(time, time))
        weight = max(quality, _LEAST_WEIGHT)
        for name, share in shares.items():
            window.shares[name] += weight * share
        window.end = time
        window.weight += weight
        window.quality += quality
        window.count += 1

    def all(self) -> tuple[Moment, ...]:
        windows = [self._windows[number] for number in sorted(self._windows)]
        return tuple(_moment(window, after) for window, after in zip_longest(windows, windows[1:]))


def _moment(window: _Window, after: _Window | None) -> Moment:
    """A face does not go blank between two looks: a window lasts until the next begins, where that is soon."""
    lasts = after is not None and after.start - window.end <= _SOON
    return Moment(
        start=window.start,
        end=after.start if after and lasts else window.end,
        shares={name: share / window.weight for name, share in window.shares.items()},
        reliability=min(window.quality / window.count, 1.0),
    )
