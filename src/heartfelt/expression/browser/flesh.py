"""Skin, teeth and tongue: the coarse points with their units, and the table that makes the fine mesh of them.

All places in the file are counted from the pivot about which the head turns: smaller numbers are finer in two bytes.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.browser.layout import NumberTable, scaled, whole
from heartfelt.expression.face.lips import Lips
from heartfelt.expression.face.rig import SIDES
from heartfelt.expression.face.subdivide import Fine
from heartfelt.expression.render.palette import LOWER_TEETH, SKIN, TONGUE, UPPER_TEETH
from heartfelt.expression.render.person import Person

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.integer[Any]]
Flags = NDArray[np.bool_]

PARTS = {"skin": SKIN, "upper": UPPER_TEETH, "lower": LOWER_TEETH, "tongue": TONGUE}

_LOWER_RIM = (0.311, 7.242, 1.388)


@dataclass(frozen=True)
class Order:
    """Which coarse points and fine vertices are sent, in their new order."""

    coarse: Ints
    fine: Ints
    """First those that units move, then those whose normals alone change, then what is stiff."""
    moving: int
    turning: int
    """How many of the fine ones move, and how many have changing normals."""

    def coarse_rows(self, rows: Ints) -> Ints:
        return np.searchsorted(self.coarse, rows)

    def fine_rows(self, rows: Ints) -> Ints:
        return renumbered(self.fine, rows)


def renumbered(kept: Ints, rows: Ints) -> Ints:
    """Where the rows lie among those that were kept; -1 where they were not."""
    place = np.full(max(int(kept.max()), int(rows.max(initial=0))) + 1, -1, np.int64)
    place[kept] = np.arange(len(kept))
    return place[rows]


def order_of(person: Person) -> Order:
    fine, rig = person.head.fine, person.rig
    changing = np.zeros(len(rig.rest), np.bool_)
    for rows in (rig.index, rig.lips.rows, rig.tongue):
        changing[rows] = True
    moving = _any_of(fine, changing)
    for side in SIDES:
        moving[person.lids[side]] = True
    turning = np.zeros_like(moving)
    turning[person.drawn_skin[moving[person.drawn_skin].any(1)]] = True
    live, rank = person.live, 2 - (turning | moving).astype(int) - moving.astype(int)
    used = np.unique(np.concatenate([*(fine.index[fine.starts[row] : fine.starts[row + 1]] for row in live), rig.lips.rows]))
    return Order(
        coarse=used,
        fine=live[np.argsort(rank[live], kind="stable")],
        moving=int((rank[live] == 0).sum()),
        turning=int((rank[live] <= 1).sum()),
    )


def flesh(person: Person, order: Order) -> dict[str, NumberTable]:
    attributes = person.moving.attributes[order.fine]
    return {
        "coarse.rest": scaled(person.rig.rest[order.coarse] - person.rig.pivot),
        **_units(person, order),
        **_table(person.head.fine, order),
        **_lips(person.rig.lips, order),
        **{f"flesh.{name}": whole(rows) for name, rows in _triangles(person, order).items()},
        "flesh.tongue rows": whole(order.coarse_rows(person.rig.tongue)),
        "flesh.numbers": scaled(attributes[:, :2]),
        "flesh.light": scaled(attributes[:, 2:4], np.uint8, most=1),
        "flesh.share": scaled(person.fine_follows[order.fine], np.uint8, most=1),
        **{f"lids.{side}": whole(order.fine_rows(np.sort(person.lids[side]))) for side in SIDES},
        "lids.lower": whole(order.fine_rows(_lower_rims(person))),
    }


def _lower_rims(person: Person) -> Ints:
    """The middle of each lower lid's rim, where tears stand; on the resting head it has the same place for everybody."""
    rows = [person.lids[side] for side in SIDES]
    goals = [np.array([sign * _LOWER_RIM[0], *_LOWER_RIM[1:]]) for sign in (1, -1)]
    return np.array(
        [lids[np.linalg.norm(person.atlas.rest[lids] - goal, axis=1).argmin()] for lids, goal in zip(rows, goals, strict=True)]
    )


def _any_of(fine: Fine, coarse: Flags) -> Flags:
    """The fine vertices that depend on any of these coarse ones."""
    return np.add.reduceat(coarse[fine.index].astype(np.int32), fine.starts[:-1]) > 0


def _units(person: Person, order: Order) -> dict[str, NumberTable]:
    rig = person.rig
    kept = np.isin(rig.index, order.coarse)
    counts = [int(kept[start:end].sum()) for start, end in zip(rig.starts, rig.starts[1:], strict=False)]
    return {
        "units.count": whole(np.array(counts)),
        "units.index": whole(order.coarse_rows(rig.index[kept])),
        "units.delta": scaled(rig.delta[kept]),
    }


def _table(fine: Fine, order: Order) -> dict[str, NumberTable]:
    """There are few different weights, so each is told by its number."""
    spans = [slice(fine.starts[row], fine.starts[row + 1]) for row in order.fine]
    weights, codes = np.unique(fine.weight, return_inverse=True)
    return {
        "table.count": NumberTable(np.array([span.stop - span.start for span in spans], np.uint8)),
        "table.index": whole(order.coarse_rows(np.concatenate([fine.index[span] for span in spans]))),
        "table.code": NumberTable(np.concatenate([codes[span] for span in spans]).astype(np.uint8)),
        "table.weights": scaled(weights),
    }


def _lips(lips: Lips, order: Order) -> dict[str, NumberTable]:
    return {
        "lips.rows": whole(order.coarse_rows(lips.rows)),
        "lips.weight": scaled(lips.weight),
        "lips.place": scaled(lips.place),
        **{f"lips.{name}": whole(order.coarse_rows(rows)) for name, rows in zip(("upper", "lower"), lips.edges, strict=True)},
        **{f"lips.{name} bins": whole(bins) for name, bins in zip(("upper", "lower"), lips.bins, strict=True)},
    }


def _triangles(person: Person, order: Order) -> dict[str, Ints]:
    """What is drawn of each part, and last what is only there for the normals at its borders."""
    meshes = person.moving
    drawn = {name: _keys(meshes.triangles[meshes.rows == row]) for name, row in PARTS.items()}
    every = person.drawn_skin
    keys = _keys(every)
    parts = {name: every[np.isin(keys, found)] for name, found in drawn.items()}
    parts["beyond"] = every[~np.isin(keys, np.concatenate(list(drawn.values())))]
    return {name: order.fine_rows(triangles) for name, triangles in parts.items()}


def _keys(triangles: Ints) -> NDArray[np.int64]:
    a, b, c = triangles.astype(np.int64).T
    return (a << 40) | (b << 20) | c
