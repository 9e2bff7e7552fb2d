"""What the face does while the other one talks: it looks, nods where the other pauses, and shows that it takes part."""

from collections.abc import Sequence
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.face.emotions import dynamics_of, expression_of
from heartfelt.expression.persona import Persona
from heartfelt.expression.style import Style
from heartfelt.expression.timeline.chance import draws, smooth
from heartfelt.expression.timeline.eyes import blinks, gaze, glances, keep_on, lids, shut
from heartfelt.expression.timeline.head import nods, wandering
from heartfelt.expression.timeline.record import ANGLES, RATE, Timeline, timeline_of

Floats = NDArray[np.floating[Any]]

_COMES = 0.8
_NOD = 5.0
"""Degrees."""


def listening(
    seconds: float,
    persona: Persona,
    style: Style | None = None,
    *,
    start: float = 0.0,
    heard: Sequence[float] = (),
    seed: int = 0,
) -> Timeline:
    """A stretch of listening. `heard` are the moments at which the other one paused; without them nods come by chance.

    Stretches follow each other without a seam when each starts where the one before ended: everything is a function of time.
    """
    style = style or Style(emotion="listening", intensity=1.0)
    pose, habit = (
        expression_of(style.emotion, style.intensity, style.tone),
        dynamics_of(style.emotion, style.intensity, style.tone),
    )
    count, names = max(ceil(round(seconds * RATE, 6)), 1), (seed, persona.name, "listening")
    times = start + np.arange(count) / RATE
    end = start + count / RATE
    level = smooth(np.clip(times / _COMES, 0, 1))
    moving: dict[str, Floats] = {unit: amount * level for unit, amount in pose.units.items()}
    motion = wandering(times, 0.7 * persona.lively * habit.liveliness, *names)
    moments = [moment for moment in heard if start <= moment < end] or _by_chance(start, end, habit.nods, *names)
    moving["yaw"] = motion.yaw + pose.yaw * level
    moving["pitch"] = motion.pitch + pose.pitch * level + nods(times, moments, _NOD * persona.lively)
    moving["roll"] = motion.roll + pose.roll * level
    keep_on(moving, *gaze(times, glances(start, end, habit, *names), *names))
    shut(moving, lids(times, blinks(start, end, habit.blinks, moments, *names)))
    clipped = {name: values if name in ANGLES else np.clip(values, 0, 1) for name, values in moving.items()}
    return timeline_of(clipped, style=style, persona=persona.name, start=start, seconds=count / RATE)


def _by_chance(start: float, end: float, per_minute: float, *names: object) -> list[float]:
    """Nods at the places of a clock that has no beginning, so that every stretch finds its own."""
    if per_minute <= 0:
        return []
    every = 60 / per_minute
    found = [
        (beat + draws("nod", beat, *names).uniform(0.1, 0.9)) * every
        for beat in range(int(start / every), int(end / every) + 1)
    ]
    return [moment for moment in found if start <= moment < end - 1.0]
