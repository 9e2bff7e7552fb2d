"""The emotion bank of the voice: from an emotion, its intensity and a tone to a manner. The figures are in `emotions.toml`."""

import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any

from heartfelt.errors import InputError, UnknownName
from heartfelt.expression.banked import banked
from heartfelt.expression.voice.manner import NEUTRAL, Manner


def manner_of(emotion: str, intensity: float = 1.0, tone: str = "") -> Manner:
    """How a voice that carries this emotion speaks.

    The emotion is a label of any of the sets of emotions, or a word that can be read as one («heartbroken»). An intensity of
    0 is rest and 1 is as strong as the bank has it. The tone of a plan is a nudge on top, whatever the intensity.
    """
    if not 0 <= intensity <= 1:
        raise InputError(f"An intensity of {intensity} cannot be spoken: give a number from 0 (at rest) to 1 (full).")
    if tone and tone not in tones():
        raise UnknownName("tone", tone, tones())
    parts = [(intensity * weight, anchors()[name]) for name, weight in labels()[banked(emotion, labels())].items()]
    return _mixed([*parts, (1.0, tones()[tone] if tone else NEUTRAL)])


def anchors() -> dict[str, Manner]:
    """How a voice sounds when it is full of one feeling."""
    return _manners("anchors")


def tones() -> dict[str, Manner]:
    """What each tone adds."""
    return _manners("tones")


def labels() -> dict[str, dict[str, float]]:
    """The mixture of anchors that each label is."""
    return _bank()["labels"]


@cache
def _bank() -> dict[str, Any]:
    return tomllib.loads(files("heartfelt.expression.voice").joinpath("emotions.toml").read_text(encoding="utf-8"))


@cache
def _manners(table: str) -> dict[str, Manner]:
    return {name: Manner(**entry) for name, entry in _bank()[table].items()}


def _mixed(parts: Iterable[tuple[float, Manner]]) -> Manner:
    weighed = [[weight * step for step in manner.steps] for weight, manner in parts]
    return Manner.of_steps([sum(steps) for steps in zip(*weighed, strict=True)])
