"""The real networks on a face in crayon (see `drawing`). What is asserted is what was measured, with room."""

import numpy as np
import pytest
from tests.senses.face.drawing import draw_on, drawn

from cost import seconds
from heartfelt.senses.face.detect import detect
from heartfelt.senses.face.networks import MediaPipeNetworks
from heartfelt.senses.face.sense import FaceSense

pytestmark = pytest.mark.embedded


def test_a_drawn_face_is_found_where_it_is(networks: MediaPipeNetworks):
    seen = FaceSense(networks).see(drawn(x=350, y=220), 0.0)
    (face,) = seen.faces
    x, y = face.box.centre
    assert (x, y) == (pytest.approx(350, abs=15), pytest.approx(220, abs=25))
    assert face.score > 0.9 and face.quality > 0.7
    assert max(abs(face.head.yaw), abs(face.head.pitch), abs(face.head.roll)) < 8
    assert face.closure == (0, 0)


def test_it_looks_to_both_sides(networks: MediaPipeNetworks):
    right, left = (FaceSense(networks).see(drawn(look=look), 0.0).faces[0].gaze.yaw for look in (0.18, -0.18))
    assert right > 12 and left < -12


def test_it_shuts_its_eyes_and_smiles(networks: MediaPipeNetworks):
    assert FaceSense(networks).see(drawn(open_eyes=0.1), 0.0).faces[0].units["AU43"] > 0.5
    plain, smile = (FaceSense(networks).see(drawn(smile=smile), 0.0).faces[0].units["AU12"] for smile in (0, 1))
    assert plain < 0.2 < 0.5 < smile


def test_a_smile_in_a_film_becomes_a_cue(networks: MediaPipeNetworks):
    sense = FaceSense(networks)
    plain, smile = drawn(x=300), drawn(x=300, smile=1.0)
    for step in range(24):
        sense.see(np.roll(smile if step >= 12 else plain, 2 * step, axis=1), step / 10)
    smiles = [cue for cue in sense.summary().cues if cue.text.startswith("smiles")]
    assert smiles and smiles[0].start == pytest.approx(1.2, abs=0.4)


def test_two_faces_and_who_is_meant(networks: MediaPipeNetworks):
    canvas = np.full((480, 640, 3), 90, np.float32)
    draw_on(canvas, x=180, y=240, size=150)
    draw_on(canvas, x=440, y=240, size=240)
    sense = FaceSense(networks)
    first = sense.see(canvas.astype(np.uint8), 0.0)
    assert len(first.faces) == 2
    assert first.main is not None and first.main.box.centre[0] > 320
    assert [face.identity for face in sense.see(canvas.astype(np.uint8), 0.1).faces] == [face.identity for face in first.faces]


def test_a_face_partly_outside_is_trusted_less(networks: MediaPipeNetworks):
    whole = FaceSense(networks).see(drawn(), 0.0).faces[0]
    (part,) = FaceSense(networks).see(drawn(x=50), 0.0).faces
    assert part.box.left < 0
    assert part.quality < 0.8 * whole.quality


@pytest.mark.parametrize(
    "picture",
    [drawn()[..., 1], drawn()[:, ::-1], np.asfortranarray(drawn()), drawn(1500, 2000, x=1000, y=700, size=700)],
    ids=["grey", "mirrored view", "other order", "huge"],
)
def test_any_array_that_holds_a_face(networks: MediaPipeNetworks, picture: np.ndarray):
    assert len(FaceSense(networks).see(picture, 0.0).faces) == 1


@pytest.mark.parametrize(
    "picture",
    [
        np.zeros((480, 640, 3), np.uint8),
        np.full((1, 1, 3), 200, np.uint8),
        np.random.default_rng(0).integers(0, 255, (240, 320, 3), dtype=np.uint8),
        np.full((300, 20, 3), 255, np.uint8),
    ],
    ids=["black", "one pixel", "noise", "white strip"],
)
def test_no_face(networks: MediaPipeNetworks, picture: np.ndarray):
    sense = FaceSense(networks)
    assert not sense.see(picture, 0.0)
    assert "No face" in sense.summary().note


def test_a_small_face_is_found_on_a_closer_look(networks: MediaPipeNetworks):
    picture = drawn(720, 1280, x=1000, y=500, size=70)
    assert detect(picture, networks, closely=True)


def test_it_is_fast_enough_on_one_core(networks: MediaPipeNetworks):
    """Counted in time of the processor, so that other work on the machine does not matter: 47 frames a second were measured."""
    sense = FaceSense(networks)
    picture = drawn(x=300)
    frames = [np.roll(picture, step, axis=1) for step in range(20)]
    sense.see(frames[0], 0.0)
    assert min(seconds(lambda at: sense.see(frames[at], at / 15), step) for step in range(1, 20)) < 0.1
