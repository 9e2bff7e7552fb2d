"""Hollows of a surface, on a sheet with a dent."""

import numpy as np

from heartfelt.expression.face.piece import halves
from heartfelt.expression.render.bake import hollows


def test_a_dent_is_a_hollow_and_a_bump_is_none():
    count = 21
    x, y = np.meshgrid(np.linspace(-1, 1, count), np.linspace(-1, 1, count), indexing="ij")
    dent = np.exp(-((x**2 + y**2) / 0.02))
    corner = (np.arange(count - 1)[:, None] * count + np.arange(count - 1)).ravel()
    quads = np.stack([corner, corner + 1, corner + count + 1, corner + count], axis=1).astype(np.int32)
    up = np.tile(np.array([0, 0, 1], np.float32), (count * count, 1))
    middle = count * count // 2
    for sign, deep in ((-1, True), (1, False)):
        points = np.stack([x, y, sign * 0.1 * dent], axis=2).reshape(-1, 3).astype(np.float32)
        found = hollows(points, up, halves(quads))
        assert (found[middle] > 0.05) == deep and found[count + 1] < 1e-3
