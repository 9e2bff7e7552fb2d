"""How emotions look at their height: a table of units, scaled by how strong they are."""

import tomllib
from functools import cache
from importlib.resources import files

from heartfelt.errors import InputError, UnknownName
from heartfelt.expression.face.pose import Pose

_ANGLES = ("yaw", "pitch", "roll", "gaze_yaw", "gaze_pitch")


@cache
def _table() -> dict[str, dict[str, float]]:
    text = files("heartfelt.expression.face").joinpath("emotions.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def emotion_names() -> tuple[str, ...]:
    """The names, in the order of the table."""
    return tuple(_table())


def emotion(name: str, strength: float = 1.0) -> Pose:
    """The pose of an emotion, from not at all (0) to its height (1)."""
    if name not in _table():
        raise UnknownName("emotion of the face", name, _table())
    if not 0 <= strength <= 1:
        raise InputError(f"The strength of an emotion lies between 0 and 1; {strength} does not.")
    row = {unit: amount * strength for unit, amount in _table()[name].items()}
    angles = {angle: row.pop(angle, 0.0) for angle in _ANGLES}
    return Pose(units=row, **angles)
