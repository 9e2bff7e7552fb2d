import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.senses.face.faces import (
    HEIGHT,
    INNER_BROWS,
    LOWER_LIDS,
    OUTER_BROWS,
    UPPER_LIDS,
    WIDTH,
    frowning,
    moved,
    seen,
    shut,
    smiling,
)

from heartfelt.senses.face.canonical import canonical
from heartfelt.senses.face.pose import head_pose
from heartfelt.senses.face.shape import shape
from heartfelt.senses.face.units import NAMES, closure, generic_neutral, units

REST = shape(canonical())
# The canonical mouth is ajar; many units need it closed.
CLOSED = moved({(14, 17, 84, 314, 87, 317): (0, 0.5)})


def test_a_face_at_rest_does_nothing():
    assert set(units(REST, REST).values()) == {0.0}
    assert set(units(generic_neutral(), generic_neutral())) == set(NAMES)


@pytest.mark.parametrize(
    ("unit", "face", "rest"),
    [
        ("AU1", moved({INNER_BROWS: (0, 0.5)}), canonical()),
        ("AU2", moved({OUTER_BROWS: (0, 0.5)}), canonical()),
        ("AU4", frowning(), canonical()),
        ("AU5", moved({UPPER_LIDS: (0, 0.2)}), canonical()),
        ("AU6", smiling(), canonical()),
        ("AU7", moved({LOWER_LIDS: (0, 0.15)}), canonical()),
        ("AU9", moved({(129, 358, 98, 327): (0, 0.3), INNER_BROWS: (0, -0.2)}), canonical()),
        ("AU10", moved({(0, 37, 267): (0, 0.4)}), canonical()),
        ("AU12", smiling(), canonical()),
        ("AU14", moved({(61,): (0, 0.3)}, CLOSED), CLOSED),
        ("AU15", moved({(61, 291): (0, -0.3)}), canonical()),
        ("AU17", moved({(17, 84, 314): (0, 0.35)}, CLOSED), CLOSED),
        ("AU20", moved({(61, 291): (0.5, 0)}), canonical()),
        ("AU23", moved({(0, 37, 267): (0, -0.3), (17, 84, 314): (0, 0.25), (61, 291): (-0.2, 0)}, CLOSED), CLOSED),
        ("AU24", moved({(0, 37, 267): (0, -0.3), (17, 84, 314): (0, 0.25)}, CLOSED), CLOSED),
        ("AU25", moved({(14, 17): (0, -0.4)}), canonical()),
        ("AU26", moved({(14, 17, 152): (0, -1.2)}), canonical()),
        ("AU43", shut(), canonical()),
    ],
)
def test_each_movement_drives_its_own_unit(unit: str, face: np.ndarray, rest: np.ndarray):
    found = units(shape(face), shape(rest))
    assert found[unit] > 0.4


@pytest.mark.parametrize("unit", ["AU1", "AU4", "AU15", "AU20", "AU24", "AU9", "AU43"])
def test_a_smile_is_nothing_else(unit: str):
    assert units(shape(smiling()), REST)[unit] < 0.3


@pytest.mark.parametrize(("yaw", "pitch", "roll"), [(20, 0, 0), (0, 12, 0), (0, -12, 0), (0, 0, 30), (-15, 8, -15)])
def test_turning_the_head_is_no_expression(yaw: float, pitch: float, roll: float):
    def measured(face: np.ndarray) -> dict[str, float]:
        points = seen(face, yaw=yaw, pitch=pitch, roll=roll)
        return units(shape(head_pose(points, WIDTH, HEIGHT).normalised(points)), REST)

    assert max(measured(canonical()).values()) < 0.25
    assert measured(smiling())["AU12"] > 0.6


def test_each_eye_shuts_for_itself():
    face = np.array(canonical())
    for upper, lower in ((160, 144), (159, 145), (158, 153)):
        face[[upper, lower], 1] = face[[upper, lower], 1].mean()
    right, left = closure(shape(face), REST)
    assert right == 1 and left == 0
    assert units(shape(face), REST)["AU43"] == 0  # a wink


@given(st.integers(0, 2**32 - 1), st.floats(0, 50))
def test_whatever_the_points_intensities_stay_in_bounds(seed: int, spread: float):
    points = np.random.default_rng(seed).normal(size=(478, 3)).astype(np.float32) * np.float32(spread)
    found = units(shape(points), generic_neutral())
    assert all(0 <= value <= 1 for value in found.values())
