"""How a face is built, measured on pictures: distances between points that no expression moves, against each other.

The look of a person is data and never changes; this measures that what is drawn of it does not either.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.records import Record

Floats = NDArray[np.floating[Any]]

_STILL = ((133, 362), (33, 133), (362, 263), (234, 454), (168, 1), (10, 168), (98, 327), (234, 168), (454, 168), (127, 356))
"""Pairs of points of the face mesh: corners of the eyes, temples, bridge and tip of the nose, its wings, the forehead."""
_UNIT = (33, 263)
"""The outer corners of the eyes: the distance that the others are shares of."""


class Drift(Record):
    """Mean distances between builds, in hundredths of the distance between the eyes."""

    same: float
    """Between two films of one person."""
    same_highest: float
    different: float
    """Between two people."""
    different_lowest: float


def build_of(points: Floats) -> Floats:
    """The build of a face, from its points in the head's own axes."""
    unit = np.linalg.norm(points[_UNIT[0]] - points[_UNIT[1]])
    return np.array([np.linalg.norm(points[first] - points[second]) / unit for first, second in _STILL])


def drift(groups: Mapping[str, Sequence[Floats]]) -> Drift:
    """How far the builds of each person lie together, and those of different people apart."""
    same = [_apart(one, other) for builds in groups.values() for one, other in combinations(builds, 2)]
    means = [np.mean(builds, axis=0) for builds in groups.values()]
    different = [_apart(one, other) for one, other in combinations(means, 2)]
    return Drift(
        same=round(fmean(same), 2) if same else 0.0,
        same_highest=round(max(same, default=0.0), 2),
        different=round(fmean(different), 2) if different else 0.0,
        different_lowest=round(min(different, default=0.0), 2),
    )


def nearest(groups: Mapping[str, Sequence[Floats]]) -> float:
    """How often a film's build is nearer to the mean of its own person's other films than to anybody else's."""
    hits: list[bool] = []
    for name, builds in groups.items():
        for place, build in enumerate(builds):
            own = [other for index, other in enumerate(builds) if index != place]
            means = {who: np.mean(own if who == name else found, axis=0) for who, found in groups.items() if own or who != name}
            hits.append(min(means, key=lambda who: _apart(build, means[who])) == name)
    return fmean(hits) if hits else 0.0


def _apart(one: Floats, other: Floats) -> float:
    return float(100 * np.sqrt(np.mean(np.square(one - other))))
