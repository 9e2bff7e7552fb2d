"""Who answers: a look, a voice and a manner that belong together and never change (E3RG's empathy memory).

An `Identity` says who somebody is in the fields of AvaMERG: age, gender, timbre. A `Persona` is that somebody: ready ones stand
in `personas.toml`, and any seed makes another, always the same one.
"""

import random
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from itertools import count
from typing import Any

from pydantic import Field

from heartfelt.errors import InputError, UnknownName
from heartfelt.expression.face.look import Look
from heartfelt.expression.face.people import look_from, look_named
from heartfelt.expression.voice.manner import Manner
from heartfelt.expression.voice.voices import Voice, invented, voice
from heartfelt.records import Age, Gender, Identity, Record

SEED, PROFILE = "seed:", "profile:"
_YEARS: dict[Age, tuple[float, float]] = {"child": (18, 26), "young": (18, 39), "middle-aged": (40, 62), "elderly": (63, 95)}
"""Nobody is drawn as a child: such a profile is shown as the youngest adult."""
_PITCH = {"high": 1.6, "mid": 0.0, "low": -1.6}
"""Semitones that make a timbre higher or lower than the voice it is made from."""


class Persona(Record):
    """Somebody who does not exist: all that makes the avatar this one and no other."""

    name: str
    about: str = ""
    identity: Identity
    look: Look
    voice: Voice
    manner: Manner = Manner()
    """How this person speaks when nothing is felt, against the voice as it is: an old man is slower."""
    lively: float = Field(default=1.0, ge=0, le=2)
    """How much head and brows move in talking, against most people."""


@cache
def personas() -> dict[str, Persona]:
    """The ready ones by name."""
    table = tomllib.loads(files("heartfelt.expression").joinpath("personas.toml").read_text(encoding="utf-8"))
    return {name: _ready(name, entry) for name, entry in table.items()}


def persona_named(name: str) -> Persona:
    """A ready one by name, `seed:NUMBER` for somebody by chance, or `profile:NUMBER` for a profile of AvaMERG."""
    if name.startswith(SEED):
        return persona_from(_number(name, SEED))
    if name.startswith(PROFILE):
        return persona_of(Identity.numbered(_number(name, PROFILE)))
    if name not in personas():
        raise UnknownName("identity", name, personas())
    return personas()[name]


def persona_of(identity: Identity) -> Persona:
    """The somebody of an identity: by its name; else a ready one of that profile; else one made from the profile."""
    if identity.name and not identity.name.startswith(PROFILE):
        return persona_named(identity.name)
    for persona in personas().values():
        if persona.identity.number == identity.number:
            return persona
    return _made(f"{PROFILE}{identity.number}", identity.number, identity)


def persona_from(seed: int) -> Persona:
    """Somebody by chance. The same seed is always the same person."""
    return _made(f"{SEED}{seed}", seed, None)


def _made(name: str, seed: int, profile: Identity | None) -> Persona:
    chance = random.Random(name)
    look = next(found for found in map(look_from, _drawn(seed, chance)) if profile is None or _fits(found, profile))
    profile = profile or Identity(age=_age(look.age), gender=_gender(look), timbre=chance.choice(("high", "mid", "low")))
    who = "man" if profile.gender == "male" else "woman"
    slower = max(look.age - 55, 0) / 40 * 0.1
    return Persona(
        name=name,
        about=f"a {who} of {look.age:.0f}, made by chance",
        identity=profile.model_copy(update={"name": name}),
        look=look.model_copy(update={"name": name}),
        voice=invented(seed, who, chance.choice(("american", "british"))),
        manner=Manner(pitch=_PITCH[profile.timbre], rate=round(chance.uniform(0.96, 1.03) - slower, 3)),
        lively=round(chance.uniform(0.75, 1.2), 2),
    )


def _number(name: str, kind: str) -> int:
    if not name.removeprefix(kind).isdecimal():
        raise InputError(f"'{name}' is no identity: write {kind}NUMBER, for example {kind}7.")
    return int(name.removeprefix(kind))


def _ready(name: str, entry: dict[str, Any]) -> Persona:
    profile = {field: entry.pop(field) for field in ("age", "gender", "timbre")}
    timbre = voice(entry.pop("voice"))
    return Persona(
        name=name, identity=Identity(name=name, **profile), look=look_named(entry.pop("look", name)), voice=timbre, **entry
    )


def _drawn(seed: int, chance: random.Random) -> Iterator[int]:
    """Seeds of looks: the first is the seed itself."""
    return (seed if turn == 0 else chance.randrange(1 << 30) for turn in count())


def _fits(look: Look, profile: Identity) -> bool:
    low, high = _YEARS[profile.age]
    return low <= look.age <= high and _gender(look) == profile.gender


def _age(years: float) -> Age:
    return next(age for age in ("young", "middle-aged", "elderly") if years <= _YEARS[age][1])


def _gender(look: Look) -> Gender:
    return "male" if look.gender >= 0.5 else "female"
