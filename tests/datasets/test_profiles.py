"""Profiles of who speaks, as AvaMERG writes them."""

import pytest

from heartfelt.datasets.avamerg import read_profile
from heartfelt.errors import InputError
from heartfelt.records import Identity


@pytest.mark.parametrize(
    "fields",
    [
        {"age": "elderly", "gender": "female", "timbre": "low", "ID": 23},
        {"age": "Elderly", "gender": "female ", "timbre": "LOW"},
        {"ID": 23},
        {"ID": "23"},
    ],
)
def test_profiles_are_read_as_avamerg_writes_them(fields: dict[str, object]):
    assert read_profile(fields) == Identity(age="elderly", gender="female", timbre="low")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"age": "young", "gender": "male", "timbre": "mid", "ID": 23}, "stands for elderly-female-low"),
        ({"age": "young"}, "not whole"),
        ({"age": "ancient", "gender": "male", "timbre": "mid"}, "cannot be read"),
        ({"ID": 24}, "no profile 24"),
        ({"ID": "x"}, "is no number"),
    ],
)
def test_a_profile_that_cannot_be_right_is_refused(fields: dict[str, object], message: str):
    with pytest.raises(InputError, match=message):
        read_profile(fields)
