"""Figures of trust agree with the statistics they stand on."""

import pytest

from heartfelt.evaluation.judging import trusted
from heartfelt.evaluation.statistics.judging import Judgement, Verdict, stability


def said(pair: int, first: str, verdict: Verdict) -> Judgement:
    return Judgement.model_validate({"pair": f"p{pair}", "dialogue": f"d{pair}", "first": first, "verdict": verdict})


def test_the_points_are_those_of_the_statistics() -> None:
    found = [said(n, first, "first" if (n + k) % 3 else "second") for n in range(12) for first in "ab" for k in range(3)]
    (each,) = trusted(found)
    assert each.stability and each.stability.value == pytest.approx(stability(found))
    assert each.first_place and each.first_place.value == pytest.approx(each.result.first_place)
    assert each.flip_rate and each.flip_rate.value == pytest.approx(each.result.flip_rate)


def test_one_dialogue_has_no_interval() -> None:
    (each,) = trusted([said(0, "a", "first"), said(0, "b", "second")])
    assert each.flip_rate is None and each.result.flip_rate == 0 and each.words.startswith("Most verdicts stand")


def test_one_order_shows_no_flips() -> None:
    (each,) = trusted([said(n, "a", "first") for n in range(3)])
    assert each.flip_rate is None and "cannot be trusted yet" in each.words


def test_a_lean_to_one_place_is_said() -> None:
    lean = [said(n, first, "first" if n % 4 == 0 or first == "a" else "second") for n in range(40) for first in "ab"]
    (each,) = trusted(lean)
    assert each.follows_the_place and "leans to one place" in each.words
