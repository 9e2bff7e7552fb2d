import numpy as np
import pytest

from heartfelt.expression.proof.build import build_of, drift, nearest


def face(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(478, 3)) * 3


def test_a_build_knows_neither_size_nor_place():
    points = face(0)
    np.testing.assert_allclose(build_of(points), build_of(points * 2.5 + np.array([1.0, -2.0, 3.0])))


def test_people_are_told_apart_and_one_person_is_not():
    chance = np.random.default_rng(1)
    groups = {str(who): [build_of(face(who) + chance.normal(0, 0.01, (478, 3))) for _ in range(5)] for who in range(4)}
    found = drift(groups)
    assert found.same < found.different / 10
    assert found.same <= found.same_highest < found.different_lowest <= found.different
    assert nearest(groups) == 1.0


def test_the_same_build_for_all_is_nobodys():
    same = [build_of(face(0))] * 3
    assert drift({"a": same, "b": same}).different == pytest.approx(0)


def test_nothing_has_no_drift():
    assert drift({}).same == 0 and nearest({}) == 0
