"""Against scipy's permutation test and binomial test, and what must hold of any comparison."""

from importlib import import_module

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.evaluation.made import named, replies, right_or_wrong
from tests.evaluation.statistics.test_interval import MARK, marks

from heartfelt.errors import InputError
from heartfelt.evaluation.metrics.distinct import DistCorpus
from heartfelt.evaluation.metrics.recognition import Accuracy
from heartfelt.evaluation.statistics.mcnemar import even_chances, mcnemar
from heartfelt.evaluation.statistics.paired import compare, corrected, holm

A = [5.0, 6.0, 7.5, 8.0, 4.0, 6.5, 7.0, 9.0]
B = [4.0, 6.2, 6.0, 7.0, 4.1, 5.0, 6.0, 8.8]


def test_as_scipy_does_with_all_ways():
    stats = import_module("scipy.stats")
    found = compare(MARK, marks(A), marks(B))
    known = stats.permutation_test(
        (A, B), lambda a, b, axis: np.mean(a, axis) - np.mean(b, axis), permutation_type="samples", n_resamples=np.inf
    )
    assert found.exact
    assert found.p == pytest.approx(known.pvalue)


def test_by_hand():
    # Three dialogues, a always better by 1: of eight ways two are as far apart.
    found = compare(MARK, marks([1.0, 2.0, 3.0]), marks([0.0, 1.0, 2.0]))
    assert (found.p, found.difference, found.exact) == (2 / 8, 1, True)
    assert (found.low, found.high) == pytest.approx((1, 1))


def test_the_order_of_dialogues_in_a_file_is_nothing():
    one = marks(A)
    other = marks(B[::-1], list(range(8))[::-1])
    assert compare(MARK, one, other) == compare(MARK, one, marks(B))


def test_many_dialogues_are_sampled_and_seeded():
    random = np.random.default_rng(5)
    a, b = random.normal(0.4, 1, 60).tolist(), random.normal(0, 1, 60).tolist()
    once, again = (compare(MARK, marks(a), marks(b), permutations=500, seed=3) for _ in range(2))
    assert once == again
    assert not once.exact
    assert 1 / 501 <= once.p <= 1
    assert once.low < once.difference < once.high


def test_counts_of_different_words_can_be_compared():
    rich = replies(*(f"w{i} x{i} y{i}" for i in range(12)))
    poor = replies(*("the cat sat" for _ in range(12)))
    found = compare(DistCorpus(1), rich, poor, permutations=300)
    assert found.p < 0.01
    assert found.difference == pytest.approx(1 - 3 / 36)
    assert compare(DistCorpus(1), rich, rich, permutations=100).p == 1


def test_runs_over_other_dialogues_are_refused():
    with pytest.raises(InputError, match=r"1 are only in the first and 1 only in the second"):
        compare(MARK, marks([1.0, 2.0], [0, 1]), marks([1.0, 2.0], [0, 2]))
    with pytest.raises(InputError, match=r"two dialogues or more"):
        compare(MARK, marks([1.0]), marks([2.0]))


@given(st.lists(st.tuples(st.floats(-9, 9), st.floats(-9, 9)), min_size=2, max_size=7))
@settings(max_examples=30, deadline=None)
def test_changing_the_runs_turns_the_difference_and_keeps_p(pairs: list[tuple[float, float]]):
    a, b = marks([one for one, _ in pairs]), marks([other for _, other in pairs])
    there, back = compare(MARK, a, b, times=50), compare(MARK, b, a, times=50)
    assert there.difference == pytest.approx(-back.difference)
    assert there.p == pytest.approx(back.p)
    assert 0 < there.p <= 1


# ── McNemar ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_mcnemar_by_hand():
    a = right_or_wrong([True] * 9 + [False] + [True] * 3 + [False] * 2)
    b = right_or_wrong([False] * 9 + [True] + [True] * 3 + [False] * 2)
    found = mcnemar(a, b)
    assert (found.both, found.only_a, found.only_b, found.neither) == (3, 9, 1, 2)
    # two tails of (1 + 10) / 1024; the mid-p takes half of both outermost terms away
    assert found.p == pytest.approx(22 / 1024)
    assert found.mid_p == pytest.approx(12 / 1024)
    assert found.independent


def test_mcnemar_against_scipy():
    stats = import_module("scipy.stats")
    for hits, of in ((0, 1), (3, 3), (2, 9), (5, 10), (13, 40), (30, 31)):
        assert even_chances(hits, of)[0] == pytest.approx(stats.binomtest(hits, of).pvalue)


def test_the_mid_p_counts_half_of_what_is_as_extreme():
    assert even_chances(1, 2) == (1, 3 / 4)
    assert even_chances(0, 2) == (2 / 4, 1 / 4)


def test_mcnemar_without_a_difference():
    run = right_or_wrong([True, False], a_dialogue=2)
    found = mcnemar(run, run)
    assert (found.p, found.mid_p, found.independent) == (1, 1, False)


def test_mcnemar_of_other_rows():
    with pytest.raises(InputError, match=r"same rows"):
        mcnemar(right_or_wrong([True]), right_or_wrong([True, True]))
    with pytest.raises(InputError, match=r"different right labels"):
        mcnemar(named([("sad", "sad")]), named([("fear", "sad")]))
    with pytest.raises(InputError, match=r"no row with a right label"):
        mcnemar(replies("a"), replies("a"))


# ── Holm ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []
    assert holm([0.6, 0.9]) == [1, 1]
    with pytest.raises(InputError):
        holm([1.2])


def test_holm_over_a_table():
    table = [
        compare(MARK, marks(A), marks(B)),
        compare(Accuracy("ekman"), right_or_wrong([True] * 4), right_or_wrong([False] * 4)),
    ]
    assert [each.adjusted_p for each in corrected(table)] == pytest.approx(holm([each.p for each in table]))


@given(st.lists(st.floats(0, 1), max_size=12))
@settings(deadline=None)
def test_holm_keeps_the_order_and_makes_nothing_smaller(values: list[float]):
    found = holm(values)
    assert all(0 <= p <= after <= 1 for p, after in zip(values, found, strict=True))
    order = np.argsort(values, kind="stable")
    assert (np.diff(np.array(found)[order]) >= 0).all()
    assert all(after <= min(1, p * len(values)) + 1e-12 for p, after in zip(values, found, strict=True))
