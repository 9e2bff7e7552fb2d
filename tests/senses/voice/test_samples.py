import numpy as np
import pytest

from heartfelt.errors import InputError
from heartfelt.senses.voice.samples import checked, decibels


def test_float64_becomes_float32_and_float32_is_not_copied():
    sound = np.zeros(4, np.float32)
    assert checked(sound) is sound
    assert checked(np.zeros(4)).dtype == np.float32


@pytest.mark.parametrize(
    ("sound", "advice"),
    [
        (np.zeros((2, 8), np.float32), "average its channels"),
        (np.zeros(8, np.int16), "divide 16-bit samples by 32768"),
        (np.array([0, np.nan], np.float32), "leave this chunk out"),
        (np.array([0, -np.inf], np.float32), "leave this chunk out"),
        (np.array([0, 20000], np.float32), "divide 16-bit samples by 32768"),
    ],
)
def test_what_is_no_sound_is_refused_with_advice(sound: np.ndarray, advice: str):
    with pytest.raises(InputError, match=advice):
        checked(sound)


def test_full_scale_is_0_and_silence_has_a_bottom():
    assert decibels(np.array([1.0, 0.1, 0.0])) == pytest.approx([0, -10, -100])
