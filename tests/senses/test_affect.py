"""Valence and arousal of shares."""

import pytest

from heartfelt.fusion.fuse import LABELS
from heartfelt.labels import label_set
from heartfelt.senses.affect import felt


def test_each_emotion_lies_where_people_put_it():
    points = {label: felt({label: 1.0}) for label in label_set(LABELS).labels}
    assert points["neutral"] == (0, 0)
    assert points["joy"].valence > 0.5 and points["joy"].arousal > 0
    assert points["sadness"].valence < -0.5 and points["sadness"].arousal < 0
    assert all(points[label].valence < -0.5 and points[label].arousal > 0.3 for label in ("anger", "fear"))
    assert points["surprise"].arousal > 0.5


def test_shares_are_weighed():
    half = felt({"joy": 0.5, "neutral": 0.5})
    assert half.valence == pytest.approx(felt({"joy": 1.0}).valence / 2)
    assert felt({"joy": 2.0, "neutral": 2.0}) == half


def test_nothing_said_is_the_middle():
    assert felt({}) == (0, 0)
