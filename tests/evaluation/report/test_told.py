"""Numbers as a reader expects them."""

import pytest

from heartfelt.evaluation.report import told


@pytest.mark.parametrize(
    ("number", "unit", "text"),
    [
        (0.8387, "share", "83.9"),
        (6970.0, "ms", "6.97"),
        (0.85284, "cosine", "0.853"),
        (1234.4, "tokens", "1\u202f234"),
        (5, "calls", "5.0"),
    ],
)
def test_values(number: float, unit: str, text: str):
    assert told.value(number, unit) == text


@pytest.mark.parametrize(("number", "text"), [(0.021, "+2.1"), (-0.021, "−2.1"), (0.0, "0.0"), (-0.0001, "0.0")])
def test_differences_have_a_sign_unless_they_are_none(number: float, text: str):
    assert told.difference(number, "share") == text


@pytest.mark.parametrize(("p", "text"), [(0.0004, "< .001"), (0.0316, ".032"), (1.0, "1"), (0.9996, "1"), (0.9991, ".999")])
def test_p_values(p: float, text: str):
    assert told.chance(p) == text
