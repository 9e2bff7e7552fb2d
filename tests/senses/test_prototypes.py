"""Emotions from action units."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heartfelt.labels import label_set
from heartfelt.senses.prototypes import SHOWS, by_prototype

NAMES = sorted({name for make, against in SHOWS.values() for name in (*make, *against)})


@pytest.mark.parametrize("emotion", SHOWS)
def test_a_face_that_shows_an_emotion_is_read_as_that(emotion: str):
    shares = by_prototype({name: 0.8 if name in SHOWS[emotion][0] else 0.0 for name in NAMES})
    assert max(shares, key=lambda label: shares[label]) == emotion and shares[emotion] > 0.5


def test_a_face_at_rest_is_neutral():
    shares = by_prototype({})
    assert max(shares, key=lambda label: shares[label]) == "neutral"


@given(st.fixed_dictionaries({name: st.sampled_from((0.0, 0.2, 0.5, 1.0)) for name in NAMES}))
def test_shares_are_a_distribution(units: dict[str, float]):
    shares = by_prototype(units)
    assert tuple(shares) == label_set("meld").labels and sum(shares.values()) == pytest.approx(1)
