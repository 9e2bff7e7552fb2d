"""Real pictures of one person, small, as the kernels are the same at any size."""

import numpy as np
import pytest

from heartfelt.errors import InputError
from heartfelt.expression.face import Pose, looks
from heartfelt.expression.face.clothes import below
from heartfelt.expression.face.emotions import expression_of
from heartfelt.expression.face.hairstyles import style_of
from heartfelt.expression.face.head import Head
from heartfelt.expression.face.people import look_from, look_named
from heartfelt.expression.face.scalp import grows
from heartfelt.expression.render import Renderer
from heartfelt.expression.render.palette import SKIN
from heartfelt.senses.face.detect import detect
from heartfelt.senses.face.networks import MediaPipeNetworks

from ..people import people

pytestmark = pytest.mark.embedded


@pytest.fixture(scope="module")
def renderer(head: Head) -> Renderer:
    return Renderer(look_named("maya"), 192, head=head)


def test_a_frame_is_a_picture_and_always_the_same(renderer: Renderer):
    first = renderer.frame(expression_of("joy"))
    assert first.shape == (192, 192, 3) and first.dtype == np.uint8
    renderer.frame(Pose(yaw=30, units={"jawOpen": 1}))
    np.testing.assert_array_equal(renderer.frame(expression_of("joy")), first)


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
        lids = person.moving.points[person.lids["Left"]]
        away = np.linalg.norm(lids - person.rig.eye_middles["Left"], axis=1)
        assert away.min() > person.rig.eye_radius


def test_the_same_look_twice_is_the_same_picture(head: Head, renderer: Renderer):
    again = Renderer(look_named("maya"), 192, head=head, threads=1)
    np.testing.assert_array_equal(again.frame(expression_of("joy")), renderer.frame(expression_of("joy")))


def drawn(renderer: Renderer, pose: Pose) -> np.ndarray:
    """The row of the palette that the first sample of each pixel shows; 255 for clothes and backdrop."""
    renderer.frame(pose)
    seen = renderer._buffers[1][:, :, 0]
    return np.where(seen >= 0, renderer.person.moving.rows[np.maximum(seen, 0)], 255)


@pytest.mark.parametrize("name", people(["maya", "yuna", "lucia", "amara", "tom", "omar", "daniel", "ingrid"]))
def test_hair_has_no_holes(head: Head, name: str):
    """From the hairline upwards no skin is seen, however the head is held."""
    renderer = Renderer(look_named(name), 192, head=head)
    person = renderer.person
    scalp = grows(person.atlas.rest, style.line if (style := style_of(look_named(name))) else 0.0) > 0.30
    for yaw, pitch in ((0, 0), (20, 0), (-20, 0), (0, 15), (0, -15)):
        rows = drawn(renderer, Pose(yaw=yaw, pitch=pitch))
        corners = person.moving.triangles[np.maximum(renderer._buffers[1][:, :, 0], 0)]
        bare = (rows == SKIN) & scalp[np.minimum(corners, len(scalp) - 1)].all(2)
        assert bare.sum() <= 2, (name, yaw, pitch)


@pytest.mark.parametrize("name", people([*looks(), *map(str, range(4))]))
def test_clothes_cover_the_shoulders_however_the_head_turns(head: Head, name: str):
    """Skin that is drawn well under the neckline would be a hole in the cloth."""
    person = look_from(int(name)) if name.isdigit() else look_named(name)
    renderer = Renderer(person, 128, head=head)
    under = below(person.clothes, renderer.person.atlas.rest) > 0.05
    for yaw, pitch in ((0, 0), (20, 0), (-20, 0), (0, 15), (0, -15)):
        rows = drawn(renderer, Pose(yaw=yaw, pitch=pitch))
        corners = renderer.person.moving.triangles[np.maximum(renderer._buffers[1][:, :, 0], 0)]
        through = (rows == SKIN) & under[np.minimum(corners, len(under) - 1)].all(2)
        assert not through.any(), (yaw, pitch)


def test_a_turned_head_leaves_the_clothes_where_they_are(renderer: Renderer):
    rest, turned = renderer.frame(), renderer.frame(Pose(yaw=20))
    np.testing.assert_array_equal(rest[-6:, :40], turned[-6:, :40])


def test_no_vertex_is_lost(renderer: Renderer):
    renderer.frame(Pose(yaw=40, pitch=-20, roll=15, gaze_yaw=30, units={"jawOpen": 1, "mouthPucker": 1}))
    assert np.isfinite(renderer.person.moving.vertices).all()


def test_a_size_that_cannot_be_drawn_is_refused(head: Head):
    with pytest.raises(InputError, match="64 to 2048"):
        Renderer(look_named("maya"), 9, head=head)
