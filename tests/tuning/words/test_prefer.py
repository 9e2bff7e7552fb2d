"""A tiny network learns which of two answers raters preferred, and still writes."""

from pathlib import Path

import numpy as np
import pytest

from heartfelt.tuning.words.corpus import Preference
from heartfelt.tuning.words.lessons import WordsLessons

pytest.importorskip("torch", reason="torch is an extra; `make test` brings it")

from heartfelt.tuning.words.prefer import PreferencePairs, PreferenceTeaching, paired, prefer, told_apart

from .test_teach import DIGITS, TEACHING, Letters, network, packed

PREFERRING = PreferenceTeaching(rate=5e-3, epochs=12, pairs=8)
BETTER, WORSE = [100, 7], [60]


def test_the_worse_answer_is_learnt_without_its_end():
    (better, worse), weights = paired(
        [Preference(("My tea is cold.",), "Oh no.", "Lovely!", 3.0)], WordsLessons(Letters()), 4000
    )
    said = [bytes(token for token in each.tokens[each.asked :] if token < 256).decode() for each in (better, worse)]
    assert said == ["Oh no.", "Lovely!"] and weights.tolist() == [2.0]
    assert better.tokens[-1] > 255 > worse.tokens[-1] and len(worse.decided) == len(worse.tokens) - worse.asked


def test_a_pair_that_fits_no_row_is_left_out():
    pair = Preference(("My tea is cold. " * 9,), "Oh no.", "Lovely!", 3.0)
    assert paired([pair], WordsLessons(Letters()), 64) == ([], pytest.approx(np.zeros(0)))


def test_without_pairs_nothing_is_learnt_and_that_is_said(base: Path):
    said, none = list[str](), PreferencePairs(packed([(20, BETTER, 0.0, True)]), np.zeros(0, np.float32))
    prefer(network(base), none, packed([(20, BETTER, 0.0, True)]), PREFERRING, TEACHING, DIGITS, said.append)
    assert "nothing is learnt" in said[0] and len(said) == 1


def test_the_better_answer_becomes_the_likelier_one(base: Path):
    answers = [(20 + i // 2 % 4, BETTER if i % 2 else WORSE, 0.0, True) for i in range(1, 33)]
    pairs = PreferencePairs(packed(answers), np.ones(16, np.float32))
    lessons, made = packed([(20, BETTER, 0.0, True), (21, BETTER, 4.0, False)] * 8), network(base)
    before = told_apart(made, pairs, PREFERRING, TEACHING)
    prefer(made, pairs, lessons, PREFERRING, TEACHING, DIGITS, lambda _line: None)
    assert told_apart(made, pairs, PREFERRING, TEACHING) == 1.0 >= before
