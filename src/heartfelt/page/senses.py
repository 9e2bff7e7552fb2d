"""What was seen and heard of a turn, as the page shows it: stills, a lane a sense, contradictions, the transcript, the vote."""

from collections.abc import Sequence
from dataclasses import dataclass

from heartfelt.page.axis import Axis, AxisPlace
from heartfelt.page.lanes import Lane, hue, lanes
from heartfelt.page.spoken import PageSpoken, spoken, ticks
from heartfelt.page.stills import PageStill, row, stills
from heartfelt.records import Cue, Dialogue, Readings, Turn


@dataclass(frozen=True)
class Clash:
    """Senses that contradict each other, on the line of time."""

    place: AxisPlace
    when: str
    text: str
    score: float


@dataclass(frozen=True)
class EmotionShare:
    """One emotion's share of what all senses say together."""

    emotion: str
    share: float
    hue: int


@dataclass(frozen=True)
class SensesView:
    """One turn."""

    name: str
    """What its anchors begin with."""
    number: int
    """Which turn of the dialogue it is, counted from 1."""
    speaker: str
    latest: bool
    """Whether it is the turn that is answered."""
    axis: Axis
    stills: list[PageStill]
    lanes: list[Lane]
    clash: Clash | None
    together: list[EmotionShare]
    spoken: list[PageSpoken]
    ticks: list[AxisPlace]

    @property
    def row(self) -> list[tuple[PageStill, float, float]]:
        """The stills, near to their times."""
        return row(self.stills, self.axis.seconds)

    @property
    def emotions(self) -> dict[str, int]:
        """The emotions in the picture and their colours, the likeliest first."""
        seen = [slice_.emotion for lane in self.lanes for pile in lane.piles for slice_ in pile.slices]
        return {emotion: hue(emotion) for emotion in dict.fromkeys((*(part.emotion for part in self.together), *seen))}

    @property
    def by_sentence(self) -> bool:
        """Whether there are too many words to show them one by one."""
        return any(" " in said.text for said in self.spoken)

    @property
    def voters(self) -> list[Lane]:
        return sorted((lane for lane in self.lanes if lane.vote > 0), key=lambda lane: -lane.vote)

    @property
    def silent(self) -> list[Lane]:
        return [lane for lane in self.lanes if lane.vote == 0]


def sensed_turns(dialogue: Dialogue, cited: Sequence[Cue]) -> list[SensesView]:
    """The turns of which something was sensed, the one to be answered first. What is cited is cited of that one."""
    turns = [(place, turn) for place, turn in enumerate(dialogue.turns) if turn.readings]
    last = len(dialogue.turns) - 1
    return [
        _view(turn, turn.readings, place, latest=place == last, cited=cited if place == last else ())
        for place, turn in reversed(turns)
        if turn.readings
    ]


def name_of(place: int) -> str:
    return f"turn-{place}"


def _view(turn: Turn, readings: Readings, place: int, *, latest: bool, cited: Sequence[Cue]) -> SensesView:
    axis, name = Axis.of(readings.duration), name_of(place)
    return SensesView(
        name=name,
        number=place + 1,
        speaker=turn.speaker,
        latest=latest,
        axis=axis,
        stills=stills(turn.keyframes),
        lanes=lanes(readings, axis, cited, name),
        clash=_clash(readings, axis),
        together=[
            EmotionShare(label, share, hue(label))
            for label, share in sorted(readings.shares.items(), key=lambda item: -item[1])
        ],
        spoken=spoken(readings.words),
        ticks=ticks(readings.words, axis),
    )


def _clash(readings: Readings, axis: Axis) -> Clash | None:
    found = readings.conflict
    return Clash(axis.place(found), axis.when(found), found.text, found.score) if found else None
