"""Temperatures and figures."""

import numpy as np
import pytest

from heartfelt.errors import InputError
from heartfelt.fusion.fuse import LABELS
from heartfelt.labels import label_set
from heartfelt.tuning.senses import contract
from heartfelt.tuning.senses.claims import NEVER, claimed, least_shares
from heartfelt.tuning.senses.recall import recall
from heartfelt.tuning.senses.report import figures, recall_interval
from heartfelt.tuning.senses.sounds import NAMES
from heartfelt.tuning.senses.temperature import fitted, shares

from . import made_up


def drawn(sure: float, count: int = 1_500) -> tuple[np.ndarray, np.ndarray]:
    """Scores and labels that are drawn from them, the scores then made `sure` times as large."""
    random = np.random.default_rng(0)
    scores = random.normal(0, 1.5, (count, 4))
    gold = np.array([random.choice(4, p=row) for row in shares(scores)], np.int64)
    return scores * sure, gold


@pytest.mark.parametrize("sure", [0.5, 1.0, 3.0])
def test_the_temperature_undoes_what_made_the_scores_too_sure(sure: float):
    assert fitted(*drawn(sure)) == pytest.approx(sure, rel=0.12)


def test_a_temperature_mends_the_calibration_and_changes_no_choice():
    scores, gold = drawn(3.0)
    told = figures(scores, gold, ("a", "b", "c", "d"), temperature=fitted(scores, gold))
    assert told["calibration_error"]["mean"] < 0.05 < told["calibration_error_before_temperature"]
    assert told["accuracy"]["mean"] == pytest.approx((scores.argmax(1) == gold).mean(), abs=1e-3)
    assert np.array(told["confusion"]).sum() == len(gold)


def test_a_rare_label_counts_as_much_as_a_common_one():
    gold = np.array([0] * 90 + [1] * 10)
    assert recall(np.zeros(100, np.int64), gold) == 0.5


def test_whole_speakers_make_a_wider_interval_than_clips():
    gold, groups = np.tile(np.arange(2), 60), np.repeat(np.arange(6), 20)
    best = np.where(groups < 3, gold, 1 - gold)
    clips, speakers = recall_interval(best, gold), recall_interval(best, gold, groups)
    assert clips["mean"] == speakers["mean"] == 0.5
    assert speakers["high"] - speakers["low"] > 2 * (clips["high"] - clips["low"])


def test_too_few_rows_are_refused():
    with pytest.raises(InputError, match="two rows"):
        fitted(np.zeros((1, 3)), np.zeros(1, np.int64))


@pytest.mark.parametrize("names", [made_up.FACES, NAMES], ids=["face", "voice"])
def test_every_label_has_a_word_that_all_senses_share(names: tuple[str, ...]):
    assert {contract.MEANT.get(name, name) for name in names} == set(label_set(LABELS).labels)


def test_it_claims_only_from_where_it_is_right_often_enough():
    """The first label is right of nine in ten claims where it is sure; the second never is, and the third never occurs."""
    found = np.repeat([[0.9, 0.1, 0.0], [0.6, 0.4, 0.0], [0.2, 0.8, 0.0]], 100, axis=0)
    gold = np.concatenate([np.arange(100) >= 90, np.arange(100) >= 60, np.arange(100) >= 30]).astype(np.int64)
    gold[200:] = 1 - gold[200:]
    least = least_shares(found, gold, right=0.9)
    assert least == [0.61, NEVER, 0.81]
    told = claimed(found, gold, least, np.tile(np.arange(10), 30))
    assert told["claims"]["mean"] == pytest.approx(1 / 3, abs=1e-3) and told["claims"]["n"] == 300
    assert told["right_when_it_claims"]["mean"] == pytest.approx(0.9) and told["right_when_it_claims"]["n"] == 100
