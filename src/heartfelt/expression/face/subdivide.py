"""One step of Catmull and Clark's subdivision as a table of weights: each fine vertex is a mean of a few coarse ones.

The step is linear, so the table is made once and a moving face costs one weighted sum a vertex.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.int32]
_Entries = tuple[NDArray[np.integer[Any]], NDArray[np.integer[Any]], Floats]
"""Rows, columns and weights; entries of the same place add up."""


@dataclass(frozen=True)
class Fine:
    """A finer mesh over a coarse one."""

    starts: Ints
    index: Ints
    weight: Floats
    """Row r of the table is `index` and `weight` from `starts[r]` to `starts[r + 1]`."""
    quads: Ints
    parents: Ints
    """The coarse quad in which each fine quad lies."""

    def apply(self, values: NDArray[np.floating]) -> Floats:
        """Fine values of coarse ones of any width. For start-up; frames use the compiled kernel."""
        products = values[self.index] * self.weight.reshape(-1, *[1] * (values.ndim - 1))
        return np.add.reduceat(products, self.starts[:-1], axis=0).astype(np.float32)


def subdivided(quads: Ints, count: int) -> Fine:
    """Rows: first the `count` old vertices at their new places, then the edges' points, then the faces' points."""
    edges, quad_edges, sides = _edges(quads)
    border = sides[:, 1] < 0
    entries = [
        *_old(quads, edges, border, count),
        *_on_edges(quads, edges, sides, count),
        (count + len(edges) + np.arange(len(quads))[:, None], quads, np.full(quads.shape, 0.25)),
    ]
    return _packed(entries, count + len(edges) + len(quads), _fine_quads(quads, quad_edges, count, len(edges)))


def _edges(quads: Ints) -> tuple[Ints, Ints, Ints]:
    """Edges as pairs of vertices; the four edges of each quad; and the quads of each edge, -1 beyond a border."""
    pairs = np.sort(np.stack([quads, np.roll(quads, -1, axis=1)], axis=2), axis=2).reshape(-1, 2)
    edges, inverse = np.unique(pairs, axis=0, return_inverse=True)
    inverse = inverse.reshape(-1)
    order = np.argsort(inverse, kind="stable")
    place = np.arange(len(order)) - np.searchsorted(inverse[order], inverse[order])
    sides = np.full((len(edges), 2), -1, np.int32)
    sides[inverse[order], np.minimum(place, 1)] = order // 4
    return edges.astype(np.int32), inverse.reshape(-1, 4).astype(np.int32), sides


def _on_edges(quads: Ints, edges: Ints, sides: Ints, count: int) -> list[_Entries]:
    """The middle of the edge, drawn half way to the middles of its two quads where it has two."""
    border, row = sides[:, 1] < 0, count + np.arange(len(edges))[:, None]
    ends = np.where(border, 0.5, 0.25)[:, None].repeat(2, axis=1)
    inner = ~border
    corners = quads[sides[inner]].reshape(-1, 8)
    return [(row, edges, ends), (row[inner], corners, np.full(corners.shape, 1 / 16))]


def _old(quads: Ints, edges: Ints, border: NDArray[np.bool_], count: int) -> list[_Entries]:
    """Inner vertices go to the classic mean of their faces and edges; those on a border only see the border."""
    number = np.maximum(np.bincount(quads.ravel(), minlength=count), 1).astype(np.float64)
    fixed = np.zeros(count, np.bool_)
    fixed[edges[border]] = True
    square = np.where(fixed, 0, 1 / number**2)
    own = np.arange(count)[:, None]
    entries: list[_Entries] = [(own, own, np.where(fixed, 0.5, (number - 3) / number)[:, None])]
    for corner in range(4):
        at = quads[:, corner, None]
        entries.append((at, quads, 0.25 * square[at].repeat(4, axis=1)))
    for end in range(2):
        at = edges[:, end, None]
        entries.append((at, edges, square[at].repeat(2, axis=1)))
        entries.append((at[border], edges[border], np.full((int(border.sum()), 2), 0.125)))
    return entries


def _fine_quads(quads: Ints, quad_edges: Ints, count: int, edges: int) -> Ints:
    middle = count + edges + np.arange(len(quads))
    following, before = count + quad_edges, count + np.roll(quad_edges, 1, axis=1)
    fine = np.stack([quads, following, np.repeat(middle[:, None], 4, axis=1), before], axis=2)
    return fine.reshape(-1, 4).astype(np.int32)


def _packed(entries: list[_Entries], rows: int, quads: Ints) -> Fine:
    row = np.concatenate([np.broadcast_to(at, weight.shape).ravel() for at, _, weight in entries]).astype(np.int64)
    column = np.concatenate([columns.ravel() for _, columns, _ in entries])
    weight = np.concatenate([weight.ravel() for _, _, weight in entries])
    keys, inverse = np.unique(row * rows + column, return_inverse=True)
    total = np.bincount(inverse.reshape(-1), weight)
    keys, total = keys[total != 0], total[total != 0]
    return Fine(
        starts=np.searchsorted(keys // rows, np.arange(rows + 1)).astype(np.int32),
        index=(keys % rows).astype(np.int32),
        weight=total.astype(np.float32),
        quads=quads,
        parents=np.repeat(np.arange(len(quads) // 4), 4).astype(np.int32),
    )
