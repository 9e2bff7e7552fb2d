import numpy as np
import pytest
from tests.senses.face.faces import HEIGHT, WIDTH, seen

from heartfelt.senses.face.align import _PLACES, aligned, placement
from heartfelt.senses.face.canonical import canonical
from heartfelt.senses.face.mesh import Mesh
from heartfelt.senses.face.pose import head_pose
from heartfelt.senses.face.quality import inside, quality, sharpness

NOISE = np.random.default_rng(5).integers(30, 220, (HEIGHT, WIDTH, 3), dtype=np.uint8)


def trust(points: np.ndarray, frame: np.ndarray = NOISE) -> float:
    return quality(frame, Mesh(points, 1.0), head_pose(points, WIDTH, HEIGHT))


@pytest.mark.parametrize(("roll", "distance"), [(0, 60), (30, 60), (-20, 35), (0, 150)])
def test_eyes_and_mouth_come_to_their_places(roll: float, distance: float):
    points = seen(canonical(), roll=roll, distance=distance)
    matrix = placement(points, 48)
    eyes_and_mouth = [
        points[[33, 133], :2].mean(axis=0),
        points[[263, 362], :2].mean(axis=0),
        points[[61, 291], :2].mean(axis=0),
    ]
    back = (np.array(eyes_and_mouth) - matrix[:, 2]) @ np.linalg.inv(matrix[:, :2]).T
    assert np.abs(back / 48 - _PLACES).max() < 0.06


def test_a_similarity_keeps_right_angles():
    matrix = placement(seen(canonical(), yaw=30, roll=12))
    assert matrix[0, 0] == pytest.approx(matrix[1, 1])
    assert matrix[0, 1] == pytest.approx(-matrix[1, 0])


def test_the_aligned_face_is_grey_and_of_the_size_asked_for():
    face = aligned(NOISE[..., 0], Mesh(seen(canonical()), 1.0), 96)
    assert face.shape == (96, 96)
    assert face.dtype == np.uint8


def test_a_face_beyond_the_frame_is_black():
    assert not aligned(NOISE, Mesh(seen(canonical()) + np.float32(5000), 1.0)).any()


def test_quality_falls_with_each_fault():
    good = trust(seen(canonical()))
    assert good == pytest.approx(1, abs=0.01)
    assert trust(seen(canonical(), distance=300)) < 0.7 * good  # small
    assert trust(seen(canonical(), yaw=50)) < 0.7 * good  # turned away
    assert trust(seen(canonical()) + np.float32([330, 0, 0])) < 0.7 * good  # half outside
    assert trust(seen(canonical()), np.full_like(NOISE, 128)) == 0  # nothing to see
    columns = np.mgrid[:HEIGHT, :WIDTH, :3][1]
    assert trust(seen(canonical()), (columns // 20 % 2 * 255).astype(np.uint8)) < 0.7 * good  # burnt out


def test_a_blurred_picture_is_less_sharp():
    rows = np.mgrid[:64, :64][0]
    edges, slopes = ((rows // 4 % 2) * 200).astype(np.uint8), (rows * 3).astype(np.uint8)
    assert sharpness(edges) > 3 * sharpness(slopes)
    assert sharpness(np.zeros((9, 9), np.uint8)) == 0


def test_the_share_inside():
    points = np.zeros((478, 3), np.float32)
    points[:234, 0] = -5
    assert inside(NOISE, points) == pytest.approx(0.5)
