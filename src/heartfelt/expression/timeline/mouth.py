"""The mouth follows the sounds, and every sound bends to its neighbours (after Cohen & Massaro's dominance functions, 1993).

Each sound pulls the units that it cares for towards its shape, most at its own time and less further off; what is seen is the
mean of all pulls. What must happen whatever the mean says, the lips that shut for m, b and p, is laid on top.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.timeline.visemes import MouthShape, mouth_units, shapes_of
from heartfelt.expression.voice.spoken import Phone

Floats = NDArray[np.floating[Any]]

_FREE = 0.10
"""How much a sound pulls at a unit that it does not care for, against one that it does."""
_SHARP = 2.0
"""The exponent of the pull: 1 is a peak, 2 a bell."""
_EASE = 0.03
"""The pull of a mouth at rest, which wins where no sound is near."""
_SHUT = 0.045
"""Seconds that lips stay shut at least: longer than a picture of a film lasts, so that one of them shows it."""
_SHUTTING = 0.040
"""Seconds in which they come together or part."""
_SHORTEST = 0.05
"""Seconds: sounds that are shorter are taken as if they were as long as this, for no mouth is quicker."""

_BLOCK = 256
"""Moments that are reckoned at once, so that a long speech needs no more memory than a short one."""
_FELT = 0.6
"""Seconds beyond which no sound is felt."""


@dataclass(frozen=True)
class Aim:
    """A shape of a sound with its place in time."""

    shape: MouthShape
    at: float
    half: float
    """Half of the time that it lasts."""
    loud: float


def spoken_mouth(phones: Sequence[Phone], loud: Sequence[float], times: Floats, *, clearly: float = 1.0) -> dict[str, Floats]:
    """The units of the mouth at the given times, and under `seal` how far the lips are shut.

    `loud` says for each sound how wide it opens against the mean; `clearly` how much all are articulated.
    """
    aims = _aims(phones, loud)
    found: dict[str, Floats] = {unit: np.zeros(len(times)) for unit in (*mouth_units(), "seal")}
    for first in range(0, len(times), _BLOCK):
        block = slice(first, first + _BLOCK)
        for unit, values in _pulled(_near(aims, times[block]), times[block], clearly).items():
            found[unit][block] = values
    return found


def _near(aims: Sequence[Aim], times: Floats) -> list[Aim]:
    first, last = times[0] - _FELT, times[-1] + _FELT
    return [aim for aim in aims if first < aim.at + aim.half and aim.at - aim.half < last]


def _pulled(aims: Sequence[Aim], times: Floats, clearly: float) -> dict[str, Floats]:
    if not aims:
        return {}
    pulls = np.stack([_pull(aim, times) for aim in aims])
    found: dict[str, Floats] = {}
    for unit in mouth_units():
        wants = np.array([aim.shape.units.get(unit, 0.0) * _opens(unit, aim.loud * clearly) for aim in aims])
        cares = np.array([1.0 if unit in aim.shape.units else _FREE for aim in aims])
        weights = pulls * cares[:, None]
        found[unit] = (weights * wants[:, None]).sum(0) / (weights.sum(0) + _EASE)
    found["seal"] = _seal(aims, times)
    return found


def _aims(phones: Sequence[Phone], loud: Sequence[float]) -> "list[Aim]":
    aims: list[Aim] = []
    for phone, level in zip(phones, loud, strict=True):
        shapes = shapes_of(phone.symbol)
        edges = np.linspace(phone.start, phone.end, len(shapes) + 1)
        for shape, (start, end) in zip(shapes, pairwise(edges.tolist()), strict=True):
            aims.append(Aim(shape, (start + end) / 2, max(end - start, _SHORTEST) / 2, level))
    return aims


def _pull(aim: Aim, times: Floats) -> Floats:
    away = np.maximum(np.abs(times - aim.at) - aim.half * 0.5, 0.0)
    return aim.shape.weight * np.exp(-((away / (aim.half * 0.5 + aim.shape.reach)) ** _SHARP))


def _opens(unit: str, factor: float) -> float:
    return factor if unit in ("jawOpen", "mouthLowerDownLeft", "mouthLowerDownRight") else 1.0


def _seal(aims: Sequence[Aim], times: Floats) -> Floats:
    """From 0, open, to 1, shut: a plateau around the middle of each sound that seals."""
    seal = np.zeros(len(times))
    for aim in aims:
        if aim.shape.seals:
            plateau = max(aim.half * 0.6, _SHUT / 2)
            rise = np.clip((plateau + _SHUTTING - np.abs(times - aim.at)) / _SHUTTING, 0, 1)
            seal = np.maximum(seal, rise * rise * (3 - 2 * rise))
    return seal
