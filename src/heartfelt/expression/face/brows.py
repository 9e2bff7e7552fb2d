"""Brows and beards: short hairs that hold on to the skin and move with it."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.face.look import Look
from heartfelt.expression.face.piece import halves
from heartfelt.expression.face.stuck import Stuck, stick

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.int32]

_NODES = 4


@dataclass(frozen=True)
class Tuft:
    """Many short hairs of one colour."""

    stuck: Stuck
    triangles: Ints
    numbers: Floats
    nodes: int = _NODES


def brows(look: Look, rest: Floats, triangles: Ints) -> Tuft:
    chance = np.random.default_rng(look.seed + 5)
    count = int(130 + 150 * look.brow_weight)
    paths, heights = [], []
    for side in (1, -1):
        share = chance.random(count) ** 0.9
        x = 0.105 + 0.415 * share
        middle = np.interp(share, (0, 0.25, 0.62, 0.8, 1), (7.432, 7.452, 7.482, 7.476, 7.432))
        thick = (0.013 + 0.030 * look.brow_weight) * np.interp(share, (0, 0.12, 0.5, 1), (0.75, 1.0, 0.85, 0.3))
        across = chance.uniform(-1, 1, count)
        # the first hairs stand up, the later ones lie along the brow; those from above and below meet
        angle = np.interp(share, (0, 0.15, 0.5, 1), (1.25, 0.75, 0.25, -0.25)) - 0.35 * across + chance.normal(0, 0.10, count)
        length = (
            (0.055 + 0.03 * look.brow_weight)
            * np.interp(share, (0, 0.3, 1), (0.9, 1.1, 0.8))
            * chance.uniform(0.75, 1.25, count)
        )
        steps = np.linspace(0, 1, _NODES)[None]
        px = x[:, None] + length[:, None] * steps * np.cos(angle)[:, None]
        py = (middle + across * thick)[:, None] + length[:, None] * steps * np.sin(angle)[:, None]
        paths.append(np.stack([side * px, py], axis=2))
        heights.append(np.broadcast_to(0.006 + 0.010 * np.sin(np.pi * steps * 0.8), px.shape))
    width = 0.0050 + 0.0030 * look.brow_weight
    return _tuft(np.concatenate(paths), np.concatenate(heights), width, rest, triangles, chance)


def beard(look: Look, rest: Floats, triangles: Ints) -> Tuft | None:
    if look.beard not in ("full", "moustache"):
        return None
    chance = np.random.default_rng(look.seed + 6)
    moustache = _moustache(chance, 420)
    roots = np.concatenate([moustache, _jaw(chance, 2600)]) if look.beard == "full" else moustache
    length = np.where(roots[:, 1] > 6.68, 0.085, 0.15) * chance.uniform(0.7, 1.2, len(roots))
    outward = np.where(np.abs(roots[:, 0]) > 0.02, np.sign(roots[:, 0]), 1)
    angle = np.where(roots[:, 1] > 6.68, -0.9 + 0.5 * np.minimum(np.abs(roots[:, 0]) / 0.2, 1), -1.35) + chance.normal(
        0, 0.18, len(roots)
    )
    steps = np.linspace(0, 1, _NODES)[None]
    px = roots[:, :1] + (outward * length * np.cos(angle))[:, None] * steps
    py = roots[:, 1:] + (length * np.sin(angle))[:, None] * steps
    rise = np.where(roots[:, 1] > 6.68, 0.028, 0.065)[:, None] * np.sqrt(steps) * chance.uniform(0.5, 1.2, (len(roots), 1))
    return _tuft(np.stack([px, py], axis=2), 0.004 + rise, 0.021, rest, triangles, chance)


def _moustache(chance: np.random.Generator, count: int) -> Floats:
    x = chance.uniform(-0.29, 0.29, count)
    low = np.interp(np.abs(x), (0, 0.08, 0.2, 0.29), (6.712, 6.722, 6.675, 6.60))
    return np.stack([x, low + chance.random(count) * np.interp(np.abs(x), (0, 0.1, 0.29), (0.075, 0.085, 0.08))], axis=1)


def _jaw(chance: np.random.Generator, count: int) -> Floats:
    x = chance.uniform(-0.68, 0.68, count * 2)
    side = np.abs(x)
    top = np.interp(side, (0, 0.20, 0.28, 0.36, 0.5, 0.6, 0.68), (6.455, 6.48, 6.60, 6.70, 6.80, 6.98, 7.22))
    low = np.interp(side, (0, 0.25, 0.45, 0.6, 0.68), (6.20, 6.24, 6.42, 6.72, 7.0))
    y = low + chance.random(count * 2) * (top - low)
    return np.stack([x, y], axis=1)[:count]


def _tuft(paths: Floats, heights: Floats, width: float, rest: Floats, triangles: Ints, chance: np.random.Generator) -> Tuft:
    hairs = len(paths)
    way = np.gradient(paths, axis=1)
    side = np.stack([-way[..., 1], way[..., 0]], axis=2) / (np.linalg.norm(way, axis=2, keepdims=True) + 1e-9)
    half = width / 2 * np.array([0.8, 1.0, 0.8, 0.12])[None, :, None]
    spots = np.stack([paths - side * half, paths + side * half], axis=2).reshape(-1, 2).astype(np.float32)
    start = np.arange(hairs)[:, None] * _NODES * 2 + np.arange(_NODES - 1)[None] * 2
    quads = np.stack([start, start + 1, start + 3, start + 2], axis=2).reshape(-1, 4).astype(np.int32)
    own = np.repeat(chance.random(hairs), _NODES * 2)
    numbers = np.stack([own, np.tile(np.repeat(np.linspace(0, 1, _NODES), 2), hairs)], axis=1).astype(np.float32)
    stuck = stick(spots, np.repeat(heights.reshape(-1), 2), rest, triangles)
    return Tuft(stuck, halves(quads), numbers)


def ways(points: Floats, nodes: int = _NODES) -> Floats:
    """The way of each hair at its vertices: from its root to its tip."""
    pairs = points.reshape(-1, nodes, 2, 3)
    along = (pairs[:, -1] - pairs[:, 0])[:, None]
    return np.broadcast_to(along, pairs.shape).reshape(-1, 3).astype(np.float32)
