"""A turn in its own time: a session's clock goes on from turn to turn, a turn's readings count from its start."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from heartfelt.records import Keyframe, Sensed, Span

Piece = TypeVar("Piece", bound=Span)


@dataclass
class Extent:
    """From the first piece that came in a turn to the end of its last."""

    first: float = math.inf
    last: float = -math.inf

    def take(self, start: float, end: float) -> None:
        self.first, self.last = min(self.first, start), max(self.last, end)

    @property
    def start(self) -> float:
        return self.first if math.isfinite(self.first) else 0.0

    @property
    def duration(self) -> float:
        return max(0.0, self.last - self.first) if math.isfinite(self.first) else 0.0

    def spans(self, pieces: Iterable[Piece]) -> tuple[Piece, ...]:
        return tuple(
            piece.model_copy(update={"start": self._since(piece.start), "end": self._since(piece.end)}) for piece in pieces
        )

    def sensed(self, sensed: Sensed | None) -> Sensed | None:
        if sensed is None:
            return None
        return sensed.model_copy(update={"moments": self.spans(sensed.moments), "cues": self.spans(sensed.cues)})

    def stills(self, stills: Iterable[Keyframe]) -> tuple[Keyframe, ...]:
        return tuple(still.model_copy(update={"time": self._since(still.time)}) for still in stills)

    def _since(self, time: float) -> float:
        return max(0.0, time - self.start)
