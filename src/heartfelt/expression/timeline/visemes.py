"""What the mouth does for each sound. The figures are in `visemes.toml`."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from heartfelt.expression.face.names import UNITS
from heartfelt.records import Record

LONG = "ː"


class MouthShape(Record):
    """What the mouth aims at for a sound."""

    units: dict[str, float]
    """Units of ARKit; one without its side is meant for both. What is not named is left to the neighbours."""
    weight: float
    """How much the sound insists against its neighbours."""
    reach: float
    """Seconds before and after its own time in which it is felt."""
    seals: bool = False
    """Whether the lips shut, whatever stands around it."""


@cache
def shapes() -> dict[str, MouthShape]:
    return {name: MouthShape(**(entry | {"units": _sided(entry["units"])})) for name, entry in _table()["shapes"].items()}


def shapes_of(symbol: str) -> tuple[MouthShape, ...]:
    """The shapes of a sound in the order of time. A sound that English does not have opens the mouth a little."""
    names = _table()["sounds"].get(symbol.replace(LONG, ""), ["schwa"])
    return tuple(shapes()[name] for name in names)


def mouth_units() -> tuple[str, ...]:
    """All units that sounds move."""
    return tuple(sorted({unit for shape in shapes().values() for unit in shape.units}))


def _sided(units: dict[str, float]) -> dict[str, float]:
    return {
        name: amount
        for unit, amount in units.items()
        for name in ((unit,) if unit in UNITS else (f"{unit}Left", f"{unit}Right"))
    }


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(files("heartfelt.expression.timeline").joinpath("visemes.toml").read_text(encoding="utf-8"))
