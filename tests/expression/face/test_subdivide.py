import numpy as np

from heartfelt.expression.face.subdivide import subdivided

CUBE = np.array([[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]], np.int32)
CORNERS = np.array([[x, y, z] for z in (-1, 1) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))], np.float32)


def test_a_cube_becomes_rounder_and_stays_in_its_middle():
    fine = subdivided(CUBE, 8)
    points = fine.apply(CORNERS)
    assert points.shape == (8 + 12 + 6, 3) and fine.quads.shape == (24, 4)
    np.testing.assert_allclose(points.mean(0), 0, atol=1e-6)
    np.testing.assert_allclose(np.abs(points[:8]), 5 / 9, rtol=1e-5)


def test_weights_of_each_vertex_sum_to_one():
    fine = subdivided(CUBE[:5], 8)  # with a hole
    np.testing.assert_allclose(fine.apply(np.ones(8)), 1, rtol=1e-6)
    assert fine.quads.max() < len(fine.starts) - 1
