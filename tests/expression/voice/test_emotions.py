from itertools import combinations
from math import dist, hypot

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from heartfelt.agents.plan import TONES
from heartfelt.errors import InputError, UnknownName
from heartfelt.expression.voice.emotions import anchors, labels, manner_of, tones
from heartfelt.expression.voice.manner import NEUTRAL, Manner
from heartfelt.labels import LABEL_SETS
from heartfelt.labels.maps import is_emotion_set
from heartfelt.labels.sets import COARSE, ED32

EVERY = [name for each in LABEL_SETS.values() if is_emotion_set(each) for name in (*each.labels, *dict(each.aliases))]


@pytest.mark.parametrize("emotion", sorted(set(EVERY)))
def test_every_label_of_every_set_has_a_manner(emotion: str):
    assert (manner_of(emotion) == NEUTRAL) == (emotion in ("neutral", "neu"))


def test_no_two_feelings_sound_the_same_and_none_like_rest():
    steps = {label: manner_of(label).steps for label in ED32.labels}
    nearest = min((dist(steps[one], steps[other]), one, other) for one, other in combinations(steps, 2))
    assert nearest[0] > 0.8, nearest
    assert min(hypot(*each) for each in steps.values()) > 0.9


def test_the_mixtures_are_of_anchors_and_leave_room_for_rest():
    assert set(labels()) == {*ED32.labels, *COARSE.labels}
    for mixture in labels().values():
        assert set(mixture) <= set(anchors())
        assert sum(mixture.values()) <= 1.0 + 1e-9


@settings(deadline=None)
@given(st.sampled_from(sorted(labels())), st.floats(0, 1), st.sampled_from(["", *sorted(tones())]))
def test_any_emotion_at_any_intensity_in_any_tone_stays_natural(emotion: str, intensity: float, tone: str):
    manner = manner_of(emotion, intensity, tone)
    assert -4 <= manner.pitch <= 4
    assert 0.8 <= manner.rate <= 1.2


def test_intensity_goes_evenly_from_rest():
    whole, half = manner_of("sad"), manner_of("sad", 0.5)
    assert manner_of("sad", 0.0) == NEUTRAL
    assert half.steps == pytest.approx([step / 2 for step in whole.steps], abs=0.01)


def test_the_directions_are_those_of_the_literature():
    sad, furious, joyful, terrified = (manner_of(label) for label in ("sad", "furious", "joyful", "terrified"))
    assert sad.pitch < 0 and sad.range < 1 and sad.rate < 1 and sad.energy < 0 and sad.brightness < 0
    assert furious.pitch > 0 and furious.range > 1 and furious.rate > 1 and furious.energy > 0 and furious.brightness > 0
    assert joyful.pitch > 0 and joyful.range > 1 and joyful.rate > 1 and joyful.energy > 0
    assert terrified.pitch > 0 and terrified.range < 1 and terrified.rate > 1 and terrified.tremor > 0


def test_every_tone_of_a_plan_nudges_and_none_shouts():
    assert set(TONES) <= set(tones())
    assert all(0 < hypot(*tones()[tone].steps) < 2 for tone in tones())
    assert manner_of("neutral", 1.0, "gentle") == tones()["gentle"]
    assert manner_of("sad", 0.5, "bright").pitch > manner_of("sad", 0.5).pitch


def test_free_words_are_read():
    assert manner_of("heartbroken") == manner_of("devastated")


def test_what_is_unknown_is_named():
    with pytest.raises(UnknownName, match="no emotion 'blorp'"):
        manner_of("blorp")
    with pytest.raises(UnknownName, match="no tone 'shouty'"):
        manner_of("sad", tone="shouty")
    for intensity in (-0.1, 1.1, float("nan")):
        with pytest.raises(InputError, match="from 0"):
            manner_of("sad", intensity)


def test_a_manner_has_limits():
    with pytest.raises(ValidationError):
        Manner(pitch=9)
    assert Manner.of_steps([99] * 7).pitch == 4
    assert Manner.of_steps(Manner(pitch=2, range=1.3, tremor=0.2).steps) == Manner(pitch=2, range=1.3, tremor=0.2)
