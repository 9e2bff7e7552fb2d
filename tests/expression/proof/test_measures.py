import numpy as np
import pytest

from heartfelt.errors import InputError
from heartfelt.expression.proof.heard import asked, directions, shifted, voice_carried
from heartfelt.expression.proof.reader import face_carried, seen_as
from heartfelt.expression.proof.step import best_offset
from heartfelt.expression.voice.emotions import manner_of
from heartfelt.expression.voice.manner import Manner
from heartfelt.expression.voice.measure import Measures

REST = Measures(pitch=200, melody=6, rate=13, energy=-20, pauses=0.2, brightness=-12)
SAD = manner_of("sad")


def changed(**changes: float) -> Measures:
    return REST.model_copy(update=changes)


def test_what_was_asked_and_what_was_measured_are_in_the_same_steps():
    wanted = asked(Manner(pitch=-2, range=1 / 1.2, rate=1 / 1.1, energy=-3, brightness=-3), Manner())
    now = changed(pitch=200 * 2 ** (-2 / 12), melody=5, rate=13 / 1.1, energy=-23, brightness=-15)
    assert shifted(now, REST) == pytest.approx(wanted, abs=1e-3)


def test_a_persons_own_way_is_not_counted_as_feeling():
    own = Manner(pitch=-1.6, rate=0.93)
    assert all(step == 0 for step in asked(own, own).values())


def test_a_voice_that_changed_as_it_was_asked_agrees():
    wanted = asked(SAD, Manner())
    assert voice_carried("sad", wanted, {name: 0.6 * step for name, step in wanted.items()}).agrees


def test_a_voice_that_stayed_or_went_the_other_way_is_a_mismatch():
    wanted = asked(SAD, Manner())
    for factor in (0.0, -1.0):
        found = voice_carried("sad", wanted, {name: factor * step for name, step in wanted.items()})
        assert not found.agrees and "does not sound as it was meant to" in found.note


def test_what_is_too_faint_is_not_judged():
    wanted = asked(manner_of("sad", 0.05), Manner())
    assert voice_carried("sad", wanted, dict.fromkeys(wanted, 0.0)).note == "too faint a change to be measured"


def test_only_changes_that_can_be_heard_count():
    assert directions({"pitch": -2.0, "rate": 0.1}, {"pitch": -0.3, "rate": -5.0}) == {"pitch": True}


@pytest.mark.parametrize(
    ("emotion", "intensity", "seen"),
    [
        ("happy", 1.0, "joy"),
        ("sad", 1.0, "sadness"),
        ("anger", 1.0, "anger"),
        ("fear", 1.0, "fear"),
        ("surprise", 1.0, "surprise"),
        ("disgust", 1.0, "disgust"),
        ("neutral", 1.0, "neutral"),
        ("sad", 0.05, "neutral"),
    ],
)
def test_the_classes_of_the_senses(emotion: str, intensity: float, seen: str):
    assert seen_as(emotion, intensity) == seen


def test_a_soft_feeling_has_no_class():
    assert seen_as("caring", 1.0) == ""
    assert face_carried("caring", "", {"neutral": 0.9, "joy": 0.1}).agrees


def test_a_face_that_looks_like_something_else_is_a_mismatch():
    found = face_carried("sad", "sadness", {"neutral": 0.7, "sadness": 0.3})
    assert not found.agrees and found.note == "the face looks like neutral, and sadness was intended"


def test_no_face_is_a_mismatch():
    assert not face_carried("sad", "sadness", {}).agrees


@pytest.mark.parametrize("late", [-12, -4, 0, 3, 15])
def test_an_offset_is_found(late: int):
    chance = np.random.default_rng(0)
    sound = np.convolve(chance.random(600), np.ones(12) / 12, mode="same")
    mouth = np.roll(sound, late) + 0.02 * chance.random(600)
    found = best_offset(mouth, sound)
    assert found.offset == pytest.approx(late / 100, abs=0.011)
    assert found.correlation > 0.8


def test_a_film_that_is_too_short_is_told():
    with pytest.raises(InputError, match="too short"):
        best_offset(np.zeros(50), np.zeros(50))
