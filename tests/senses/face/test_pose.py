"""What is asserted is what was measured, with a little room. The errors are in degrees."""

import numpy as np
import pytest
from tests.senses.face.faces import HEIGHT, WIDTH, frowning, looking, seen, smiling

from heartfelt.senses.face.canonical import canonical
from heartfelt.senses.face.gaze import gaze
from heartfelt.senses.face.pose import head_pose, turned


def test_the_canonical_face_looks_at_the_camera():
    head = head_pose(seen(canonical(), distance=1000), WIDTH, HEIGHT)
    assert (head.yaw, head.pitch, head.roll) == pytest.approx((0, 0, 0), abs=0.3)


@pytest.mark.parametrize(("angle", "sign"), [("yaw", 1), ("pitch", 1), ("roll", 1)])
def test_signs(angle: str, sign: int):
    frontal, other = seen(canonical()), seen(canonical(), **{angle: 20.0})
    way = (other - frontal)[4]  # the tip of the nose
    if angle == "yaw":
        assert way[0] > 0  # to the right of the picture
    if angle == "pitch":
        assert way[1] < 0  # up
    if angle == "roll":
        assert (other - frontal)[10][0] < 0  # the forehead leans to the left of the picture
    assert getattr(head_pose(other, WIDTH, HEIGHT), angle) * sign > 15


@pytest.mark.parametrize(
    ("distance", "noise", "focal", "person", "mean", "most"),
    [
        (60, 0.0, 640, 0.0, 0.1, 0.3),
        (60, 0.05, 640, 0.0, 0.3, 1.0),
        (40, 0.05, 640, 0.0, 0.5, 2.0),
        (60, 0.05, 1000, 0.0, 0.5, 1.5),  # another lens than the one that is guessed
        (60, 0.05, 640, 0.2, 0.6, 2.5),  # people whose bones differ from the canonical face by 2 mm a point
    ],
)
def test_turns_are_recovered_through_a_lens(
    distance: float, noise: float, focal: float, person: float, mean: float, most: float
):
    random = np.random.default_rng(7)
    errors = []
    for _ in range(200):
        yaw, pitch, roll = random.uniform([-40, -25, -30], [40, 25, 30])
        points = seen(
            canonical() + person * random.normal(size=(478, 3)).astype(np.float32),
            focal=focal,
            yaw=yaw,
            pitch=pitch,
            roll=roll,
            distance=distance,
            aside=tuple(random.uniform(-15, 15, 2)),
            noise=noise,
            random=random,
        )
        head = head_pose(points, WIDTH, HEIGHT)
        errors.append(np.abs([head.yaw - yaw, head.pitch - pitch, head.roll - roll]))
    print(f"{distance} cm, {noise=} {focal=} {person=}:", np.mean(errors, axis=0).round(2), np.max(errors, axis=0).round(2))
    assert np.mean(errors, axis=0).max() < mean
    assert np.max(errors) < most


@pytest.mark.parametrize("face", [smiling(), frowning()], ids=["smile", "frown"])
def test_an_expression_is_no_turn(face: np.ndarray):
    plain, moved = (head_pose(seen(points), WIDTH, HEIGHT) for points in (canonical(), face))
    assert (moved.yaw, moved.pitch, moved.roll) == pytest.approx((plain.yaw, plain.pitch, plain.roll), abs=0.5)


def test_normalising_takes_the_turn_away():
    points = seen(canonical(), yaw=25, pitch=-10, roll=15, distance=80)
    back = head_pose(points, WIDTH, HEIGHT).normalised(points)
    assert np.abs(back - canonical()).max() < 0.5


def test_a_face_without_size_has_some_pose():
    assert np.isfinite(head_pose(np.zeros((478, 3), np.float32), 1, 1).yaw)


def test_rotations_are_rotations():
    rotation = turned(30, 20, 10)
    assert np.allclose(rotation @ rotation.T, np.eye(3))
    assert np.linalg.det(rotation) == pytest.approx(1)


@pytest.mark.parametrize(("noise", "mean", "most"), [(0.0, 1.5, 6.0), (0.03, 3.0, 15.0)])
def test_the_gaze_is_recovered(noise: float, mean: float, most: float):
    random = np.random.default_rng(3)
    errors = []
    for _ in range(200):
        look = random.uniform(-20, 20, 2)
        turn = random.uniform([-25, -15, -20], [25, 15, 20])
        points = seen(
            looking(*look),
            yaw=turn[0],
            pitch=turn[1],
            roll=turn[2],
            noise=noise,
            random=random,
            aside=tuple(random.uniform(-10, 10, 2)),
        )
        found = gaze(points, head_pose(points, WIDTH, HEIGHT))
        errors.append(np.abs([found.yaw - look[0], found.pitch - look[1]]))
    print(f"gaze, noise {noise}: mean {np.mean(errors, axis=0).round(2)}, max {np.max(errors, axis=0).round(2)}")
    assert np.mean(errors, axis=0).max() < mean
    assert np.max(errors) < most


def test_an_iris_beside_its_eye_is_as_far_as_one_can_look():
    face = looking(0, 0)
    face[[468, 473], 0] += 3
    points = seen(face)
    assert 60 < gaze(points, head_pose(points, WIDTH, HEIGHT)).yaw <= 95
