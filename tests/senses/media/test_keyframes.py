"""Choosing the few stills that show most of a turn."""

import base64
import io
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from heartfelt.errors import InputError
from heartfelt.senses.media import Picture
from heartfelt.senses.media.keyframes import Keyframes, jpeg
from heartfelt.senses.media.sharpness import sharpness

from .studio import noise, quarters

PIXELS = quarters(32, 24)


def chosen(times, most=4, **measured) -> list[float]:
    """Measurements are functions of the time; what is not given is middling."""
    keyframes = Keyframes(most)
    for time in times:
        values = {"face": 0.8, "sharpness": 100.0, "change": 0.3}
        values |= {name: measure(time) for name, measure in measured.items()}
        keyframes.offer(Picture(time, PIXELS), **values)
    return [picture.time for picture in keyframes.pictures()]


def steps(seconds: float) -> list[float]:
    return [index / 5 for index in range(round(seconds * 5))]


@pytest.mark.parametrize("seconds", [3, 20, 300, 1200])
def test_a_steady_turn_is_covered(seconds):
    times = chosen(steps(seconds), most=5)
    assert len(times) == 5
    assert times[0] < seconds / 5 and times[-1] > seconds * 0.55
    assert min(later - earlier for earlier, later in pairwise(times)) > seconds / 12


def test_frames_with_a_face_win():
    times = chosen(steps(30), face=lambda time: 0.9 if 10 <= time < 20 else 0.0)
    assert all(10 <= time < 20 for time in times)


def test_the_sharpest_of_a_moment_wins():
    times = chosen(steps(20), sharpness=lambda time: 400.0 if round(time * 5) % 5 == 2 else 20.0)
    assert all(round(time * 5) % 5 == 2 for time in times)


def test_they_gather_where_the_expression_changes():
    times = chosen(steps(60), most=4, change=lambda time: 1.0 if 40 <= time <= 44 else 0.0)
    assert sum(39.9 <= time <= 44.1 for time in times) >= 2
    assert any(time < 39 for time in times)


def test_one_keyframe_is_the_best_frame():
    assert chosen(steps(10), most=1, change=lambda time: 1.0 if time == 7.2 else 0.2) == [7.2]


def test_none_and_fewer_than_wished():
    assert chosen(steps(10), most=0) == []
    assert chosen([0.0, 0.2], most=4) == [0.0, 0.2]
    with pytest.raises(InputError):
        Keyframes(-1)


def test_a_measurement_that_failed_counts_as_nothing():
    times = chosen(steps(4), most=1, face=lambda time: 0.5 if time == 2.0 else float("nan"))
    assert times == [2.0]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.floats(0, 1e5), st.floats(), st.floats(), st.floats()), max_size=60),
    st.integers(0, 6),
)
def test_never_more_than_wished_and_in_order(frames, most):
    keyframes = Keyframes(most)
    for time, face, sharp, change in frames:
        keyframes.offer(Picture(time, PIXELS), face=face, sharpness=sharp, change=change)
        assert len(keyframes.pictures()) <= most
    times = [picture.time for picture in keyframes.pictures()]
    assert times == sorted(times)
    assert len(times) == min(most, len(frames))


def test_records_hold_a_jpeg():
    keyframes = Keyframes(1)
    keyframes.offer(Picture(1.5, quarters(80, 60)), face=1, sharpness=1, change=1)
    (record,) = keyframes.records()
    assert (record.time, record.mime) == (1.5, "image/jpeg")
    image = Image.open(io.BytesIO(base64.b64decode(record.data)))
    assert (image.format, image.size) == ("JPEG", (80, 60))
    assert record == jpeg(Picture(1.5, quarters(80, 60)))


def test_sharpness_falls_with_blur():
    sharp = noise(320, 240)
    image = Image.fromarray(sharp)
    values = [
        sharpness(np.asarray(image.resize((320 // n, 240 // n)).resize((320, 240), Image.Resampling.BILINEAR)))
        for n in (1, 2, 4, 8)
    ]
    assert values == sorted(values, reverse=True)
    assert values[0] > 20 * values[-1]


@pytest.mark.parametrize("size", [(1, 1), (2, 50), (1000, 1), (1, 1000), (641, 479), (2000, 2)])
def test_sharpness_of_a_flat_picture_is_nothing(size):
    assert sharpness(np.full((size[1], size[0], 3), 90, np.uint8)) == pytest.approx(0, abs=1e-3)
