"""The picture of a sound: what is heard in it, and what is not."""

import numpy as np
import pytest

from heartfelt.errors import InputError
from heartfelt.tuning.senses import features as f


def hum(hertz: float, seconds: float = 1.5) -> f.Floats:
    return (0.1 * np.sin(2 * np.pi * hertz * np.arange(int(seconds * f.RATE)) / f.RATE)).astype(np.float32)


def test_a_tone_lies_in_the_band_of_its_height():
    loudest = [int(f.features(hum(hertz)).mean(1).argmax()) for hertz in (200, 800, 3200)]
    assert loudest == sorted(loudest) and loudest[0] < 12 and 40 < loudest[2] < 48


def test_frames_come_in_the_number_that_the_network_wants_and_a_short_sound_is_repeated():
    for seconds in (0.06, 0.3, 1.0, 2.33):
        frames = f.features(hum(300, seconds)).shape[1]
        assert frames % f.STEP == 0 and frames >= f.FEWEST


def test_loudness_and_the_kind_of_number_change_nothing():
    quiet = f.features(hum(300) * 0.05)
    assert np.allclose(quiet, f.features(hum(300)), atol=1e-3)
    whole = (hum(300) * 32_768).astype(np.int16)
    assert np.abs(f.features(whole) - f.features(hum(300))).mean() < 0.3


def test_silence_around_speech_is_cut_off():
    speech = hum(300, 1.0)
    padded = np.concatenate([np.zeros(8_000, np.float32), speech, np.zeros(12_000, np.float32)])
    assert len(speech) <= len(f.spoken(padded)) < len(speech) + 2.5 * f.MARGIN * f.HOP


def test_cutting_twice_cuts_no_more():
    padded = np.concatenate([np.zeros(8_000, np.float32), hum(300, 1.0), np.zeros(12_000, np.float32)])
    once = f.spoken(padded)
    assert abs(len(f.spoken(once)) - len(once)) <= 2 * f.HOP


@pytest.mark.parametrize(
    ("wave", "words"),
    [
        (np.zeros((2, 9_000), np.float32), "mono"),
        (np.ones(100, np.float32), "at least 800"),
        (np.full(9_000, np.nan, np.float32), "decode it again"),
        (np.zeros(9_000, np.float32), "silent"),
    ],
    ids=["stereo", "short", "not numbers", "silent"],
)
def test_a_sound_that_says_nothing_is_refused(wave: f.Floats, words: str):
    with pytest.raises(InputError, match=words):
        f.features(wave)
