import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heartfelt.senses.face.detect import Box, Detection, detect, merged
from heartfelt.senses.face.double import OneFace
from heartfelt.senses.face.frame import Frame
from heartfelt.senses.face.networks import Tensors

boxes = st.builds(lambda x, y, w, h: Box(x, y, x + w, y + h), *(st.floats(-100, 100),) * 2, *(st.floats(1, 100),) * 2)


def found(box: Box, score: float = 0.9) -> Detection:
    return Detection(box, (box.left, box.top), (box.right, box.top), score)


@given(boxes, boxes)
def test_what_two_boxes_share_is_a_share(one: Box, other: Box):
    assert 0 <= one.shared(other) <= 1 + 1e-9
    assert one.shared(other) == pytest.approx(other.shared(one))
    assert one.shared(one) == pytest.approx(1)


def test_boxes_of_one_face_become_one():
    same = [found(Box(0, 0, 10, 10), 0.9), found(Box(1, 0, 11, 10), 0.9), found(Box(50, 50, 60, 60), 0.7)]
    first, second = merged(same)
    assert first.box.left == pytest.approx(0.5)
    assert second.box.shared(Box(50, 50, 60, 60)) == pytest.approx(1)
    assert merged([]) == []


def test_the_crop_is_level_with_the_eyes():
    square = Detection(Box(0, 0, 100, 100), (30, 30), (70, 70), 1.0).square
    assert square.turn == pytest.approx(np.pi / 4)
    assert (square.x, square.y, square.side) == (50, 50, 150)


@pytest.mark.parametrize(("height", "width"), [(400, 400), (480, 640), (640, 480), (100, 100)])
def test_the_face_of_the_double_is_where_it_is_shown(height: int, width: int):
    (first, *_) = detect(np.full((height, width, 3), 9, np.uint8), OneFace())
    assert first.box.shared(Box(width / 4, height / 4, 3 * width / 4, 3 * height / 4)) > 0.2


class Counted(OneFace):
    def __init__(self) -> None:
        super().__init__()
        self.looks = 0

    def detect(self, picture: Frame) -> Tensors:
        self.looks += 1
        return super().detect(np.zeros_like(picture))


@pytest.mark.parametrize(
    ("shape", "looks"), [((640, 640), 1 + 9), ((480, 640), 1 + 2 + 3 * 5), ((100, 100), 1), ((9, 9000), 1 + 8)]
)
def test_where_nobody_is_seen_it_looks_closely_but_not_for_ever(shape: tuple[int, int], looks: int):
    networks = Counted()
    assert detect(np.ones((*shape, 3), np.uint8), networks) == []
    assert networks.looks == looks
