import numpy as np
import pytest
from tests.senses.face.faces import HEIGHT, WIDTH, moved, seen

from heartfelt.senses.face.canonical import canonical
from heartfelt.senses.face.gaze import Gaze
from heartfelt.senses.face.neutral import Neutral
from heartfelt.senses.face.pose import head_pose
from heartfelt.senses.face.shape import shape
from heartfelt.senses.face.units import generic_neutral, units

HEAD = head_pose(seen(canonical()), WIDTH, HEIGHT)
AHEAD = Gaze(0, 0)
# Somebody whose brows hang low and whose mouth turns down a little.
OWN = generic_neutral() | {"inner brow": generic_neutral()["inner brow"] - 0.3, "corner rise": -0.3}
LAUGHING = OWN | {"mouth width": 6.8, "corner rise": 0.4, "lip gap": 1.2, "cheek": -3.3, "lower lid": -0.2}


def watched(neutral: Neutral, measures: dict[str, float], start: float, seconds: float, quality: float = 1.0) -> None:
    for time in np.arange(start, start + seconds, 0.1):
        neutral.add(float(time), measures, HEAD, AHEAD, quality)


def test_it_begins_with_the_generic_face():
    assert Neutral().rest.shape == generic_neutral()


def test_it_learns_the_persons_own_rest():
    neutral = Neutral()
    before = units(OWN, neutral.rest.shape)["AU4"]
    watched(neutral, OWN, 0, 10)
    assert before > 0.5 > 0.2 > units(OWN, neutral.rest.shape)["AU4"]


def test_a_laugh_in_between_is_not_rest():
    neutral = Neutral()
    watched(neutral, OWN, 0, 10)
    watched(neutral, LAUGHING, 10, 8)
    assert units(LAUGHING, neutral.rest.shape)["AU12"] > 0.7


def test_who_smiles_from_the_first_to_the_last_frame_was_smiling():
    neutral = Neutral()
    watched(neutral, LAUGHING, 0, 20)
    assert units(LAUGHING, neutral.rest.shape)["AU12"] > 0.5


def test_a_face_that_cannot_be_read_teaches_nothing():
    neutral = Neutral()
    watched(neutral, OWN, 0, 10, quality=0.1)
    assert neutral.rest.shape == generic_neutral()


def test_how_the_head_is_held_is_learnt_too():
    neutral = Neutral()
    head = head_pose(seen(moved({}), pitch=-12), WIDTH, HEIGHT)
    for step in range(200):
        neutral.add(step / 10, generic_neutral(), head, Gaze(0, -5), 1.0)
    assert neutral.rest.angles["pitch"] == pytest.approx(head.pitch, abs=1.5)
    assert neutral.rest.angles["gaze pitch"] == pytest.approx(-5, abs=1)
    assert shape(canonical()).keys() == neutral.rest.shape.keys()
