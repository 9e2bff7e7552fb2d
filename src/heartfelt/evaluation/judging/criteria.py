"""What replies are judged on: one question each, with its source, in `criteria.toml`."""

import tomllib
from collections.abc import Iterable, Sequence
from importlib.resources import files
from typing import Literal

from heartfelt.errors import UnknownName, UsageError
from heartfelt.records import Record


class Criterion(Record):
    name: str
    question: str
    """Put to whoever sees two replies."""
    mark: str = ""
    """Put to whoever marks one reply; empty where nobody is asked to."""
    low: str = ""
    high: str = ""
    cites: str
    needs: Literal["", "performance"] = ""
    by_default: bool = True

    @property
    def title(self) -> str:
        return self.name.replace("-", " ").capitalize()


def _read() -> dict[str, Criterion]:
    text = files("heartfelt.evaluation.judging").joinpath("criteria.toml").read_text("utf-8")
    return {name: Criterion(name=name, **given) for name, given in tomllib.loads(text).items()}


CRITERIA: dict[str, Criterion] = _read()


def criterion(name: str) -> Criterion:
    if name not in CRITERIA:
        raise UnknownName("criterion", name, CRITERIA)
    return CRITERIA[name]


def wanted(names: Iterable[str], *, performed: bool) -> Sequence[Criterion]:
    """The named criteria, or all that can be judged of these replies; `performed`: whether any were spoken or shown."""
    named = [criterion(name) for name in dict.fromkeys(names)]
    for each in named:
        if each.needs and not performed:
            raise UsageError(
                f"'{each.name}' is about voice and face, and no reply of this comparison was performed by both systems. "
                "Leave it out, or run the experiment again with `media: film`."
            )
    return named or [each for each in CRITERIA.values() if each.by_default and (performed or not each.needs)]
