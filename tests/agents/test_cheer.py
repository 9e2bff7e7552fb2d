"""A glad reply is said only where something glad was seen."""

import pytest

from heartfelt.agents.cheer import cheers, gladness_fits
from heartfelt.records import Situation


@pytest.mark.parametrize(
    ("text", "glad"),
    [
        ("Congratulations! You've really earned this contract.", True),
        ("Yes, they can wait. I'm so happy for you!", True),
        ("Oh, I love this!", True),
        ("Oh no, I'm so sorry.", False),
        ("What did your wife say?", False),
    ],
)
def test_glad_words_are_known(text: str, glad: bool):
    assert cheers(text) == glad


@pytest.mark.parametrize(
    ("kinds", "feelings", "fits"),
    [
        ({"good": 0.6, "bad": 0.4}, {"joyful": 0.3, "sad": 0.7}, True),
        ({"good": 0.1, "bad": 0.9}, {"proud": 0.6, "sad": 0.4}, True),
        ({"good": 0.1, "bad": 0.9}, {"proud": 0.2, "sad": 0.8}, False),
    ],
)
def test_gladness_needs_good_news_or_a_glad_feeling(kinds: dict[str, float], feelings: dict[str, float], fits: bool):
    assert gladness_fits(Situation(message="bad", distribution=kinds, feelings=feelings)) == fits


def test_where_nobody_looked_nothing_is_held_back():
    assert gladness_fits(None) and gladness_fits(Situation(message="good"))
