"""Krippendorff's alpha: how far raters agree beyond chance.

Ratings may be missing, and raters need not be the same for each unit.
"""

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

import numpy as np

from heartfelt.errors import InputError
from heartfelt.evaluation.metrics.tallies import Floats, Sums, ratio
from heartfelt.evaluation.statistics.interval import LEVEL, TIMES, Interval, interval_of

Level: TypeAlias = Literal["nominal", "ordinal", "interval"]
Rating: TypeAlias = str | float | int
Ratings: TypeAlias = Sequence[Sequence[Rating | None]]
"""A line for each unit, a place for each rater; None where a rater did not rate."""


def krippendorff_alpha(ratings: Ratings, level: Level) -> float:
    """1: all agree; 0: as chance would have it; below: raters contradict each other. Krippendorff 2011.

    `nominal`: values are the same or not. `ordinal`: numbers whose order counts. `interval`: numbers whose distances count.
    """
    return _checked(_tally(ratings, level).whole())


def alpha_interval(ratings: Ratings, level: Level, *, share: float = LEVEL, times: int = TIMES, seed: int = 0) -> Interval:
    """The same with an interval over units."""
    tally = _tally(ratings, level)
    return interval_of(tally, f"krippendorff_alpha/{level}", _checked(tally.whole()), level=share, times=times, seed=seed)


def _tally(ratings: Ratings, level: Level) -> Sums:
    """Each unit adds its coincidences: pairs of ratings, weighed so that a unit counts by its number of ratings."""
    units = [[value for value in unit if value is not None] for unit in ratings]
    paired = [unit for unit in units if len(unit) > 1]
    if not paired:
        raise InputError("Agreement needs a unit that two or more have rated, and there is none.")
    values = _values(paired, level)
    places = {value: place for place, value in enumerate(values)}
    tables = np.array([_coincidences([places[value] for value in unit], len(values)) for unit in paired])
    apart = _DISTANCES[level]
    points = np.array(values if level != "nominal" else range(len(values)), np.float64)
    return Sums(
        rows=np.ones(len(paired), np.int64),
        sums=tables.reshape(len(paired), -1),
        finish=lambda sums: _alpha(sums.reshape(*sums.shape[:-1], len(values), len(values)), points, apart),
    )


def _values(units: list[list[Rating]], level: Level) -> list[Rating]:
    found = {value for unit in units for value in unit}
    if level != "nominal" and any(isinstance(value, str) for value in found):
        raise InputError(f"Agreement at the level '{level}' needs numbers. Give words their rank, or use 'nominal'.")
    return sorted(found, key=str) if level == "nominal" else sorted(found, key=float)


def _coincidences(unit: list[int], size: int) -> Floats:
    counts = np.bincount(unit, minlength=size).astype(np.float64)
    return (np.outer(counts, counts) - np.diag(counts)) / (len(unit) - 1)


def _alpha(table: Floats, points: Floats, apart: "Callable[[Floats, Floats], Floats]") -> Floats:
    totals = table.sum(-1)
    distance = apart(points, totals)
    n = totals.sum(-1)
    chance = totals[..., :, None] * totals[..., None, :]
    observed, expected = (table * distance).sum((-1, -2)), (chance * distance).sum((-1, -2))
    return 1 - ratio((n - 1) * observed, expected)


def _nominal(points: Floats, _totals: Floats) -> Floats:
    return (points[:, None] != points).astype(np.float64)


def _interval(points: Floats, _totals: Floats) -> Floats:
    return (points[:, None] - points) ** 2


def _ordinal(_points: Floats, totals: Floats) -> Floats:
    """Ranks lie as far apart as there are ratings between them, the two ends counted half."""
    middle = np.cumsum(totals, axis=-1) - totals / 2
    return (middle[..., :, None] - middle[..., None, :]) ** 2


_DISTANCES: dict[Level, Callable[[Floats, Floats], Floats]] = {"nominal": _nominal, "ordinal": _ordinal, "interval": _interval}


def _checked(alpha: float) -> float:
    if not np.isfinite(alpha):
        raise InputError("All ratings are the same, so agreement beyond chance is not defined: there is no chance to disagree.")
    return alpha
