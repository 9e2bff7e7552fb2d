import pytest

from heartfelt.errors import InputError
from heartfelt.evaluation.statistics.judging import Judgement, judged, stability


def asked(pair: int, in_order: str, turned: str = "", criterion: str = "empathy") -> list[Judgement]:
    """Verdicts with a first, and with b first."""
    made = [Judgement(pair=str(pair), dialogue=str(pair), criterion=criterion, first="a", verdict=in_order)]  # type: ignore[arg-type]
    if turned:
        made.append(Judgement(pair=str(pair), dialogue=str(pair), criterion=criterion, first="b", verdict=turned))  # type: ignore[arg-type]
    return made


def test_winners_flips_ties_and_abstentions():
    (found,) = judged([
        *asked(0, "first", "second"),  # a both times
        *asked(1, "second", "first"),  # b both times
        *asked(2, "first", "first"),  # whoever stands first
        *asked(3, "tie", "second"),  # a once, and a tie
        *asked(4, "none", "none"),
        *asked(5, "first"),  # asked once
        *asked(6, "none", "second"),  # a, as far as it was answered
    ])  # fmt: skip
    assert (found.pairs, found.a, found.b, found.ties, found.flips, found.abstained) == (7, 3, 1, 1, 1, 1)
    assert found.one_order == 1
    assert found.flip_rate == pytest.approx(1 / 6)
    assert found.wins is not None
    assert found.wins.value == pytest.approx((3 + 0 + 3 * 0.5) / 7)
    # answers that name a place: first five times, second four times
    assert found.first_place == pytest.approx(5 / 9)
    assert found.p == pytest.approx(2 * 5 / 16)


def test_answers_to_the_same_question_are_a_vote():
    (found,) = judged([*asked(0, "first"), *asked(0, "first"), *asked(0, "second"), *asked(1, "second")])
    assert (found.a, found.b) == (1, 1)


def test_by_criterion():
    found = judged([*asked(0, "first"), *asked(0, "second", criterion="fluency")])
    assert [(each.criterion, each.a, each.b, each.wins) for each in found] == [("empathy", 1, 0, None), ("fluency", 0, 1, None)]


def test_stability():
    assert stability([*asked(0, "first"), *asked(0, "first"), *asked(0, "second")]) == pytest.approx(1 / 3)
    with pytest.raises(InputError, match=r"asked twice"):
        stability(asked(0, "first"))


def test_nothing_was_judged():
    with pytest.raises(InputError):
        judged([])
    (found,) = judged(asked(0, "none"))
    assert (found.first_place, found.p, found.flip_rate) == (None, 1, None)
