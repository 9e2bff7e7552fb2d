"""Free human services by country, from a dated table with sources. A number that is not in it is never said."""

import tomllib
from datetime import date
from functools import cache
from pathlib import Path

from heartfelt.errors import UnknownName
from heartfelt.records import Danger, Record

MOST = 2
"""Lines that a reply names: whoever is in need can hold no list."""
_ALIKE: dict[Danger, tuple[Danger, ...]] = {
    "despair": ("despair", "suicide"),
    "suicide": ("suicide", "despair"),
    "self-harm": ("self-harm", "suicide"),
    "eating": ("eating", "suicide"),
    "violence": ("violence", "suicide"),
    "child": ("child", "abuse"),
    "abuse": ("abuse",),
    "medical": ("medical",),
}
"""Which lines are there for a danger, the closest first."""


class ServiceLine(Record):
    name: str
    how: str
    """Such as «call or text 988»."""
    number: str = ""
    dangers: tuple[Danger, ...]
    hours: str = ""
    free: bool = True
    source: str
    seen: str
    """Pages that printed this number when the table was made."""


class Country(Record):
    code: str
    name: str
    emergency: str
    lines: tuple[ServiceLine, ...]


@cache
def _table() -> tuple[date, dict[str, Country]]:
    data = tomllib.loads((Path(__file__).parent / "services.toml").read_text("utf-8"))
    made = data.pop("checked")
    return made, {code: Country.model_validate({"code": code, "lines": (), **found}) for code, found in data.items()}


def checked() -> date:
    """When the table was made."""
    return _table()[0]


def countries() -> list[Country]:
    return sorted(_table()[1].values(), key=lambda one: one.name.removeprefix("the "))


def country(code: str) -> Country | None:
    """None where no country is set, or none that the table knows."""
    return _table()[1].get(code.strip().upper())


def known(code: str) -> str:
    """The code as the table writes it; an unknown one is refused. Empty stays empty."""
    wanted = code.strip().upper()
    if wanted and wanted not in _table()[1]:
        raise UnknownName("country", code, sorted(_table()[1]), where="the table of services")
    return wanted


def lines_for(where: Country, danger: Danger) -> list[ServiceLine]:
    found = [line for wanted in _ALIKE[danger] for line in where.lines if wanted in line.dangers]
    return list(dict.fromkeys(found))[:MOST]
