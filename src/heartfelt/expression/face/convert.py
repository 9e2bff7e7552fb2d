"""Makes one compact file of the pinned head: what a portrait needs of the mesh, its shapes and its 52 face units.

The source is a whole body with helpers; kept are the skin from the chest up, the teeth, the tongue, and the places of the
joints. Shapes are kept as half floats: their unit is a decimetre, so that the rounding is finer than a hair.
"""

import gzip
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.face.names import AGES, ANCESTRIES, GENDERS, JOINTS, PARTS, PROPORTIONS, UNITS

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.int32]
Find = Callable[[str], Path]

_GROUPS = {
    "body": "skin",
    "helper-upper-teeth": "upper teeth",
    "helper-lower-teeth": "lower teeth",
    "helper-tongue": "tongue",
    "helper-l-eyelashes-1": "left lashes",
    "helper-l-eyelashes-2": "left lashes",
    "helper-r-eyelashes-1": "right lashes",
    "helper-r-eyelashes-2": "right lashes",
}
# The lowest point that is kept, in decimetres above the middle of the body, and the farthest to a side.
_LOWEST, _WIDEST = 3.2, 2.9


def write_head(find: Find, target: Path) -> None:
    """Read the members that `find` names by their file names, and write the head to `target`."""
    points, quads, groups = _read_mesh(find("base.obj"))
    kept_quads, parts = _portrait(points, quads, groups)
    kept, inverse = np.unique(kept_quads, return_inverse=True)
    cubes = [np.unique(quads[groups == f"joint-{joint}"]) for joint in JOINTS]
    for eye in ("l", "r"):
        ball = np.unique(quads[groups == f"helper-{eye}-eye"])
        cubes.append(ball[[points[ball, 2].argmax()]])

    def reduced(dense: Floats) -> Floats:
        """The kept vertices, then one point for each joint (the middle of its cube) and the fronts of the eyes."""
        return np.concatenate([dense[kept], np.stack([dense[cube].mean(0) for cube in cubes])])

    def shape(*names: str) -> Floats:
        dense = np.zeros_like(points)
        for name in names:
            dense += _read_target(find(name), len(points))
        return reduced(dense)

    macro = np.stack([shape(name) for name in macro_names()])
    _save(
        target,
        points=reduced(points),
        quads=inverse.reshape(-1, 4).astype(np.int16),
        parts=parts.astype(np.int8),
        macro=macro.astype(np.float16),
        **_sparse("unit", (shape(f"{unit}.target") for unit in UNITS)),
        **_sparse("less", (shape(*files[0]) for files in PROPORTIONS.values())),
        **_sparse("more", (shape(*files[1]) for files in PROPORTIONS.values())),
    )


def macro_names() -> list[str]:
    """The files of the body's grand lines, in the order of the axes ancestry, gender, age."""
    return [f"{one}-{two}-{three}.target.gz" for one in ANCESTRIES for two in GENDERS for three in AGES]


def _save(target: Path, **arrays: NDArray[np.generic]) -> None:
    with target.open("wb") as stream:
        np.savez_compressed(stream, **arrays)  # pyright: ignore[reportArgumentType]


def _portrait(points: Floats, quads: Ints, groups: NDArray[np.str_]) -> tuple[Ints, Ints]:
    corners = points[quads]
    inside = (corners[:, :, 1].min(1) > _LOWEST) & (np.abs(corners[:, :, 0]).max(1) < _WIDEST)
    chosen = [(quads[(groups == group) & inside], PARTS.index(part)) for group, part in _GROUPS.items()]
    return np.concatenate([rows for rows, _ in chosen]), np.repeat([part for _, part in chosen], [len(r) for r, _ in chosen])


def _sparse(name: str, shapes: Iterable[Floats]) -> dict[str, NDArray[np.generic]]:
    """Several shapes in three arrays: where each starts, which vertices it moves, and how far."""
    starts, index, delta = [0], [], []
    for shape in shapes:
        moved = np.flatnonzero(np.abs(shape).max(1) > 0)
        index.append(moved.astype(np.int16))
        delta.append(shape[moved].astype(np.float16))
        starts.append(starts[-1] + len(moved))
    return {
        f"{name}_starts": np.array(starts, np.int32),
        f"{name}_index": np.concatenate(index),
        f"{name}_delta": np.concatenate(delta),
    }


def _read_mesh(path: Path) -> tuple[Floats, Ints, NDArray[np.str_]]:
    points: list[list[float]] = []
    quads: list[list[int]] = []
    groups: list[str] = []
    group = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        kind, *rest = line.split() or [""]
        if kind == "v":
            points.append([float(number) for number in rest[:3]])
        elif kind == "g":
            group = rest[0]
        elif kind == "f":
            quads.append([int(corner.split("/")[0]) - 1 for corner in rest])
            groups.append(group)
    return np.array(points, np.float32), np.array(quads, np.int32), np.array(groups)


def _read_target(path: Path, count: int) -> Floats:
    """A shape's shifts of all vertices, from lines such as «12 .01 -.2 0»."""
    raw = path.read_bytes()
    text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8")
    rows = [line.split() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    shifts = np.zeros((count, 3), np.float32)
    if rows:
        numbers = np.array(rows, np.float64)
        shifts[numbers[:, 0].astype(np.int64)] = numbers[:, 1:4]
    return shifts
