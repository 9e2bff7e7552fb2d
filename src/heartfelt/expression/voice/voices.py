"""Who speaks: a timbre with a name, as a weighted mix of Kokoro's voices, and always the same for the same name or seed."""

import random
import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal

import numpy as np
from pydantic import Field, field_validator

from heartfelt.errors import UnknownName
from heartfelt.expression.voice.espeak import Accent
from heartfelt.expression.voice.spoken import Samples
from heartfelt.records import Record, Scores
from heartfelt.weights.artefact import find

DEFAULT = "heart"
ROWS, WIDTH = 510, 256


class Voice(Record):
    """A timbre. Its accent is that of the part that weighs most."""

    name: str
    mix: Scores = Field(min_length=1)
    """Kokoro's voices and how much each counts; brought to a sum of 1."""
    about: str = ""

    @field_validator("mix")
    @classmethod
    def _weighed(cls, mix: Scores) -> Scores:
        unknown = sorted(set(mix) - set(parts()))
        if unknown:
            raise UnknownName("voice of Kokoro", unknown[0], parts())
        if min(mix.values()) <= 0:
            raise ValueError("every part of a mix must count for more than nothing")
        total = sum(mix.values())
        return {name: weight / total for name, weight in sorted(mix.items())}

    @property
    def accent(self) -> Accent:
        main = max(self.mix, key=lambda name: (self.mix[name], name))
        return "british" if main.startswith("b") else "american"


@cache
def parts() -> tuple[str, ...]:
    """Kokoro's voices that the store has, such as `af_heart`: a or b for the accent, f or m for a woman or a man."""
    return tuple(Path(member.name).stem for member in find("kokoro-voices").members)


@cache
def voices() -> dict[str, Voice]:
    """The voices of `voices.toml`, by name."""
    text = files("heartfelt.expression.voice").joinpath("voices.toml").read_text(encoding="utf-8")
    return {name: Voice(name=name, **entry) for name, entry in tomllib.loads(text).items()}


def voice(name: str) -> Voice:
    """The voice of that name."""
    if name not in voices():
        raise UnknownName("voice", name, voices())
    return voices()[name]


def invented(seed: int | str, who: Literal["woman", "man", "anyone"] = "anyone", accent: Accent = "american") -> Voice:
    """A timbre that nobody else has: a mix of two or three voices, always the same for the same seed."""
    first, second = accent[0], {"woman": "f", "man": "m"}.get(who, "fm")
    fitting = [name for name in parts() if name[0] == first and name[1] in second]
    chance = random.Random(f"{seed}/{who}/{accent}")
    chosen = chance.sample(fitting, min(chance.choice((2, 3)), len(fitting)))
    mix = {name: round(chance.uniform(0.25, 0.75), 3) for name in chosen}
    return Voice(name=f"{who}-{seed}", mix=mix, about=f"{who}, {accent}, made from the seed {seed}")


def style(voice: Voice, folder: Path) -> Samples:
    """The mixed style vectors, [510, 256]: a row for each length of a sentence in symbols."""
    mixed = np.zeros((ROWS, WIDTH), np.float32)
    for name, weight in voice.mix.items():
        mixed += np.float32(weight) * np.fromfile(folder / f"{name}.bin", np.float32).reshape(ROWS, WIDTH)
    return mixed
