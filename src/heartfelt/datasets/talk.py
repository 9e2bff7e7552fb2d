"""A dialogue of a corpus, whole, with everything that is known of it. What a system may see of it is the business of a task."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from heartfelt.records import Dialogue, Identity, Record


class TurnClip(Record):
    """Where a turn can be seen and heard."""

    video: Path | None = None
    audio: Path | None = None
    start: float | None = None
    """Seconds into the video, where it holds the whole dialogue."""
    end: float | None = None
    half: Literal["left", "right"] | None = None
    """Where in the frame the speaker is, when two people share it."""
    seconds: float | None = None
    """How long the turn is, where the corpus says so."""


class Chain(Record):
    """The chain of empathy that came with a turn (AvaMERG)."""

    scenario: str = ""
    cause: str = ""
    goal: str = ""


@dataclass(frozen=True)
class Talk:
    """A whole dialogue. The gold emotion of a turn stands in `turn.emotion`, in the label set `labels`."""

    dialogue: Dialogue
    labels: str
    strategies: tuple[str, ...] = ()
    """The strategy of each turn, empty for the speaker's (ESConv)."""
    situation: str = ""
    """What the speaker wrote down before they talked about it: gold, for no live user gives it."""
    numbers: tuple[int, ...] = ()
    """The corpus's own number of each turn; they have gaps."""
    clips: tuple[TurnClip | None, ...] = ()
    speaker: Identity | None = None
    listener: Identity | None = None
    topic: str = ""
    chains: dict[int, Chain] = field(default_factory=dict[int, Chain])
    """By the place of the turn that they are about."""
    turn_ids: dict[int, str] = field(default_factory=dict[int, str])
    """The corpus's own id of the exchange that a turn begins, by place (AvaMERG)."""
    merged: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Strategies that this copy of the corpus does not tell apart, and what each may stand for."""

    def follows(self, place: int) -> bool:
        """Whether the turn at a place comes right after the one before it: after a gap it answers nobody."""
        if not 0 < place < len(self.dialogue.turns):
            return False
        return not self.numbers or self.numbers[place] == self.numbers[place - 1] + 1
