"""Eyeballs: the front of a ball, and the fibres of an iris."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.int32]

_RINGS, _SPOKES = 20, 40


def ball() -> tuple[Floats, Ints]:
    """Places on a ball of radius 1 and its quads, from the pole in front to a little behind the middle."""
    angle = np.linspace(0.0, np.radians(105), _RINGS)
    turn = np.arange(_SPOKES) / _SPOKES * 2 * np.pi
    ring = np.sin(np.maximum(angle, 1e-3))
    x, y = np.outer(ring, np.cos(turn)), np.outer(ring, np.sin(turn))
    z = np.cos(angle)[:, None].repeat(_SPOKES, axis=1)
    row, column = np.meshgrid(np.arange(_RINGS - 1), np.arange(_SPOKES), indexing="ij")
    following = (column + 1) % _SPOKES
    quads = np.stack([row, row + 1, row + 1, row], 2) * _SPOKES + np.stack([column, column, following, following], 2)
    return np.stack([x, y, z], axis=2).reshape(-1, 3).astype(np.float32), quads.reshape(-1, 4).astype(np.int32)


def fibres(seed: int) -> Floats:
    """Light and dark of an iris, from its middle (first row) to its rim, all round (columns)."""
    chance = np.random.default_rng(seed)
    picture = np.zeros((32, 256))
    for count, strength in ((16, 0.25), (48, 0.4), (110, 0.35)):
        spokes = chance.random(count)
        along = np.interp(np.linspace(0, count, 256, endpoint=False), np.arange(count + 1), np.append(spokes, spokes[0]))
        wave = 0.75 + 0.25 * np.sin(np.linspace(0, 5, 32) + chance.random() * 6)[:, None]
        picture += strength * along * wave
    return np.clip(picture, 0, 1).astype(np.float32)
