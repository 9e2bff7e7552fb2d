import numpy as np
import pytest

from heartfelt.errors import InputError
from heartfelt.senses.face.frame import checked, grey


def test_a_grey_picture_becomes_rgb():
    picture = np.arange(12, dtype=np.uint8).reshape(3, 4)
    assert (checked(picture) == picture[..., None]).all()
    assert checked(picture[..., None]).shape == (3, 4, 3)


def test_a_view_of_another_array_is_laid_out_anew():
    frame = checked(np.zeros((20, 30, 3), np.uint8)[::2, ::-3])
    assert frame.shape == (10, 10, 3)
    assert frame.flags.c_contiguous


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        (np.zeros((4, 4, 3)), "uint8"),
        (np.zeros((4, 4, 4), np.uint8), "height, width, 3"),
        (np.zeros(4, np.uint8), "height, width, 3"),
        (np.zeros((0, 4, 3), np.uint8), "at least one pixel"),
        ([[1, 2], [3, 4]], "np.asarray"),
    ],
)
def test_what_is_no_frame_is_refused_in_one_sentence(frame: object, words: str):
    with pytest.raises(InputError, match=words) as caught:
        checked(frame)  # pyright: ignore[reportArgumentType]
    assert str(caught.value).count(". ") == 0


def test_grey_weighs_the_colours():
    assert grey(np.array([[[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]]], np.uint8)).tolist() == [[76, 150, 29, 255]]
