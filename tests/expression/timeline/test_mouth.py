import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heartfelt.expression.timeline.mouth import spoken_mouth
from heartfelt.expression.timeline.visemes import mouth_units, shapes, shapes_of
from heartfelt.expression.voice.spoken import Phone
from heartfelt.expression.voice.symbols import HALF_STRESS, IPA, LONG, MARKS, NUMBERS, SPACE, STRESS

from ..saying import said

SOUNDS = sorted({IPA.get(symbol, symbol) for symbol in NUMBERS} - {*MARKS, STRESS, HALF_STRESS, LONG, SPACE})


def mouth(*sounds: tuple[str, float], rate: int = 50) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    spoken = said(*sounds)
    times = np.arange(round(spoken.seconds * rate)) / rate
    return times, spoken_mouth(spoken.phones, [1.0] * len(spoken.phones), times)


@pytest.mark.parametrize("sound", SOUNDS)
def test_every_sound_of_the_voice_has_a_shape_of_its_own(sound: str):
    assert shapes_of(sound)
    if sound not in ("ə", "ᵊ"):
        assert shapes_of(sound) != (shapes()["schwa"],)


@pytest.mark.parametrize("sound", ["m", "b", "p"])
@pytest.mark.parametrize("seconds", [0.02, 0.05, 0.12])
@pytest.mark.parametrize("shift", [0.0, 0.01, 0.02, 0.03])
def test_lips_shut_in_at_least_one_picture_of_a_film(sound: str, seconds: float, shift: float):
    _, found = mouth(("", 0.2 + shift), ("ɑ", 0.2), (sound, seconds), ("æ", 0.2), rate=25)
    assert found["seal"].max() > 0.99


def test_other_sounds_leave_the_lips_open():
    _, found = mouth(*((sound, 0.1) for sound in SOUNDS if sound not in ("m", "b", "p")))
    assert found["seal"].max() == 0


def test_lips_round_before_a_round_vowel():
    times, tool = mouth(("t", 0.1), ("u", 0.2), ("l", 0.1))
    _, tea = mouth(("t", 0.1), ("i", 0.2), ("l", 0.1))
    in_t = (times > 0.03) & (times < 0.1)
    assert tool["mouthPucker"][in_t].mean() > 3 * tea["mouthPucker"][in_t].mean() + 0.05
    assert tea["mouthStretchLeft"][in_t].mean() > tool["mouthStretchLeft"][in_t].mean() + 0.05


def test_the_mouth_comes_to_rest_after_the_last_sound():
    spoken = said(("ɑ", 0.2), ("m", 0.1))
    times = np.arange(100) / 50
    found = spoken_mouth(spoken.phones, [1.0, 1.0], times)
    for unit, values in found.items():
        assert values[times > 0.9].max() < 0.01, unit


def test_a_loud_sound_opens_wider():
    spoken, times = said(("ɑ", 0.3)), np.arange(15) / 50
    quiet = spoken_mouth(spoken.phones, [0.8], times)["jawOpen"].max()
    assert spoken_mouth(spoken.phones, [1.2], times)["jawOpen"].max() > quiet * 1.3


def test_nothing_said_moves_nothing():
    found = spoken_mouth((), [], np.arange(10) / 50)
    assert set(found) == {*mouth_units(), "seal"}
    assert all(not values.any() for values in found.values())


@given(st.lists(st.tuples(st.sampled_from(["", *SOUNDS]), st.floats(0.01, 0.4)), min_size=1, max_size=30))
def test_units_stay_within_their_limits_and_never_leap(sounds: list[tuple[str, float]]):
    start, phones = 0.0, list[Phone]()
    for symbol, seconds in sounds:
        phones.append(Phone(start=start, end=start + seconds, symbol=symbol))
        start += seconds
    times = np.arange(0, start + 0.5, 0.01)
    for unit, values in spoken_mouth(phones, [1.0] * len(phones), times).items():
        assert values.min() >= 0 and values.max() <= 1, unit
        assert np.abs(np.diff(values)).max() < 0.42, unit


def test_a_block_border_cannot_be_seen():
    sounds = [(SOUNDS[index % len(SOUNDS)], 0.08) for index in range(120)]
    spoken = said(*sounds)
    times = np.arange(round(spoken.seconds * 50)) / 50
    whole = spoken_mouth(spoken.phones, [1.0] * len(sounds), times)
    late = spoken_mouth(spoken.phones, [1.0] * len(sounds), times[100:])
    for unit in whole:
        np.testing.assert_allclose(whole[unit][100:], late[unit], atol=1e-6)
