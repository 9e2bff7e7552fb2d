import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.evaluation.made import row

from heartfelt.errors import InputError
from heartfelt.evaluation.metrics import Run, measure, read_run
from heartfelt.evaluation.metrics.strategies import PreferenceBias, StrategyAccuracy, preferences


def chosen(*pairs: tuple[str, str]) -> Run:
    """(right, named)."""
    return read_run(
        row(i, strategy=right, strategy_predicted=named, strategies="er_ip_ex") for i, (right, named) in enumerate(pairs)
    )


def test_even_mistakes_are_no_bias():
    run = chosen(("ER", "IP"), ("IP", "EX"), ("EX", "ER"), ("ER", "ER"))
    assert measure(PreferenceBias("er_ip_ex"), run).value == pytest.approx(0, abs=1e-9)
    assert measure(StrategyAccuracy("er_ip_ex"), run).value == pytest.approx(1 / 4)


def test_by_hand():
    # Each pair met three times. ER won 2 of 3 against IP and against EX; IP and EX won from each other evenly.
    # With p(IP) = p(EX) = q the model fits where p(ER) / (p(ER) + q) = 2/3: p(ER) = 2 q; scaled, 1.5, .75, .75.
    contests = [("IP", "ER")] * 2 + [("ER", "IP")] + [("EX", "ER")] * 2 + [("ER", "EX")] + [("IP", "EX"), ("EX", "IP")]
    found = preferences(chosen(*contests), "er_ip_ex")
    assert found == pytest.approx({"ER": 1.5, "IP": 0.75, "EX": 0.75}, abs=1e-6)
    spread = ((0.5**2 + 0.25**2 + 0.25**2) / 3) ** 0.5
    assert measure(PreferenceBias("er_ip_ex"), chosen(*contests)).value == pytest.approx(spread, abs=1e-6)


def test_right_answers_change_nothing():
    contests = [("IP", "ER"), ("ER", "EX"), ("EX", "IP"), ("EX", "ER")]
    more = [*contests, *[("ER", "ER")] * 20]
    assert preferences(chosen(*contests), "er_ip_ex") == pytest.approx(preferences(chosen(*more), "er_ip_ex"))


def test_what_is_never_missed_has_no_finite_preference_without_a_prior():
    run = chosen(("IP", "ER"), ("EX", "ER"), ("IP", "EX"), ("EX", "IP"))
    with pytest.raises(InputError, match=r"never missed"):
        preferences(run, "er_ip_ex")
    with pytest.raises(InputError, match=r"not defined"):
        measure(PreferenceBias("er_ip_ex"), run)
    assert preferences(run, "er_ip_ex", prior=2)["ER"] > 1.2


def test_what_is_never_named_has_no_preference():
    run = chosen(("IP", "ER"), ("ER", "IP"), ("EX", "ER"), ("EX", "IP"))
    assert preferences(run, "er_ip_ex") == pytest.approx({"ER": 1.5, "IP": 1.5, "EX": 0.0}, abs=1e-6)


def test_without_mistakes_there_is_nothing_to_compare():
    with pytest.raises(InputError):
        measure(PreferenceBias("er_ip_ex"), chosen(("ER", "ER")))
    assert measure(PreferenceBias("er_ip_ex", prior=2), chosen(("ER", "ER"))).value == 0


kinds = st.sampled_from(("ER", "IP", "EX"))


@given(st.lists(st.tuples(kinds, kinds), min_size=1, max_size=20))
@settings(max_examples=40, deadline=None)
def test_with_a_prior_it_is_always_in_range(pairs: list[tuple[str, str]]):
    metric = PreferenceBias("er_ip_ex", prior=2)
    assert 0 <= measure(metric, chosen(*pairs)).value <= 2**0.5
    assert sum(preferences(chosen(*pairs), "er_ip_ex", prior=2).values()) == pytest.approx(3)
