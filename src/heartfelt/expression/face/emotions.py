"""The emotion bank of the face: from an emotion, its intensity and a tone to a pose and to how that pose comes, lives and goes.

The figures are in `emotions.toml`. The voice has a bank of the same build: anchors, labels as their mixtures, tones as nudges.
"""

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from pydantic import Field

from heartfelt.errors import InputError, UnknownName
from heartfelt.expression.banked import banked
from heartfelt.expression.face.names import UNITS
from heartfelt.expression.face.pose import Pose
from heartfelt.records import Record

Row = dict[str, float]

_ANGLES = ("yaw", "pitch", "roll", "gaze_yaw", "gaze_pitch")
# Feelings are a little stronger on the face's left side: Sackeim, Gur & Saucy, Science 202 (1978), 434-436. Lids go together.
_RIGHT = 0.98
_TOGETHER = ("eyeBlink", "eyeWide")
_LIMITS = {
    "onset": (0.15, 2.0),
    "decay": (0.5, 6.0),
    "speaking": (0.0, 1.0),
    "meets": (0.2, 0.95),
    "away_yaw": (0.0, 25.0),
    "away_pitch": (-20.0, 15.0),
    "blinks": (6.0, 45.0),
    "liveliness": (0.2, 2.0),
    "nods": (0.0, 20.0),
}


class Dynamics(Record):
    """How an expression comes, lives and goes. Beyond these limits a face stops moving as people do."""

    onset: float = Field(ge=_LIMITS["onset"][0], le=_LIMITS["onset"][1])
    """Seconds from rest to the expression's height."""
    decay: float = Field(ge=_LIMITS["decay"][0], le=_LIMITS["decay"][1])
    """Seconds from its height back to rest."""
    speaking: float = Field(ge=_LIMITS["speaking"][0], le=_LIMITS["speaking"][1])
    """The share of the expression that stays on mouth and jaw while they speak: all of it is 1."""
    meets: float = Field(ge=_LIMITS["meets"][0], le=_LIMITS["meets"][1])
    """The share of the time in which the eyes meet the other person's."""
    away_yaw: float = Field(ge=_LIMITS["away_yaw"][0], le=_LIMITS["away_yaw"][1])
    """Degrees to either side of the other person's eyes to which the gaze goes otherwise."""
    away_pitch: float = Field(ge=_LIMITS["away_pitch"][0], le=_LIMITS["away_pitch"][1])
    """Degrees above them, below 0 for a gaze that sinks."""
    blinks: float = Field(ge=_LIMITS["blinks"][0], le=_LIMITS["blinks"][1])
    """Blinks a minute."""
    liveliness: float = Field(ge=_LIMITS["liveliness"][0], le=_LIMITS["liveliness"][1])
    """How far and how often the head moves, against the same person at rest."""
    nods: float = Field(ge=_LIMITS["nods"][0], le=_LIMITS["nods"][1])
    """Nods a minute while listening."""


def expression_of(emotion: str, intensity: float = 1.0, tone: str = "") -> Pose:
    """What a face that carries this emotion does at the height of it.

    The emotion is a label of any of the sets of emotions, an anchor of the bank («concern»), or a word that can be read as a
    label («heartbroken»). An intensity of 0 is rest and 1 is as strong as the bank has it. The tone of a plan is a nudge on
    top, whatever the intensity.
    """
    parts = _parts(emotion, intensity, tone)
    return _pose(_sum([*((weight, anchors()[name]) for name, weight in parts.items()), (1.0, tones().get(tone, {}))]))


def dynamics_of(emotion: str, intensity: float = 1.0, tone: str = "") -> Dynamics:
    """How that expression comes, lives and goes: the same mixture of the anchors' habits, from those of a face at rest."""
    parts, habits = _parts(emotion, intensity, tone), _bank()["dynamics"]
    rest = habits["rest"]
    away = [(weight, {field: habits[name][field] - rest[field] for field in rest}) for name, weight in parts.items()]
    mixed = _sum([(1.0, rest), *away, (1.0, _bank()["tone_dynamics"].get(tone, {}))])
    return Dynamics(**{field: round(_within(mixed[field], *limits), 4) for field, limits in _LIMITS.items()})


@cache
def anchors() -> dict[str, Row]:
    """What a face does when it is full of one feeling: units and angles, left and right."""
    return {name: _sided(row) for name, row in _bank()["anchors"].items()}


@cache
def tones() -> dict[str, Row]:
    """What each tone adds or takes away."""
    return {name: _sided(row) for name, row in _bank()["tones"].items()}


def labels() -> dict[str, Row]:
    """The mixture of anchors that each label is."""
    return _bank()["labels"]


@cache
def _bank() -> dict[str, Any]:
    return tomllib.loads(files("heartfelt.expression.face").joinpath("emotions.toml").read_text(encoding="utf-8"))


def _sided(row: Row) -> Row:
    """A unit that the bank names without a side is done by both."""
    found: Row = {}
    for name, amount in row.items():
        if name in UNITS or name in _ANGLES:
            found[name] = amount
        else:
            found[f"{name}Left"], found[f"{name}Right"] = amount, amount * (1.0 if name in _TOGETHER else _RIGHT)
    return found


def mixture(emotion: str) -> Row:
    """The anchors that an emotion is mixed of, with their weights."""
    return {emotion: 1.0} if emotion in anchors() else labels()[banked(emotion, labels())]


def _parts(emotion: str, intensity: float, tone: str) -> Row:
    """The anchors with their weights."""
    if not 0 <= intensity <= 1:
        raise InputError(f"An intensity of {intensity} cannot be shown: give a number from 0 (at rest) to 1 (full).")
    if tone and tone not in tones():
        raise UnknownName("tone", tone, tones())
    return {name: intensity * weight for name, weight in mixture(emotion).items()}


def _sum(parts: Iterable[tuple[float, Mapping[str, float]]]) -> Row:
    total: Row = {}
    for weight, row in parts:
        for name, amount in row.items():
            total[name] = total.get(name, 0.0) + weight * amount
    return total


def _pose(row: Row) -> Pose:
    """What is asked beyond a unit's limits stays at them."""
    units = {name: round(_within(amount, 0.0, 1.0), 4) for name, amount in row.items() if name not in _ANGLES}
    angles = {name: round(row.get(name, 0.0), 3) for name in _ANGLES}
    return Pose(units=units, **angles)


def _within(value: float, low: float, high: float) -> float:
    return min(max(value, low), high)
