"""Locks: hair that clings together in strips of uneven width, each with its own height, tone and end."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True)
class Locks:
    """Strips across hair whose places run from 0 to 1 and begin again."""

    edges: Floats
    """Where each begins, and 1."""
    chance: Floats
    """Three numbers from 0 to 1 for each of them."""

    def number(self, place: Floats) -> NDArray[np.intp]:
        return np.clip(np.searchsorted(self.edges, place % 1, side="right") - 1, 0, len(self.edges) - 2)

    def ridge(self, place: Floats) -> Floats:
        """From 0 between two locks to 1 on the back of one, steeper at its sides."""
        number = self.number(place)
        share = (place % 1 - self.edges[number]) / (self.edges[number + 1] - self.edges[number])
        return np.sqrt(np.maximum(np.sin(np.pi * share), 0))

    def own(self, place: Floats, which: int = 0) -> Floats:
        """A number of chance, from -1 to 1, that is one for a whole lock."""
        return 2 * self.chance[self.number(place), which] - 1


def locks(count: int, chance: np.random.Generator) -> Locks:
    widths = chance.uniform(0.45, 1.55, count)
    return Locks(np.concatenate([[0.0], np.cumsum(widths) / widths.sum()]), chance.random((count, 3)))
