"""The worked example of Krippendorff (2011), the package `krippendorff` where it is there, and what must hold."""

from importlib import import_module

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heartfelt.errors import InputError
from heartfelt.evaluation.statistics.agreement import Level, alpha_interval, krippendorff_alpha

# Four observers, twelve units: the reliability data of «Computing Krippendorff's Alpha-Reliability», section C.
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]
UNITS = [list(unit) for unit in zip(*OBSERVERS, strict=True)]


@pytest.mark.parametrize(("level", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_the_published_example(level: Level, alpha: float):
    assert krippendorff_alpha(UNITS, level) == pytest.approx(alpha, abs=0.0006)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_as_the_package_computes_it(level: Level):
    package = import_module("krippendorff")
    random = np.random.default_rng(4)
    for _ in range(5):
        table = random.integers(1, 6, (15, 3)).astype(float)
        table[random.random(table.shape) < 0.2] = np.nan
        ours = [[None if np.isnan(value) else float(value) for value in line] for line in table]
        assert krippendorff_alpha(ours, level) == pytest.approx(package.alpha(table.T, level_of_measurement=level))


def test_words_are_nominal():
    assert krippendorff_alpha([["a", "a"], ["b", "b"], ["a", "b"]], "nominal") == pytest.approx(1 - 5 * 2 / (2 * 9))
    with pytest.raises(InputError, match=r"needs numbers"):
        krippendorff_alpha([["a", "b"]], "ordinal")


def test_what_is_not_defined():
    with pytest.raises(InputError, match=r"two or more have rated"):
        krippendorff_alpha([[1, None], [None, 2]], "nominal")
    with pytest.raises(InputError, match=r"two or more have rated"):
        krippendorff_alpha([], "nominal")
    with pytest.raises(InputError, match=r"All ratings are the same"):
        krippendorff_alpha([[1, 1], [1, 1]], "interval")


def test_an_interval_over_units():
    found = alpha_interval(UNITS, "nominal", times=300)
    assert found.low < found.value < found.high <= 1


@given(
    st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4)), min_size=2, max_size=12),
    st.sampled_from(["nominal", "ordinal", "interval"]),
)
@settings(max_examples=40, deadline=None)
def test_raters_may_change_places_and_no_one_agrees_more_than_wholly(pairs: list[tuple[int, int]], level: Level):
    if len({value for pair in pairs for value in pair}) < 2:
        return
    alpha = krippendorff_alpha(pairs, level)
    assert alpha <= 1
    assert alpha == pytest.approx(krippendorff_alpha([pair[::-1] for pair in pairs[::-1]], level))
    assert (alpha == pytest.approx(1)) == all(one == other for one, other in pairs)
