"""The whole way of a frame, with the double in the place of the networks."""

import numpy as np
import pytest
from tests.senses.face.faces import smiling

from heartfelt.errors import InputError, StoreError
from heartfelt.senses.face.align import SIZE
from heartfelt.senses.face.canonical import canonical
from heartfelt.senses.face.double import OneFace
from heartfelt.senses.face.networks import MediaPipeNetworks
from heartfelt.senses.face.sense import FaceSense
from heartfelt.weights import Store

RANDOM = np.random.default_rng(1)
FRAME = RANDOM.integers(1, 255, (480, 640, 3), dtype=np.uint8)
BLACK = np.zeros((480, 640, 3), np.uint8)


def test_a_face_is_found_followed_and_told():
    sense = FaceSense(OneFace())
    first = sense.see(FRAME, 0.0)
    assert first and first.main is first.faces[0]
    later = sense.see(FRAME, 0.1)
    assert later.main is not None and later.main.identity == first.main.identity
    assert later.main.points.shape == (478, 3)
    assert later.main.box.shared(first.main.box) > 0.9
    assert abs(later.main.head.yaw) < 3
    assert sense.summary().note == ""


def test_nobody():
    sense = FaceSense(OneFace())
    seen = sense.see(BLACK, 0.0)
    assert not seen and seen.main is None and seen.faces == ()
    told = sense.summary()
    assert told.cues == () and told.moments == () and "No face" in told.note
    assert FaceSense(OneFace()).summary().note == "No frame was given."


def test_a_smile_over_time_becomes_a_cue():
    networks = OneFace()
    sense = FaceSense(networks)
    for step in range(30):
        sense.see(FRAME, step / 15)
    networks.face = smiling()
    for step in range(30, 60):
        sense.see(FRAME, step / 15)
    (first, *_) = sense.summary().cues
    assert first.text.startswith("smiles")
    assert first.start == pytest.approx(2, abs=0.3)
    assert first.source == "face"


def test_the_expression_network_is_asked_now_and_then():
    shown: list[np.ndarray] = []

    def expression(face: np.ndarray) -> dict[str, float]:
        shown.append(face)
        return {"joy": 0.75, "sadness": 0.25}

    sense = FaceSense(OneFace(), expression=expression)
    seen = [sense.see(FRAME, step / 20) for step in range(40)]
    assert shown[0].shape == (SIZE, SIZE) and shown[0].dtype == np.uint8
    assert 8 <= len(shown) <= 11
    assert seen[0].main is not None and seen[0].main.shares == {"joy": 0.75, "sadness": 0.25}
    assert seen[1].main is not None and seen[1].main.shares is None
    moments = sense.summary().moments
    assert len(moments) == 2
    assert moments[0].shares == pytest.approx({"joy": 0.75, "sadness": 0.25})
    assert moments[0].end == moments[1].start, "a face does not go blank between two looks"
    assert all(0 <= moment.reliability <= 1 for moment in moments)


def test_who_leaves_and_soon_comes_back_is_the_same():
    sense = FaceSense(OneFace())
    first = sense.see(FRAME, 0.0)
    assert not sense.see(BLACK, 0.1)
    assert sense.see(FRAME, 0.5).faces[0].identity == first.faces[0].identity
    assert not sense.see(BLACK, 0.6)
    assert sense.see(FRAME, 9.0).faces[0].identity != first.faces[0].identity


def test_a_rare_face_is_noted():
    sense = FaceSense(OneFace())
    sense.see(FRAME, 0.0)
    for step in range(1, 10):
        sense.see(BLACK, float(step))
    assert "10%" in sense.summary().note


@pytest.mark.parametrize("shape", [(1, 1), (1, 900), (900, 1), (2, 3), (3000, 4000)])
def test_any_size_of_picture(shape: tuple[int, int]):
    sense = FaceSense(OneFace())
    sense.see(np.full((*shape, 3), 120, np.uint8), 0.0)
    sense.see(np.full(shape, 120, np.uint8), 0.1)
    sense.summary()


def test_frames_may_be_views_and_are_left_as_they_were():
    whole = np.repeat(np.repeat(FRAME, 2, axis=0), 2, axis=1)
    view = whole[::2, ::2][:, ::-1]
    before = view.copy()
    assert FaceSense(OneFace()).see(view, 0.0)
    assert (view == before).all()


@pytest.mark.parametrize("time", [-1.0, float("nan"), float("inf")])
def test_times_must_be_times(time: float):
    with pytest.raises(InputError, match="start at 0"):
        FaceSense(OneFace()).see(FRAME, time)


def test_times_must_rise_until_a_reset():
    sense = FaceSense(OneFace())
    sense.see(FRAME, 1.0)
    with pytest.raises(InputError, match="sort them"):
        sense.see(FRAME, 1.0)
    sense.reset()
    assert sense.summary().note == "No frame was given."
    assert sense.see(FRAME, 0.0)


def test_missing_weights_are_named(tmp_path):
    with pytest.raises(StoreError, match="heartfelt models pull face"):
        FaceSense(MediaPipeNetworks(Store(tmp_path))).see(FRAME, 0.0)


def test_the_canonical_face_is_shared_and_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        canonical()[0] = 0
