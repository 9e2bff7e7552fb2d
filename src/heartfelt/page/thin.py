"""A turn made light enough that its page opens at once: small stills, few moments of each sense, and times without a tail."""

from collections.abc import Sequence
from itertools import groupby

from heartfelt.events import Event, TurnStarted
from heartfelt.fusion.fuse import overall
from heartfelt.page.stills import stills
from heartfelt.records import Moment, Readings, Turn

MOST_MOMENTS = 120
"""Moments that are drawn of a sense; more are joined, or an hour would make a page of megabytes."""


def thinned(event: Event) -> Event:
    """The event as the page has it. Only the dialogue is heavy."""
    if not isinstance(event, TurnStarted):
        return event
    turns = tuple(map(_turn, event.dialogue.turns))
    return event.model_copy(update={"dialogue": event.dialogue.model_copy(update={"turns": turns})})


def joined(moments: Sequence[Moment], most: int) -> tuple[Moment, ...]:
    """At most so many moments: neighbours in the same stretch of time become one, by how long and reliable each is."""
    if len(moments) <= most:
        return tuple(moments)
    step = (moments[-1].end - moments[0].start) / most or 1.0
    groups = groupby(moments, key=lambda each: int((each.start - moments[0].start) / step))
    return tuple(_as_one(list(group)) for _, group in groups)


def _turn(turn: Turn) -> Turn:
    return turn.model_copy(
        update={"keyframes": stills(turn.keyframes), "readings": _readings(turn.readings) if turn.readings else None}
    )


def _readings(readings: Readings) -> Readings:
    sensed = tuple(each.model_copy(update={"moments": joined(each.moments, MOST_MOMENTS)}) for each in readings.sensed)
    words = tuple(word.model_copy(update={"start": round(word.start, 2), "end": round(word.end, 2)}) for word in readings.words)
    return readings.model_copy(update={"sensed": sensed, "words": words})


def _as_one(group: list[Moment]) -> Moment:
    shares, reliability = overall(group)
    return Moment(start=group[0].start, end=group[-1].end, shares=shares or group[0].shares, reliability=min(reliability, 1.0))
