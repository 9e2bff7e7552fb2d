"""Where the eyes look, and when they blink. Gaze is kept in the world, so that eyes stay on the person while the head moves."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.face.emotions import Dynamics
from heartfelt.expression.timeline.chance import bump, draws

Floats = NDArray[np.floating[Any]]

_SHUTTING, _SHUT, _OPENING = 0.07, 0.03, 0.16
"""Seconds of a blink: lids fall faster than they rise."""
_SACCADE = 0.05
_AWAY = 0.9
"""Seconds that a look away lasts."""
_NEXT_BLINK = 1.1
"""Seconds between two blinks at least."""


@dataclass(frozen=True)
class LookAway:
    """A look away from the person, in degrees."""

    start: float
    end: float
    yaw: float
    pitch: float


def blinks(start: float, end: float, per_minute: float, pauses: Sequence[float], *names: object) -> list[float]:
    """The moments at which eyes begin to shut: by chance, and gladly where the speech pauses."""
    source, found, last = draws("blinks", start, *names), list[float](), start - _NEXT_BLINK
    mean = 60 / max(per_minute, 1.0)
    moment = start + source.uniform(0.2, 0.8) * mean
    while moment < end:
        gladly = [
            pause for pause in pauses if moment - 0.45 * mean < pause < moment + 0.45 * mean and pause > last + _NEXT_BLINK
        ]
        moment = min(gladly, key=lambda pause: abs(pause - moment)) if gladly else moment
        found.append(moment)
        last, moment = moment, moment + max(source.lognormvariate(0, 0.45) * mean, _NEXT_BLINK)
    return [moment for moment in found if moment < end - 0.1]


def lids(times: Floats, moments: Sequence[float]) -> Floats:
    """How far the eyes are shut by blinks."""
    shut = np.zeros(len(times))
    for moment in moments:
        shut = np.maximum(shut, bump(times, moment + _SHUTTING, _SHUTTING, _OPENING, hold=_SHUT))
    return shut


def glances(start: float, end: float, habit: Dynamics, *names: object) -> list[LookAway]:
    """Looks away, as often and as far as the feeling has it."""
    source, found = draws("glances", start, *names), list[LookAway]()
    between = _AWAY * habit.meets / (1 - habit.meets)
    moment = start + source.uniform(0.6, 1.2) * min(between, 3.0)
    while moment < end:
        lasts = _AWAY * source.uniform(0.6, 1.4)
        side = source.choice((-1, 1)) * habit.away_yaw * source.uniform(0.6, 1.2)
        found.append(LookAway(moment, moment + lasts, side, habit.away_pitch * source.uniform(0.6, 1.2)))
        moment += lasts + between * source.uniform(0.6, 1.5)
    return [glance for glance in found if glance.end < end - 0.2]


def gaze(times: Floats, looks: Sequence[LookAway], *names: object) -> tuple[Floats, Floats]:
    """Yaw and pitch of the gaze in the world: the glances, and the small leaps with which eyes rest on a face."""
    yaw, pitch = _restless(times, "yaw", *names), 0.7 * _restless(times, "pitch", *names)
    for glance in looks:
        going = bump(times, glance.start + _SACCADE, _SACCADE, _SACCADE, hold=glance.end - glance.start)
        yaw, pitch = yaw + going * glance.yaw, pitch + going * glance.pitch
    return yaw, pitch


def followed(times: Floats, looks: Sequence[LookAway]) -> tuple[Floats, Floats]:
    """Yaw and pitch of a head that goes a part of the way with the glances, later and more slowly than the eyes."""
    yaw, pitch = np.zeros(len(times)), np.zeros(len(times))
    for glance in looks:
        going = bump(times, glance.start + 0.35, 0.3, 0.4, hold=max(glance.end - glance.start - 0.35, 0.05))
        yaw, pitch = yaw + 0.3 * going * glance.yaw, pitch + 0.3 * going * glance.pitch
    return yaw, pitch


def keep_on(moving: dict[str, Floats], yaw: Floats, pitch: Floats) -> None:
    """Turn the eyes against the head, so that they look where they should in the world."""
    moving["gaze_yaw"], moving["gaze_pitch"] = yaw - moving["yaw"], pitch - moving["pitch"]


def shut(moving: dict[str, Floats], lids: Floats) -> None:
    """Lay blinks over lids that a feeling may hold lower already."""
    for unit in ("eyeBlinkLeft", "eyeBlinkRight"):
        held = moving.get(unit, np.zeros(len(lids)))
        moving[unit] = held + (1 - held) * lids


def _restless(times: Floats, *names: object) -> Floats:
    """From one eye of the person to the other: a leap of about a degree once or twice a second, the same at the same time."""
    if not len(times):
        return np.zeros(0)
    place = np.zeros(len(times))
    for second in range(int(times[0]) - 1, int(times[-1]) + 1):
        source = draws("leap", second, *names)
        begins, target = second + source.uniform(0.1, 0.9), source.gauss(0, 0.55)
        begun = np.clip((times - begins) / 0.04, 0, 1)
        place = place * (1 - begun) + target * begun
    return place
