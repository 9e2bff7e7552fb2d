"""What the mesh must keep to whatever a pose asks of it."""

import numpy as np
import pytest

from heartfelt.expression.face import Pose, looks
from heartfelt.expression.face.emotions import anchors, expression_of
from heartfelt.expression.face.head import Head
from heartfelt.expression.face.look import Ancestry, Look
from heartfelt.expression.face.names import UNITS
from heartfelt.expression.face.people import look_from
from heartfelt.expression.face.rig import Rig
from heartfelt.expression.face.shape import bare, shaped

pytestmark = pytest.mark.embedded

SOMEBODY = Look(gender=0.2, ancestry=Ancestry(caucasian=0.6, asian=0.4))


@pytest.fixture(scope="module")
def rig(head: Head) -> Rig:
    return Rig(head, SOMEBODY)


def skin_rows(head: Head) -> np.ndarray:
    return np.unique(head.quads[head.of_part("skin")])


def lips(head: Head) -> tuple[np.ndarray, np.ndarray]:
    """Rows at the middle of the slit: of the upper lip, which the jaw leaves, and of the lower, which goes with it."""
    rows = skin_rows(head)
    x, y, z = head.points[rows].T
    rows = rows[(np.abs(x) < 0.06) & (y > 6.56) & (y < 6.65) & (z > 1.5)]
    drop = np.zeros(len(head.points))
    drop[head.units["jawOpen"].index] = head.units["jawOpen"].delta[:, 1]
    return rows[drop[rows] > -0.1], rows[drop[rows] < -0.15]


def gap(head: Head, rig: Rig, units: dict[str, float]) -> float:
    upper, lower = lips(head)
    points = rig.move(Pose(units=units)).points
    return float(points[upper, 1].min() - points[lower, 1].max())


def test_at_rest_nothing_moves(head: Head, rig: Rig):
    moved = rig.move(Pose(units=dict.fromkeys(UNITS, 0.0)))
    still = np.abs(moved.points - shaped(head, SOMEBODY)).max(1)
    assert still.max() < 0.03, "only the lips are drawn together"
    assert (still > 0).mean() < 0.1
    np.testing.assert_array_equal(moved.turn, 0)
    np.testing.assert_array_equal(moved.eyes["Left"], np.eye(3))


@pytest.mark.parametrize("unit", ["eyeBlink", "mouthSmile", "browDown", "noseSneer", "mouthFrown", "eyeWide"])
def test_left_and_right_mirror_each_other(head: Head, rig: Rig, unit: str):
    def shift(side: str) -> np.ndarray:
        delta = np.zeros_like(head.points)
        delta[head.units[f"{unit}{side}"].index] = head.units[f"{unit}{side}"].delta
        return delta

    left, right = shift("Left"), shift("Right")
    assert np.abs(left).sum() == pytest.approx(np.abs(right).sum(), rel=0.1)
    weight = np.abs(left).sum(1)
    assert (weight * head.points[:, 0]).sum() / weight.sum() > 0.1, "the person's left is at positive x"


@pytest.mark.parametrize("opened", [0.15, 0.4, 1.0])
def test_lips_meet_when_the_jaw_is_open_and_the_mouth_closed(head: Head, rig: Rig, opened: float):
    assert gap(head, rig, {"jawOpen": opened}) > 0.15 * opened
    assert gap(head, rig, {"jawOpen": opened, "mouthClose": 1.0}) < 0.012


def test_lips_meet_for_a_p_whatever_else_the_mouth_does(head: Head, rig: Rig):
    others = {
        "mouthFunnel": 0.4,
        "mouthUpperUpLeft": 0.5,
        "mouthUpperUpRight": 0.5,
        "mouthLowerDownLeft": 0.5,
        "tongueOut": 0.3,
    }
    assert gap(head, rig, {"jawOpen": 0.2, "mouthClose": 0.2, **others}) < 0.015


CLOSED: dict[str, dict[str, float]] = {
    "at rest": {},
    "m": {"jawOpen": 0.12, "mouthClose": 0.12, "mouthPressLeft": 0.35, "mouthPressRight": 0.35},
    "rolled in": {"mouthRollLower": 0.6, "mouthRollUpper": 0.5},
    "p with a smile": {"jawOpen": 0.2, "mouthClose": 0.2, "mouthSmileLeft": 0.7, "mouthSmileRight": 0.7},
}


@pytest.mark.parametrize("units", CLOSED.values(), ids=CLOSED)
def test_everybody_closes_the_lips_from_corner_to_corner(head: Head, units: dict[str, float]):
    for look in looks().values():
        rig = Rig(head, look)
        assert rig.lips.gaps(rig.move(Pose(units=units)).points).max() < 0, look.name


def test_lips_part_when_they_are_meant_to(head: Head):
    for look in looks().values():
        rig = Rig(head, look)
        assert rig.lips.gaps(rig.move(Pose(units={"jawOpen": 0.5})).points)[6] > 0.08, look.name


def test_an_open_mouth_is_a_ring_and_no_wedge(head: Head):
    for look in looks().values():
        rig = Rig(head, look)
        gaps = rig.lips.gaps(rig.move(Pose(units={"jawOpen": 0.6})).points)
        assert gaps[9] > 0.75 * gaps[6], look.name


def lid(head: Head, side: int, height: float) -> int:
    """The row in the middle of a lid's rim on the resting head."""
    return int(np.linalg.norm(head.points - np.array([side * 0.31, height, 1.41]), axis=1).argmin())


@pytest.mark.parametrize("side", [1, -1])
def test_everybody_at_ease_shows_the_iris_but_for_its_top(head: Head, side: int):
    upper, lower = lid(head, side, 7.337), lid(head, side, 7.241)
    blink = Pose(units={"eyeBlinkLeft": 1.0, "eyeBlinkRight": 1.0})
    for look in looks().values():
        rig = Rig(head, look)
        middle = rig.eye_middles["Left" if side == 1 else "Right"]
        assert 0.35 < (rig.rest[upper, 1] - middle[1]) / rig.eye_radius < 0.45, look.name
        shut = rig.move(blink).points
        assert shut[upper, 1] - shut[lower, 1] < 0.01, look.name


def test_a_frown_lets_go_of_the_smile_that_is_held_at_rest(head: Head, rig: Rig):
    corner = int(np.linalg.norm(head.points - np.array([0.257, 6.602, 1.412]), axis=1).argmin())
    frown = rig.move(Pose(units={"mouthFrownLeft": 1.0, "mouthFrownRight": 1.0})).points
    assert frown[corner, 1] < bare(head, SOMEBODY)[corner, 1] - 0.02


def test_eyes_turn_and_lids_go_with_them(rig: Rig):
    up = rig.move(Pose(gaze_pitch=20)).eyes["Left"] @ np.array([0, 0, 1])
    left = rig.move(Pose(gaze_yaw=20)).eyes["Right"] @ np.array([0, 0, 1])
    assert up[1] == pytest.approx(np.sin(np.radians(20)), abs=0.01)
    assert left[0] == pytest.approx(np.sin(np.radians(20)), abs=0.01)
    assert np.abs(rig.move(Pose(gaze_pitch=-25)).points - rig.rest).max() > 0.02


def test_no_pose_and_no_person_breaks_the_mesh(head: Head):
    chance = np.random.default_rng(4)
    for seed in range(4):
        rig = Rig(head, look_from(seed))
        wild = Pose(units=dict(zip(UNITS, chance.random(52), strict=True)))
        for pose in [wild, *(expression_of(name) for name in anchors())]:
            points = rig.move(pose).points
            assert np.isfinite(points).all()
            assert np.abs(points - rig.rest).max() < 2.0
