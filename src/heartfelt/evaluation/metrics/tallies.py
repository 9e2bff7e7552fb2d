"""What a metric keeps of a run, by dialogue, so that any selection of dialogues can be scored without going back to the rows.

A bootstrap, a jackknife and a permutation test are all selections: how often each dialogue counts. A metric turns a run
into one of three tallies, and all statistics work on tallies alone.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from heartfelt.evaluation.metrics.tokens import Hashes, Ints

Floats = NDArray[np.float64]
Finish = Callable[[Floats], Floats]
_ROOM = 1 << 22
"""Numbers in one temporary table."""


class MetricTally(Protocol):
    @property
    def rows(self) -> Ints:
        """How many rows of each dialogue were used."""
        ...

    @property
    def repeats_distort(self) -> bool:
        """Whether a dialogue that counts twice tells less than two dialogues: true of what counts different things."""
        ...

    def whole(self) -> float:
        """The figure of the run; NaN where it is not defined."""
        ...

    def values(self, counts: Floats) -> Floats:
        """The figure for each line of (selections, dialogues): how often each dialogue counts."""
        ...

    def without_each(self) -> Floats:
        """The figure without one dialogue, for each in turn."""
        ...

    def joined(self, other: Self) -> Self:
        """Both, the dialogues of the other after these: a selection can then mix two runs."""
        ...


@dataclass(frozen=True)
class Sums:
    """Figures made of sums over rows: a mean, a ratio, BLEU's counts."""

    rows: Ints
    sums: Floats
    """(dialogues, parts)."""
    finish: Finish
    """From (…, parts) to (…)."""
    repeats_distort: bool = False

    def whole(self) -> float:
        return float(self.finish(self.sums.sum(0)))

    def values(self, counts: Floats) -> Floats:
        return self.finish(counts @ self.sums)

    def without_each(self) -> Floats:
        return self.finish(self.sums.sum(0) - self.sums)

    def joined(self, other: "Sums") -> "Sums":
        return Sums(np.concatenate([self.rows, other.rows]), np.concatenate([self.sums, other.sums]), self.finish)


@dataclass(frozen=True)
class Binned:
    """Figures made of sums in many bins, few of which a row touches: a confusion table, a calibration curve."""

    rows: Ints
    cluster: Ints
    """The dialogue of each row."""
    bins: Ints
    """The bin of each row."""
    parts: Floats
    """(parts, rows): what each row adds to its bin."""
    size: int
    finish: Finish
    """From (…, parts, bins) to (…)."""
    repeats_distort: bool = False

    def whole(self) -> float:
        return float(self.finish(self._totals(np.ones(len(self.bins)))))

    def values(self, counts: Floats) -> Floats:
        return self.finish(np.array([self._totals(line[self.cluster]) for line in counts]))

    def without_each(self) -> Floats:
        whole, count = self._totals(np.ones(len(self.bins))), len(self.rows)
        step = max(1, _ROOM // whole.size)
        found = [self.finish(whole - self._of_each(at, min(at + step, count))) for at in range(0, count, step)]
        return np.concatenate(found) if found else np.zeros(0)

    def joined(self, other: "Binned") -> "Binned":
        return Binned(
            np.concatenate([self.rows, other.rows]),
            np.concatenate([self.cluster, other.cluster + len(self.rows)]),
            np.concatenate([self.bins, other.bins]),
            np.concatenate([self.parts, other.parts], axis=1),
            self.size,
            self.finish,
        )

    def _totals(self, weights: Floats) -> Floats:
        return np.array([np.bincount(self.bins, weights * part, self.size) for part in self.parts], np.float64)

    def _of_each(self, start: int, end: int) -> Floats:
        """(dialogues, parts, bins) of some dialogues."""
        here = (self.cluster >= start) & (self.cluster < end)
        place = (self.cluster[here] - start) * self.size + self.bins[here]
        tables = [np.bincount(place, part[here], (end - start) * self.size) for part in self.parts]
        return np.stack([table.reshape(end - start, self.size) for table in tables], axis=1).astype(np.float64)


class _Shared(NamedTuple):
    """Which dialogues hold which thing."""

    own: Floats
    """How many things each dialogue has that no other has."""
    holders: Ints
    """The dialogues of each thing that several have, thing after thing."""
    starts: Ints


@dataclass(frozen=True)
class Distinct:
    """Figures made of how many different things there are among how many."""

    rows: Ints
    cluster: Ints
    """The dialogue of each thing."""
    things: Hashes
    finish: Callable[[Floats, Floats], Floats]
    """From how many are different, and how many there are, to the figure."""
    repeats_distort: bool = True

    def whole(self) -> float:
        things = np.sort(self.things)  # a tenth of the time of np.unique, which hashes
        different = float(bool(things.size) + np.count_nonzero(things[1:] != things[:-1]))
        return float(self.finish(np.array(different), np.array(float(things.size))))

    def values(self, counts: Floats) -> Floats:
        there = counts > 0
        different = there @ self._shared.own
        if self._shared.starts.size:
            different = different + self._shared_in(there)
        return self.finish(different.astype(np.float64), counts @ self._totals)

    def without_each(self) -> Floats:
        different = self._shared.own.sum() + self._shared.starts.size
        return self.finish(different - self._shared.own, self._totals.sum() - self._totals)

    def joined(self, other: "Distinct") -> "Distinct":
        return Distinct(
            np.concatenate([self.rows, other.rows]),
            np.concatenate([self.cluster, other.cluster + len(self.rows)]),
            np.concatenate([self.things, other.things]),
            self.finish,
        )

    def _shared_in(self, there: NDArray[np.bool_]) -> NDArray[np.int64]:
        """How many of the things that several dialogues have are in each selection."""
        shared = self._shared
        if len(self.rows) * shared.starts.size > _ROOM * 4:
            return np.array([np.count_nonzero(np.logical_or.reduceat(line[shared.holders], shared.starts)) for line in there])
        step = max(1, _ROOM // shared.starts.size)  # a product of matrices is a hundred times as fast, where it fits
        parts = (there[at : at + step].astype(np.float32) @ self._holding for at in range(0, len(there), step))
        return np.concatenate([np.count_nonzero(part > 0.5, axis=1) for part in parts])

    @cached_property
    def _holding(self) -> NDArray[np.float32]:
        """(dialogues, things that several have): 1 where a dialogue has the thing."""
        sizes = np.diff(np.append(self._shared.starts, len(self._shared.holders)))
        table = np.zeros((len(self.rows), len(sizes)), np.float32)
        table[self._shared.holders, np.repeat(np.arange(len(sizes)), sizes)] = 1
        return table

    @cached_property
    def _totals(self) -> Floats:
        return np.bincount(self.cluster, minlength=len(self.rows)).astype(np.float64)

    @cached_property
    def _shared(self) -> _Shared:
        order = np.lexsort((self.cluster, self.things))
        things, cluster = self.things[order], self.cluster[order]
        new_thing = np.ones(len(things), bool)
        new_thing[1:] = things[1:] != things[:-1]
        kept = new_thing.copy()
        kept[1:] |= cluster[1:] != cluster[:-1]
        cluster, starts = cluster[kept], np.flatnonzero(new_thing[kept])
        holders = np.diff(np.append(starts, len(cluster)))
        own = np.bincount(cluster[starts[holders == 1]], minlength=len(self.rows)).astype(np.float64)
        several = np.repeat(holders > 1, holders)
        sizes = holders[holders > 1]
        return _Shared(own, cluster[several], np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)[: len(sizes)])


def ratio(above: Floats, below: Floats) -> Floats:
    """NaN where nothing is below: whoever shows a figure must ask, and `measure` does."""
    above, below = np.broadcast_arrays(np.asarray(above, np.float64), np.asarray(below, np.float64))
    return np.divide(above, below, out=np.full(above.shape, np.nan), where=below != 0)
