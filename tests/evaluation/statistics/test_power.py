"""Against the power of statsmodels where it is there, and against the sample that the field reports on."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.evaluation.made import right_or_wrong
from tests.evaluation.statistics.test_interval import MARK, marks

from heartfelt.errors import InputError
from heartfelt.evaluation.metrics.recognition import Accuracy
from heartfelt.evaluation.statistics.power import (
    detectable,
    detectable_mean,
    detectable_paired,
    detectable_paired_proportion,
    detectable_proportion,
)


def test_thirty_one_dialogues_cannot_tell_74_from_84():
    found = detectable_proportion(23 / 31, 31)
    assert found.difference > 0.25
    told = found.sentence(23 / 31, 26 / 31)
    assert told.startswith("With 31 dialogues, 74.2 % against 83.9 % cannot be told apart: the difference is 9.7 points")
    assert found.words.startswith("With 31 dialogues (in each of two samples), around 74.2 %")


def test_by_hand():
    # (1.959964 + .841621) · 2 · sqrt(2 / 50)
    assert detectable_mean(2.0, 50, around=5, design="two samples").difference == pytest.approx(1.120634, abs=1e-5)
    assert detectable_mean(2.0, 50, around=5, design="paired").difference == pytest.approx(0.792408, abs=1e-5)


@pytest.mark.parametrize(("share", "n"), [(0.5, 100), (0.74, 400), (0.2, 1000), (0.9, 2000)])
def test_at_that_difference_the_power_is_what_was_asked(share: float, n: int):
    """Simulated: two samples, the two-sided test with pooled variance."""
    reach = detectable_proportion(share, n).difference
    random = np.random.default_rng(0)
    powers = []
    for other in (share + reach, share - reach):
        if not 0 <= other <= 1:
            continue
        a, b = random.binomial(n, share, 20_000) / n, random.binomial(n, other, 20_000) / n
        pooled = (a + b) / 2
        powers.append(float((np.abs(a - b) > 1.959964 * np.sqrt(2 * pooled * (1 - pooled) / n)).mean()))
    assert min(powers) == pytest.approx(0.8, abs=0.025)


def test_paired_proportions_by_simulation():
    n, discordant = 300, 0.3
    reach = detectable_paired_proportion(discordant, n, around=0.7).difference
    random = np.random.default_rng(1)
    wins = (discordant + reach) / 2
    drawn = random.multinomial(n, [wins, discordant - wins, 1 - discordant], 20_000)
    z = (drawn[:, 0] - drawn[:, 1]) / np.sqrt(drawn[:, 0] + drawn[:, 1])
    assert float((np.abs(z) > 1.959964).mean()) == pytest.approx(0.8, abs=0.025)


def test_pairs_that_agree_can_show_less_than_two_samples_can_hide():
    random = np.random.default_rng(2)
    base = random.normal(0, 5, 40)
    a, b = marks(base.tolist()), marks((base + random.normal(0.5, 0.5, 40)).tolist())
    assert detectable_paired(MARK, a, b).difference < detectable(MARK, a).difference / 3


def test_of_a_run_at_hand():
    found = detectable(Accuracy("ekman"), right_or_wrong([True] * 23 + [False] * 8))
    share = 23 / 31
    assert found.difference == pytest.approx(2.801585 * np.sqrt(2 * share * (1 - share) / 30), abs=1e-4)
    assert found.percent
    assert not found.tells_apart(0.74, 0.84)


def test_impossible_questions():
    with pytest.raises(InputError):
        detectable_proportion(0.5, 1)
    with pytest.raises(InputError):
        detectable_proportion(1.5, 10)
    with pytest.raises(InputError):
        detectable_mean(-1, 10, around=0, design="paired")
    with pytest.raises(InputError):
        detectable_paired_proportion(2, 10, around=0.5)
    assert detectable_proportion(0.5, 2).difference == 1


@given(st.floats(0.05, 0.95), st.integers(20, 5000))
@settings(deadline=None)
def test_more_dialogues_show_smaller_differences(share: float, n: int):
    assert 0 < detectable_proportion(share, 4 * n).difference <= detectable_proportion(share, n).difference <= 1
