from itertools import combinations, pairwise
from math import dist, hypot

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from heartfelt.agents.plan import TONES
from heartfelt.errors import InputError, UnknownName
from heartfelt.expression.face import Pose
from heartfelt.expression.face.emotions import Dynamics, anchors, dynamics_of, expression_of, labels, tones
from heartfelt.expression.face.names import UNITS
from heartfelt.expression.face.pose import settled
from heartfelt.expression.voice.emotions import labels as voice_labels
from heartfelt.expression.voice.emotions import tones as voice_tones
from heartfelt.labels import LABEL_SETS
from heartfelt.labels.maps import is_emotion_set
from heartfelt.labels.sets import COARSE, ED32, MEAD

ANGLES = ("yaw", "pitch", "roll", "gaze_yaw", "gaze_pitch")
EVERY = [name for each in LABEL_SETS.values() if is_emotion_set(each) for name in (*each.labels, *dict(each.aliases))]
BASIC = ("happy", "sad", "anger", "fear", "surprise", "disgust", "contempt")
emotions = st.sampled_from(sorted({*labels(), *anchors()}))
maybe_tones = st.sampled_from(["", *sorted(tones())])


def place(pose: Pose) -> list[float]:
    """A pose as a point: its units after their rules, and 15 degrees as one."""
    return [*settled(pose).values(), *(getattr(pose, angle) / 15 for angle in ANGLES)]


REST = place(Pose())


@pytest.mark.parametrize("name", sorted(set(EVERY)))
def test_every_label_of_every_set_has_a_face(name: str):
    assert (place(expression_of(name)) == REST) == (name in ("neutral", "neu"))
    assert isinstance(dynamics_of(name), Dynamics)


def test_voice_and_face_know_the_same_labels_and_tones():
    assert set(labels()) == set(voice_labels()) == {*ED32.labels, *COARSE.labels}
    assert set(tones()) == set(voice_tones()) >= set(TONES)


def test_no_two_feelings_look_the_same_and_none_like_rest():
    places = {label: place(expression_of(label)) for label in ED32.labels}
    nearest = min((dist(places[one], places[other]), one, other) for one, other in combinations(places, 2))
    assert nearest[0] > 0.3, nearest
    assert min(dist(each, REST) for each in places.values()) > 0.5


def test_the_basic_feelings_are_far_apart():
    places = {label: place(expression_of(label)) for label in BASIC}
    assert min(dist(places[one], places[other]) for one, other in combinations(places, 2)) > 1.2


@pytest.mark.parametrize(
    ("one", "near", "far"),
    [
        ("afraid", "terrified", "content"),
        ("angry", "furious", "afraid"),
        ("annoyed", "angry", "joyful"),
        ("excited", "joyful", "lonely"),
        ("lonely", "sad", "proud"),
        ("caring", "trusting", "angry"),
        ("ashamed", "guilty", "confident"),
        ("grateful", "sentimental", "furious"),
        ("impressed", "surprised", "devastated"),
        ("anxious", "apprehensive", "content"),
    ],
)
def test_near_feelings_look_near(one: str, near: str, far: str):
    here = place(expression_of(one))
    assert dist(here, place(expression_of(near))) < dist(here, place(expression_of(far)))


def test_the_mixtures_are_of_anchors_and_leave_room_for_rest():
    for mixture in labels().values():
        assert set(mixture) <= set(anchors())
        assert sum(mixture.values()) <= 1.0 + 1e-9


@pytest.mark.parametrize("name", sorted(set(anchors()) & {*labels(), *EVERY}))
def test_an_anchor_that_is_a_label_too_is_one_face(name: str):
    asked, anchor = expression_of(name), anchors()[name]
    assert asked.units == pytest.approx({unit: amount for unit, amount in anchor.items() if unit in UNITS}, abs=1e-3)


def test_anchors_can_be_asked_for_by_name():
    assert expression_of("concern", 0.5).units["browInnerUp"] == pytest.approx(
        anchors()["concern"]["browInnerUp"] / 2, abs=1e-3
    )
    assert dynamics_of("listening").nods > dynamics_of("neutral").nods


@settings(deadline=None)
@given(emotions, st.floats(0, 1), maybe_tones)
def test_any_emotion_at_any_intensity_in_any_tone_stays_human(name: str, intensity: float, tone: str):
    pose = expression_of(name, intensity, tone)
    assert set(pose.units) <= set(UNITS)
    assert all(0 <= amount <= 1 for amount in pose.units.values())
    assert abs(pose.yaw) <= 15 and abs(pose.pitch) <= 15 and abs(pose.roll) <= 12
    assert abs(pose.gaze_yaw) <= 15 and abs(pose.gaze_pitch) <= 15
    assert max(settled(pose)["eyeBlinkLeft"], settled(pose)["eyeBlinkRight"]) < 0.5
    moves = dynamics_of(name, intensity, tone)
    assert 0.15 <= moves.onset <= moves.decay <= 6
    assert 6 <= moves.blinks <= 45


def test_intensity_goes_from_rest_without_a_jump():
    for name in ED32.labels:
        assert place(expression_of(name, 0.0)) == pytest.approx(REST)
        assert dynamics_of(name, 0.0) == dynamics_of("neutral")
        steps = [place(expression_of(name, step / 50)) for step in range(51)]
        assert max(dist(one, other) for one, other in pairwise(steps)) < 0.12


def test_intensity_goes_evenly():
    whole, half = expression_of("sad"), expression_of("sad", 0.5)
    assert half.units == pytest.approx({unit: amount / 2 for unit, amount in whole.units.items()}, abs=1e-3)
    assert half.pitch == pytest.approx(whole.pitch / 2)


def test_the_muscles_are_those_of_the_literature():
    joy, sad, anger, fear, surprise, disgust, contempt = (expression_of(label).units for label in BASIC)
    assert joy["mouthSmileLeft"] > 0.8 and joy["cheekSquintLeft"] > 0.3
    assert sad["browInnerUp"] > 0.8 and sad["mouthFrownLeft"] > 0.5
    assert anger["browDownLeft"] > 0.8 and anger["eyeSquintLeft"] > 0.2 and "browInnerUp" not in anger
    assert fear["browInnerUp"] > 0.8 and fear["eyeWideLeft"] > 0.8 and fear["mouthStretchLeft"] > 0.5
    assert surprise["browOuterUpLeft"] > 0.8 and surprise["jawOpen"] > 0.5 and "browDownLeft" not in surprise
    assert disgust["noseSneerLeft"] > 0.8 and disgust["mouthUpperUpLeft"] > 0.5
    assert contempt["mouthDimpleLeft"] > 0.5 and "mouthDimpleRight" not in contempt


def test_the_left_side_leads_and_the_lids_go_together():
    joy, fear = expression_of("joy").units, expression_of("fear").units
    assert 0.9 * joy["mouthSmileLeft"] < joy["mouthSmileRight"] < joy["mouthSmileLeft"]
    assert fear["eyeWideLeft"] == fear["eyeWideRight"]


def test_every_tone_nudges_and_none_takes_over():
    for tone in tones():
        assert 0.05 < dist(place(expression_of("neutral", 1.0, tone)), REST) < 0.5
        assert dynamics_of("sad", 0.5, tone) != dynamics_of("sad", 0.5)
    assert expression_of("sad", 0.5, "gentle").roll > expression_of("sad", 0.5).roll
    assert hypot(*place(expression_of("neutral", 0.3, "warm"))) == hypot(*place(expression_of("sad", 0.0, "warm")))


def test_a_tone_can_take_away():
    assert expression_of("surprised", 0.5, "calm").units["eyeWideLeft"] < expression_of("surprised", 0.5).units["eyeWideLeft"]


def test_the_dynamics_are_those_of_the_literature():
    assert dynamics_of("surprised").onset < dynamics_of("happy").onset < dynamics_of("sad").onset
    assert dynamics_of("surprised").decay < dynamics_of("happy").decay < dynamics_of("sad").decay
    assert dynamics_of("happy").speaking > 0.7 > 0.6 > dynamics_of("surprised").speaking
    assert dynamics_of("ashamed").meets < dynamics_of("sad").meets < dynamics_of("neutral").meets < dynamics_of("angry").meets
    assert dynamics_of("ashamed").away_pitch < -10 and dynamics_of("nostalgic").away_pitch > 0
    assert dynamics_of("anxious").blinks > dynamics_of("neutral").blinks > dynamics_of("content").blinks
    assert dynamics_of("sad").liveliness < 1 < dynamics_of("excited").liveliness


def test_the_eight_faces_of_a_delivery_are_all_there():
    faces = [place(expression_of(label)) for label in MEAD.labels]
    assert min(dist(one, other) for one, other in combinations(faces, 2)) > 1.0


def test_free_words_are_read():
    assert expression_of("heartbroken") == expression_of("devastated")


def test_what_is_unknown_is_named():
    for asked in (expression_of, dynamics_of):
        with pytest.raises(UnknownName, match="no emotion 'blorp'"):
            asked("blorp")
        with pytest.raises(UnknownName, match="no tone 'shouty'"):
            asked("sad", tone="shouty")
        for intensity in (-0.1, 1.1, float("nan")):
            with pytest.raises(InputError, match="from 0"):
                asked("sad", intensity)


def test_dynamics_have_limits():
    known = dynamics_of("neutral").model_dump()
    with pytest.raises(ValidationError):
        Dynamics(**known | {"blinks": 200})
