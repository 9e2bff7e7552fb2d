"""Long hair is closed: no wall is seen between it and the head."""

import numpy as np
import pytest

from heartfelt.expression.face import Pose
from heartfelt.expression.face.head import Head
from heartfelt.expression.face.look import Look
from heartfelt.expression.face.people import look_from, look_named
from heartfelt.expression.render import Renderer

pytestmark = pytest.mark.embedded

_POSES = (
    Pose(),
    Pose(yaw=-12, pitch=4),
    Pose(yaw=8, pitch=-6, roll=-5),
    Pose(yaw=25, pitch=15, roll=-10),
    Pose(yaw=-25, pitch=-6, roll=10),
)
_SIZE = 192
_SHOULDERS = 0.72
"""Where they begin, as a share of the height: below it hair that hangs on them may leave a gap beside the neck."""


def people() -> list[Look]:
    """Three who are ready, and four by chance; without glasses, which enclose wall that may be seen."""
    chosen = [look for seed in range(15) if (look := look_from(seed)).hair in ("long", "bob", "curly")]
    every = [*(look_named(name) for name in ("maya", "yuna", "lucia")), *chosen[:2], *chosen[-2:]]
    return [look.model_copy(update={"glasses": None}) for look in every]


def enclosed(wall: np.ndarray) -> np.ndarray:
    """Wall that cannot be reached from the picture's border over other wall."""
    reached = np.zeros((len(wall) + 2, len(wall) + 2), np.bool_)
    wide = np.pad(wall, 1, constant_values=True)
    reached[0], reached[-1], reached[:, 0], reached[:, -1] = True, True, True, True
    count = 0
    while count != (count := int(reached.sum())):
        for _ in range(8):
            grown = reached.copy()
            for axis in (0, 1):
                grown |= np.roll(grown, 1, axis) | np.roll(grown, -1, axis)
            reached = grown & wide
    return wall & ~reached[1:-1, 1:-1]


@pytest.mark.parametrize("look", people(), ids=lambda look: f"{look.name} {look.hair}")
def test_no_wall_shows_between_the_hair_and_the_head(head: Head, look: Look):
    renderer = Renderer(look, _SIZE, head=head)
    for pose in _POSES:
        renderer.frame(pose)
        wall = ((renderer._buffers[1] < 0) & (renderer._depth == 0)).all(2)
        holes = enclosed(wall)[: round(_SHOULDERS * _SIZE)]
        assert holes.sum() <= 4, (pose, holes.sum())


def test_a_hole_is_found():
    wall = np.ones((20, 20), np.bool_)
    wall[5:15, 5:15] = False
    wall[8:11, 8:11] = True
    assert enclosed(wall).sum() == 9
    wall[9, 11:] = True
    assert not enclosed(wall).any()
