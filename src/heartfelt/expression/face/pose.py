"""What a face does at one moment, and the rules that keep extremes from breaking it."""

from collections.abc import Mapping

from pydantic import Field, field_validator

from heartfelt.errors import UnknownName
from heartfelt.expression.face.names import UNITS
from heartfelt.records import Record

# Degrees that the eye turns when a look unit is at 1.
LOOK = 28.0


class Pose(Record):
    """One moment. Angles are in degrees; left and up are the person's own."""

    units: dict[str, float] = {}
    """The 52 units of ARKit, from 0 to 1; those that are missing are at rest."""
    yaw: float = Field(default=0.0, ge=-60, le=60)
    """The head turned to its left."""
    pitch: float = Field(default=0.0, ge=-40, le=40)
    """The head raised."""
    roll: float = Field(default=0.0, ge=-40, le=40)
    """The head leant towards its left shoulder."""
    gaze_yaw: float = Field(default=0.0, ge=-40, le=40)
    """The eyes turned to their left, against the head."""
    gaze_pitch: float = Field(default=0.0, ge=-35, le=35)
    """The eyes raised, against the head."""

    @field_validator("units")
    @classmethod
    def _known(cls, value: dict[str, float]) -> dict[str, float]:
        for name in value:
            if name not in UNITS:
                raise UnknownName("face unit", name, UNITS)
        return {name: min(max(float(amount), 0.0), 1.0) for name, amount in value.items()}


def settled(pose: Pose) -> dict[str, float]:
    """All units, with those tamed that would fight: what a real face could do of what was asked."""
    units = dict.fromkeys(UNITS, 0.0) | pose.units
    for side in ("Left", "Right"):
        _settle_lids(units, side)
        _settle_corner(units, side)
    _settle_mouth(units)
    return units


def gazes(pose: Pose, units: Mapping[str, float]) -> dict[str, tuple[float, float]]:
    """Yaw and pitch of the left and of the right eye, of the gaze and of the look units together."""
    found: dict[str, tuple[float, float]] = {}
    for side, outward in (("Left", 1), ("Right", -1)):
        across = outward * (units[f"eyeLookOut{side}"] - units[f"eyeLookIn{side}"])
        along = units[f"eyeLookUp{side}"] - units[f"eyeLookDown{side}"]
        found[side] = (_within(pose.gaze_yaw + LOOK * across, 40), _within(pose.gaze_pitch + LOOK * along, 35))
    return found


def _settle_lids(units: dict[str, float], side: str) -> None:
    """A shut eye neither widens nor squints further, for its lids would pass through each other."""
    blink = units[f"eyeBlink{side}"]
    units[f"eyeWide{side}"] *= 1 - blink
    units[f"eyeSquint{side}"] *= 1 - 0.7 * blink


def _settle_corner(units: dict[str, float], side: str) -> None:
    """One corner of the mouth goes one way: what pulls it is shared out when it is more than it can follow."""
    smile, frown = units[f"mouthSmile{side}"], units[f"mouthFrown{side}"]
    units[f"mouthSmile{side}"], units[f"mouthFrown{side}"] = max(smile - 0.7 * frown, 0), max(frown - 0.7 * smile, 0)
    _share(units, [f"mouth{unit}{side}" for unit in ("Smile", "Frown", "Stretch", "Dimple")], most=1.3)
    _share(units, [f"mouth{unit}{side}" for unit in ("Press", "LowerDown")], most=1.0)


def _settle_mouth(units: dict[str, float]) -> None:
    """Lips close no further than the jaw is open, roll in or purse but not both, and rounding leaves less for a smile."""
    units["mouthClose"] = min(units["mouthClose"], units["jawOpen"])
    _share(units, ["mouthPucker", "mouthFunnel"], most=1.0)
    _share(units, ["jawLeft", "jawRight"], most=1.0)
    _share(units, ["mouthLeft", "mouthRight"], most=1.0)
    round_lips = max(units["mouthPucker"], units["mouthFunnel"])
    for name in ("mouthRollUpper", "mouthRollLower", "mouthPressLeft", "mouthPressRight"):
        units[name] *= 1 - 0.6 * round_lips
    for name in ("mouthSmileLeft", "mouthSmileRight", "mouthStretchLeft", "mouthStretchRight"):
        units[name] *= 1 - 0.5 * round_lips
    shut = units["mouthClose"] / units["jawOpen"] if units["jawOpen"] > 0 else 0.0
    for name in (
        "mouthUpperUpLeft",
        "mouthUpperUpRight",
        "mouthLowerDownLeft",
        "mouthLowerDownRight",
        "mouthFunnel",
        "tongueOut",
    ):
        units[name] *= 1 - shut


def _share(units: dict[str, float], names: list[str], *, most: float) -> None:
    total = sum(units[name] for name in names)
    if total > most:
        for name in names:
            units[name] *= most / total


def _within(value: float, most: float) -> float:
    return min(max(value, -most), most)
