import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heartfelt.senses.face.warp import Square, cut


def ramp(height: int, width: int) -> np.ndarray:
    rows, columns = np.mgrid[:height, :width]
    return np.stack([columns, rows, np.full_like(rows, 7)], axis=-1).astype(np.uint8)


def test_the_whole_picture_is_itself():
    picture = ramp(64, 64)
    assert (cut(picture, Square(32, 32, 64), 64) == picture).all()


def test_a_part_is_where_it_was():
    part = cut(ramp(200, 200), Square(100, 60, 40), 40)
    assert part[0, 0].tolist() == [80, 40, 7]
    assert part[-1, -1].tolist() == [119, 79, 7]


def test_a_quarter_turn():
    # Turned clockwise by a quarter, the top of the square lies at the right of the picture.
    part = cut(ramp(100, 100), Square(50, 50, 20, math.pi / 2), 20)
    assert part[0, 10, 0] > part[-1, 10, 0]


def test_shrinking_takes_the_mean():
    stripes = np.zeros((256, 256, 3), np.uint8)
    stripes[:, ::2] = 200
    small = cut(stripes, Square(128, 128, 256), 32)
    assert np.abs(small.astype(int) - 100).max() <= 1


def test_outside_is_black():
    part = cut(np.full((10, 10, 3), 200, np.uint8), Square(0, 0, 20), 20)
    assert (part[:9, :9] == 0).all() and (part[11:, 11:] == 200).all()


@given(
    x=st.floats(-3000, 3000),
    y=st.floats(-3000, 3000),
    side=st.floats(0.1, 9000),
    turn=st.floats(-4, 4),
    height=st.integers(1, 40),
    width=st.integers(1, 40),
)
def test_any_square_of_any_picture_can_be_cut(x: float, y: float, side: float, turn: float, height: int, width: int):
    assert cut(np.full((height, width, 3), 9, np.uint8), Square(x, y, side, turn), 16).shape == (16, 16, 3)


def test_points_go_back_to_where_they_were_cut():
    square = Square(120, 80, 64, 0.5)
    middle = square.placed(np.array([[16, 16, 2]], np.float32), 32)
    assert middle[0].tolist() == pytest.approx([120, 80, 4])
