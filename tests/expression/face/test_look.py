"""Records of people and of moments, without the mesh."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from heartfelt.errors import UnknownName
from heartfelt.expression.face import Pose, looks
from heartfelt.expression.face.look import Look, linear
from heartfelt.expression.face.names import PROPORTIONS, UNITS
from heartfelt.expression.face.people import look_from, look_named
from heartfelt.expression.face.pose import settled


def test_there_are_52_units():
    assert len(UNITS) == len(set(UNITS)) == 52


def test_ready_people_cover_ages_and_genders():
    people = looks().values()
    assert len(people) >= 8
    for low, high in ((18, 35), (36, 60), (61, 95)):
        genders = {person.gender > 0.5 for person in people if low <= person.age <= high}
        assert genders == {True, False}
    assert len({person.hair for person in people}) >= 6


def test_an_unknown_person_lists_the_known_ones():
    with pytest.raises(UnknownName, match="Did you mean 'maya'"):
        look_named("mayo")
    with pytest.raises(UnknownName, match="proportion"):
        Look(proportions={"width of nostrum": 0.1})


@given(st.integers(0, 2**40))
def test_people_by_chance_are_stable_and_whole(seed: int):
    somebody = look_from(seed)
    assert somebody == look_from(seed)
    assert 18 <= somebody.age <= 95 and set(somebody.proportions) <= set(PROPORTIONS)


def test_colours_are_light():
    assert linear("#000000") == (0, 0, 0)
    assert linear("#ffffff") == pytest.approx((1, 1, 1))
    assert linear("#808080")[0] == pytest.approx(0.2158, abs=1e-3)


@given(st.dictionaries(st.sampled_from(UNITS), st.floats(-2, 3)))
def test_settled_units_stay_within_their_range(units: dict[str, float]):
    done = settled(Pose(units=units))
    assert set(done) == set(UNITS)
    assert all(0 <= amount <= 1 for amount in done.values())
    assert done["mouthClose"] <= done["jawOpen"]


def test_a_shut_eye_is_not_wide():
    done = settled(Pose(units={"eyeBlinkLeft": 1, "eyeWideLeft": 1, "eyeWideRight": 1}))
    assert (done["eyeWideLeft"], done["eyeWideRight"]) == (0, 1)


def test_an_unknown_unit_is_named():
    with pytest.raises(UnknownName, match="jawOpen"):
        Pose(units={"jawOpn": 1})
    with pytest.raises(ValidationError):
        Pose(yaw=200)
