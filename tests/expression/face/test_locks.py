"""Locks and single hairs, without the mesh."""

import numpy as np

from heartfelt.expression.face.locks import locks
from heartfelt.expression.face.strays import off_a_sheet, strays


def test_locks_are_low_at_their_borders_and_begin_again():
    some = locks(9, np.random.default_rng(3))
    place = np.linspace(0, 1, 1000, endpoint=False)
    ridge = some.ridge(place)
    assert ridge.min() >= 0 and 0.99 < ridge.max() <= 1
    np.testing.assert_allclose(some.ridge(some.edges[1:-1]), 0, atol=1e-6)
    np.testing.assert_allclose(some.ridge(place + 3), ridge, atol=1e-5)


def test_a_lock_has_one_number_of_its_own():
    some = locks(9, np.random.default_rng(3))
    inside = some.edges[:-1, None] + np.diff(some.edges)[:, None] * np.array([0.1, 0.5, 0.9])
    own = some.own(inside)
    assert (np.ptp(own, axis=1) == 0).all() and len(np.unique(own)) == 9 and np.abs(own).max() <= 1


def test_strays_lift_off_a_sheet_and_come_to_a_point():
    across, down = np.meshgrid(np.linspace(-1, 1, 20), np.linspace(1, 0, 30), indexing="ij")
    sheet = np.stack([across, down, 0 * across], axis=2)
    normals = np.broadcast_to(np.array([0.0, 0.0, 1.0]), sheet.shape)
    chance = np.random.default_rng(5)
    paths, under = off_a_sheet(sheet, normals, 8, chance)
    assert (paths[:, :, 2] > 0).all() and (np.diff(paths[:, :, 2], axis=1) > 0).all()
    piece = strays(paths, under, np.full(8, 0.01), chance)
    both = piece.points.reshape(8, -1, 2, 3)
    width = np.linalg.norm(both[:, :, 0] - both[:, :, 1], axis=2)
    np.testing.assert_allclose(width[:, 0], 0.01, rtol=1e-4)
    assert (width[:, -1] < 0.004).all()
