"""One lane a sense: its emotions along the line of time, what it was worth in the vote, and the cues that it measured."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from heartfelt.fusion.fuse import overall, tally
from heartfelt.fusion.tell import strength_of
from heartfelt.page.axis import Axis, AxisPlace
from heartfelt.records import Conflict, Cue, Measured, Moment, Readings, Scores, Sensed, Span
from heartfelt.voting import Cast

HUES = {"surprise": 2, "fear": 6, "sadness": 3, "joy": 5, "disgust": 4, "anger": 1, "neutral": 7}
"""Which of the page's colours an emotion has."""
OTHER_HUE = 0
MOST_MOMENTS = 120
"""Moments that are drawn in a lane; more are joined, or an hour would make a page of megabytes."""
MOST_CUES = 3
"""Cues that are drawn of a lane, beside those that were cited."""
SEAM = 0.3
"""Seconds between two moments that are only the distance of two frames."""


@dataclass(frozen=True)
class ShareSlice:
    """One emotion's share of one moment, as a piece of a pile."""

    emotion: str
    hue: int
    top: float
    height: float


@dataclass(frozen=True)
class Pile:
    """One moment."""

    place: AxisPlace
    slices: tuple[ShareSlice, ...]
    reliability: float
    when: str
    shares: Scores


@dataclass(frozen=True)
class EmotionRun:
    """Moments that follow each other with the same likeliest emotion."""

    place: AxisPlace
    emotion: str
    share: float
    when: str


@dataclass(frozen=True)
class Mark:
    """A cue on the line of time."""

    anchor: str
    text: str
    strength: str
    when: str
    place: AxisPlace
    cited: bool


@dataclass(frozen=True)
class Lane:
    source: str
    emotion: str
    """The likeliest over the whole turn; empty where the sense read none."""
    share: float
    reliability: float
    vote: float
    """Its share of all weight in the vote."""
    note: str
    piles: tuple[Pile, ...]
    runs: tuple[EmotionRun, ...]
    marks: tuple[Mark, ...]
    unshown: int
    """Cues that there is no room for."""
    disputed: bool
    """Whether it is one of the two that contradict each other."""

    @property
    def told(self) -> str:
        """The lane in a sentence, for those who do not see it."""
        if not self.runs:
            return self.note
        return ", then ".join(f"{run.emotion} {run.share:.0%}{run.when and ' at ' + run.when}" for run in self.runs[:12]) + "."


def lanes(readings: Readings, axis: Axis, cited: Sequence[Cue], prefix: str) -> list[Lane]:
    voted = tally(readings.sensed)
    cast = {each.voter: each for each in voted.cast} if voted else {}
    return [_lane(each, axis, readings.conflict, cast.get(each.source), cited, prefix) for each in readings.sensed]


def anchor(readings: Readings | None, cue: Cue, prefix: str) -> str:
    """Where on the page a cited cue is drawn; empty where it was not measured."""
    sensed = readings.of(cue.source) if readings else None
    places = [place for place, measured in enumerate(sensed.cues) if _same(measured, cue)] if sensed else []
    return f"{prefix}-{cue.source}-{places[0]}" if places else ""


def hue(emotion: str) -> int:
    return HUES.get(emotion, OTHER_HUE)


def joined(moments: Sequence[Moment], most: int) -> list[Moment]:
    """At most so many moments: neighbours in the same stretch of time become one, by how long and reliable each is."""
    if len(moments) <= most:
        return list(moments)
    step = (moments[-1].end - moments[0].start) / most or 1.0
    groups = [list(group) for _, group in groupby(moments, key=lambda each: int((each.start - moments[0].start) / step))]
    return [_as_one(group) for group in groups]


def _as_one(group: list[Moment]) -> Moment:
    shares, reliability = overall(group)
    return Moment(start=group[0].start, end=group[-1].end, shares=shares or group[0].shares, reliability=min(reliability, 1.0))


def _lane(sensed: Sensed, axis: Axis, conflict: Conflict | None, cast: Cast | None, cited: Sequence[Cue], prefix: str) -> Lane:
    shares, reliability = overall(sensed.moments)
    best = _best(shares)
    shown = [moment for moment in _seamless(joined(sensed.moments, MOST_MOMENTS)) if moment.shares]
    order = sorted(shares, key=lambda label: -shares[label])
    marks = _marks(sensed, axis, cited, prefix)
    silence = "No emotion was read, only cues." if sensed.cues else "Nothing to go by."
    return Lane(
        source=sensed.source,
        emotion=best,
        share=shares.get(best, 0.0),
        reliability=reliability,
        vote=cast.weight if cast else 0.0,
        note=sensed.note or ("" if shares else silence),
        piles=tuple(_pile(moment, axis, order) for moment in shown),
        runs=tuple(_run(list(group), axis) for _, group in groupby(shown, key=lambda moment: _best(moment.shares))),
        marks=marks,
        unshown=len(sensed.cues) - len(marks),
        disputed=conflict is not None and f"the {sensed.source} " in conflict.text,
    )


def _seamless(moments: list[Moment]) -> list[Moment]:
    """Moments reach up to the next one where only the time between two frames lies between them."""
    closed = [
        one.model_copy(update={"end": other.start}) if 0 < other.start - one.end <= SEAM else one
        for one, other in pairwise(moments)
    ]
    return [*closed, *moments[-1:]]


def _pile(moment: Moment, axis: Axis, order: list[str]) -> Pile:
    """The emotion that leads the lane lies at the bottom, so that a lane reads as a landscape."""
    total, base, slices = sum(moment.shares.values()) or 1.0, 100.0, list[ShareSlice]()
    for label in order:
        height = 100 * moment.shares.get(label, 0.0) / total
        if height >= 1:
            slices.append(ShareSlice(label, hue(label), round(base - height, 2), round(height, 2)))
            base -= height
    return Pile(axis.place(moment), tuple(slices), moment.reliability, axis.when(moment), moment.shares)


def _run(group: list[Moment], axis: Axis) -> EmotionRun:
    span = Span(start=group[0].start, end=max(group[-1].end, group[0].start))
    shares, _ = overall(group)
    best = _best(group[0].shares)
    return EmotionRun(axis.place(span), best, shares.get(best, group[0].shares[best]), axis.when(span))


def _marks(sensed: Sensed, axis: Axis, cited: Sequence[Cue], prefix: str) -> tuple[Mark, ...]:
    wanted = {anchor(Readings(duration=0, sensed=(sensed,)), cue, prefix) for cue in cited if cue.source == sensed.source}
    named = [(f"{prefix}-{sensed.source}-{place}", place, cue) for place, cue in enumerate(sensed.cues)]
    return tuple(
        Mark(name, cue.text, strength_of(cue), axis.when(cue), axis.place(cue), name in wanted)
        for name, place, cue in named
        if place < MOST_CUES or name in wanted
    )


def _same(measured: Measured, cue: Cue) -> bool:
    return (measured.start, measured.end) == (cue.start, cue.end) and cue.quote.startswith(measured.text)


def _best(shares: Scores) -> str:
    return max(shares, key=lambda label: shares[label], default="")
