import pytest

from heartfelt.evaluation.scoring.agreement import Case, balanced_accuracy, separation
from heartfelt.evaluation.scoring.score import by_rule


@pytest.mark.parametrize(
    ("reply", "held"),
    [
        ("I am so sorry.", "ER"),
        ("That must be frightening.", "IP"),
        ("What did the garage say?", "EX"),
        ("I am so sorry. What did the garage say?", "ER EX"),
        ("I am sorry, that must be frightening. Who was it?", "ER IP EX"),
        ("The bus leaves at nine.", ""),
        ("", ""),
    ],
)
def test_the_rule(reply: str, held: str):
    marks = by_rule(reply)
    assert [name.rpartition("/")[2] for name, mark in marks.items() if mark] == held.split()
    assert set(marks) == {"presence/rule/ER", "presence/rule/IP", "presence/rule/EX"}


def case(number: int, gold: str, chosen: str, mark: float) -> Case:
    return Case(dialogue=str(number), gold=gold, chosen={"rule": chosen}, marks={"presence/rule/EX": mark})


def test_agreement_by_hand():
    found = [case(0, "EX", "EX", 1), case(1, "EX", "ER", 0.5), case(2, "ER", "ER", 0.5), case(3, "IP", "ER", 0)]
    told = balanced_accuracy(found, lambda each: each.chosen["rule"])
    assert told.value == pytest.approx((0.5 + 1 + 0) / 3) and told.cases == 4
    assert balanced_accuracy(found, lambda _each: "EX").value == pytest.approx(1 / 3)
    assert separation(found, "rule", "EX") == pytest.approx((1 + 1 + 0.5 + 1) / 4)
