"""People who are ready, and people by chance."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import TypeVar

import numpy as np

from heartfelt.errors import UnknownName
from heartfelt.expression.face.look import Ancestry, Beard, Clothes, Hair, Look
from heartfelt.expression.face.names import PROPORTIONS

_Option = TypeVar("_Option")

# Skins from light to dark for each of the mesh's ancestries, and what else chance picks from.
_SKINS = {
    "african": ("#a87456", "#96644a", "#7e5039", "#68402e"),
    "asian": ("#e8c4a6", "#e0b593", "#cf9f7c", "#bb8763"),
    "caucasian": ("#ebc6b2", "#e0b298", "#d2a084", "#bd8b69"),
}
_DARK_HAIR = ("#15110f", "#1d1613", "#2b1e18", "#3a281d")
_LIGHT_HAIR = ("#3a281d", "#54341f", "#7a5433", "#a37c4c", "#8f4f26", "#c2a06a")
_DARK_EYES, _LIGHT_EYES = ("#352015", "#4a2f1d", "#5a3c22"), ("#5f8199", "#587e8f", "#4f6f63", "#6b5a36", "#6d8a8e")
_WOMEN: tuple[Hair, ...] = ("long", "bob", "bun", "curly", "short")
_MEN: tuple[Hair, ...] = ("short", "side parting", "receding", "bald", "short", "side parting")
_BEARDS: tuple[Beard, ...] = ("none", "none", "none", "stubble", "moustache", "full")
_CLOTHES: tuple[Clothes, ...] = ("shirt", "sweater", "blazer", "t-shirt")
_CLOTH_COLOURS = ("#8a5a54", "#a9bdd3", "#39445a", "#3d5a55", "#5d6b8a", "#4f6d5f", "#6f5d78", "#b8a68d", "#3e4a5c")
_BACKDROPS = ("#98a0a2", "#8f8a83", "#a39a94", "#8b9399", "#9b958f", "#939b93")


@cache
def looks() -> dict[str, Look]:
    """The ready people by name."""
    text = files("heartfelt.expression.face").joinpath("looks.toml").read_text(encoding="utf-8")
    return {name: Look.model_validate({"name": name.capitalize(), **entry}) for name, entry in tomllib.loads(text).items()}


def look_named(name: str) -> Look:
    if name not in looks():
        raise UnknownName("look", name, looks())
    return looks()[name]


def look_from(seed: int) -> Look:
    """Somebody by chance: the same seed is always the same person."""
    chance = np.random.default_rng(seed)
    male = bool(chance.random() < 0.5)
    main = str(chance.choice(list(_SKINS)))
    mix = {name: float(share) for name, share in zip(_SKINS, chance.dirichlet((0.3, 0.3, 0.3)) * 0.4, strict=True)}
    mix[main] += 0.6
    age = float(round(chance.triangular(20, 34, 80)))
    light = main == "caucasian"
    hair = _pick(chance, _DARK_HAIR if not light else _LIGHT_HAIR)
    style: Hair = _pick(chance, _MEN if male else _WOMEN)
    if main == "african" and style not in ("bald", "receding") and chance.random() < 0.6:
        style = "afro" if not male else "short"
    return Look(
        name=f"Somebody {seed}",
        age=age,
        gender=float(chance.uniform(0.88, 1.0) if male else chance.uniform(0.0, 0.10)),
        ancestry=Ancestry(**{name: min(share, 1.0) for name, share in mix.items()}),
        proportions={
            name: float(np.clip(chance.normal(0, 0.22), -0.6, 0.6)) for name in PROPORTIONS if name != "age of the head"
        },
        seed=int(chance.integers(1 << 30)),
        skin=_pick(chance, _SKINS[main]),
        redness=float(chance.uniform(0.2, 0.6)),
        freckles=float(max(chance.normal(0, 0.3), 0)) if light else 0.0,
        eyes=_pick(chance, _LIGHT_EYES if light else _DARK_EYES),
        brows=hair,
        brow_weight=float(chance.uniform(0.5, 0.8) if male else chance.uniform(0.25, 0.5)),
        lips=0.0 if male else float(chance.uniform(0.1, 0.5)),
        hair=style,
        hair_colour=hair,
        grey=float(np.clip((age - 42) / 30 + chance.normal(0, 0.15), 0, 0.95)) if age > 42 else 0.0,
        beard=_pick(chance, _BEARDS) if male else "none",
        glasses="#3a2f28" if chance.random() < 0.25 else None,
        clothes=_pick(chance, _CLOTHES),
        clothes_colour=_pick(chance, _CLOTH_COLOURS),
        backdrop=_pick(chance, _BACKDROPS),
    )


def _pick(chance: np.random.Generator, options: tuple[_Option, ...]) -> _Option:
    return options[int(chance.integers(len(options)))]
