"""Against scipy.stats.bootstrap on the same draws, and what must hold of any interval."""

from importlib import import_module

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.evaluation.made import named, replies, right_or_wrong, row

from heartfelt.errors import InputError
from heartfelt.evaluation.metrics import Metric, Run, read_run
from heartfelt.evaluation.metrics.distinct import DistCorpus
from heartfelt.evaluation.metrics.judged import JudgedMetric
from heartfelt.evaluation.metrics.recognition import Accuracy, MacroF1
from heartfelt.evaluation.statistics.interval import interval, standard_error

MARK = JudgedMetric("mark", "A mark.", "nobody", high=None, low=None)
VALUES = [1.0, 4.0, 2.0, 8.0, 5.0, 7.0, 1.0, 3.0, 9.0, 30.0, 2.0, 2.5]


def marks(values: list[float], dialogues: list[int] | None = None) -> Run:
    places = dialogues or list(range(len(values)))
    return read_run(
        row(i, dialogue=str(d), judged={"mark": value}) for i, (value, d) in enumerate(zip(values, places, strict=True))
    )


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_as_scipy_does_on_the_same_draws(method: str):
    stats = import_module("scipy.stats")
    found = interval(MARK, marks(VALUES), method=method, times=999, seed=7)  # type: ignore[arg-type]
    known = stats.bootstrap(
        (VALUES,), np.mean, n_resamples=999, method=method, rng=np.random.default_rng(7), vectorized=True
    ).confidence_interval
    assert (found.low, found.high) == pytest.approx((known.low, known.high))


def test_turns_of_one_dialogue_are_drawn_together():
    # Ten dialogues whose turns agree: the interval must be that of ten, not of a hundred.
    alone = interval(Accuracy("ekman"), right_or_wrong([i % 2 == 0 for i in range(10)]))
    copied = interval(Accuracy("ekman"), right_or_wrong([i // 10 % 2 == 0 for i in range(100)], a_dialogue=10))
    assert (copied.low, copied.high) == pytest.approx((alone.low, alone.high))
    assert (copied.dialogues, copied.rows) == (10, 100)


def test_the_same_seed_gives_the_same_interval_and_another_one_does_not():
    run = marks(VALUES)
    assert interval(MARK, run, seed=1) == interval(MARK, run, seed=1)
    assert interval(MARK, run, seed=1) != interval(MARK, run, seed=2)


def test_different_words_take_the_jackknife():
    """Every resample of dist_corpus is too small, so its quantiles would lie below the figure."""
    run = replies(*(f"w{i} x{i} the cat" for i in range(30)))
    found = interval(DistCorpus(1), run)
    assert found.method == "jackknife"
    assert found.low < found.value < found.high
    tally = DistCorpus(1).tally(run)
    drawn = np.random.default_rng(0).multinomial(30, np.ones(30) / 30, 200).astype(float)
    assert tally.values(drawn).max() < found.value
    with pytest.raises(InputError, match=r"jackknife"):
        interval(DistCorpus(1), run, method="percentile")


def test_the_standard_error_of_a_mean_is_the_usual_one():
    error = standard_error(MARK.tally(marks(VALUES)))
    assert error == pytest.approx(np.std(VALUES, ddof=1) / np.sqrt(len(VALUES)))


def test_too_little_is_an_error():
    with pytest.raises(InputError, match=r"two dialogues or more, and the run has 1"):
        interval(MARK, marks([1.0, 2.0], [0, 0]))
    with pytest.raises(InputError, match=r"level between 0 and 1"):
        interval(MARK, marks([1.0, 2.0]), level=95)
    with pytest.raises(InputError, match=r"resamples"):
        interval(MARK, marks([1.0, 2.0]), times=0)


def test_where_all_are_alike_there_is_no_width():
    for method in ("percentile", "bca", "jackknife"):
        found = interval(MARK, marks([2.0] * 5), method=method)
        assert (found.low, found.value, found.high) == pytest.approx((2, 2, 2))


def test_it_is_told_in_words():
    told = interval(Accuracy("ekman"), right_or_wrong([True] * 23 + [False] * 8)).words
    assert told.startswith("0.742 (95 % interval 0.5")
    assert told.endswith("over 31 dialogues)")


@given(st.lists(st.floats(-100, 100), min_size=2, max_size=12), st.sampled_from(["percentile", "jackknife"]))
@settings(max_examples=40, deadline=None)
def test_a_mean_lies_in_its_interval(values: list[float], method: str):
    found = interval(MARK, marks(values), method=method, times=300)  # type: ignore[arg-type]
    slack = 1e-9 * (1 + abs(found.value))
    assert found.low - slack <= found.value <= found.high + slack
    assert min(values) - slack <= found.low or method == "jackknife"


@pytest.mark.parametrize("metric", [Accuracy("ekman"), MacroF1("ekman")])
def test_batches_change_nothing(metric: Metric, monkeypatch: pytest.MonkeyPatch):
    run = named([("sad", "sad"), ("sad", "fear"), ("fear", "fear"), ("anger", "sad")] * 5, a_dialogue=2)
    whole = interval(metric, run, times=100)
    monkeypatch.setattr("heartfelt.evaluation.statistics.draws._ROOM", 10)
    assert interval(metric, run, times=100) == whole
