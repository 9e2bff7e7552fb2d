"""Real pictures of one person, small, as the kernels are the same at any size."""

import numpy as np
import pytest

from heartfelt.errors import InputError
from heartfelt.expression.face import Head, Pose, emotion, look_named
from heartfelt.expression.render import Renderer
from heartfelt.senses.face import MediaPipeNetworks, detect

pytestmark = pytest.mark.embedded


@pytest.fixture(scope="module")
def renderer(head: Head) -> Renderer:
    return Renderer(look_named("maya"), 192, head=head)


def test_a_frame_is_a_picture_and_always_the_same(renderer: Renderer):
    first = renderer.frame(emotion("joy"))
    assert first.shape == (192, 192, 3) and first.dtype == np.uint8
    renderer.frame(Pose(yaw=30, units={"jawOpen": 1}))
    np.testing.assert_array_equal(renderer.frame(emotion("joy")), first)


def test_a_pose_changes_the_face_and_not_the_backdrop(renderer: Renderer):
    rest, open_mouth = renderer.frame(), renderer.frame(Pose(units={"jawOpen": 0.8}))
    assert np.abs(rest.astype(int) - open_mouth).max() > 60
    np.testing.assert_array_equal(rest[:20, :20], open_mouth[:20, :20])


def test_a_face_is_found_where_it_was_drawn(renderer: Renderer):
    found = detect(renderer.frame(), MediaPipeNetworks())
    assert len(found) == 1
    x, y = found[0].box.centre
    assert (x / 192, y / 192) == (pytest.approx(0.5, abs=0.06), pytest.approx(0.46, abs=0.1))


def test_lids_hide_the_eyes_when_they_shut(renderer: Renderer):
    """The eyeballs are drawn, and none of their samples is left once the eyes are shut, also on the way there."""
    person = renderer.person
    for share in (0.5, 0.8, 1.0):
        person.move(Pose(units={"eyeBlinkLeft": share, "eyeBlinkRight": share}))
        lids = person.moving.points[person._lids["Left"]]
        away = np.linalg.norm(lids - person.rig.eye_middles["Left"], axis=1)
        assert away.min() > person.rig.eye_radius


def test_no_vertex_is_lost(renderer: Renderer):
    renderer.frame(Pose(yaw=40, pitch=-20, roll=15, gaze_yaw=30, units={"jawOpen": 1, "mouthPucker": 1}))
    assert np.isfinite(renderer.person.moving.vertices).all()


def test_a_size_that_cannot_be_drawn_is_refused(head: Head):
    with pytest.raises(InputError, match="64 to 2048"):
        Renderer(look_named("maya"), 9, head=head)
