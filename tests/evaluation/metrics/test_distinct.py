"""Counted by hand, and against sets of tuples."""

from math import e

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.evaluation.made import replies

from heartfelt.errors import InputError
from heartfelt.evaluation.metrics import measure
from heartfelt.evaluation.metrics.distinct import DifferentReplies, DistCorpus, DistResponse, Ead, EadTrace, adjusted
from heartfelt.evaluation.metrics.tokens import grams, tokenised

texts = st.lists(st.text(alphabet="ab A.'", max_size=24), min_size=1, max_size=8)


def sets_of_tuples(said: list[str], size: int) -> tuple[int, int]:
    found = [
        tuple(words[i : i + size]) for words in (text.lower().split() for text in said) for i in range(len(words) - size + 1)
    ]
    return len(set(found)), len(found)


def test_corpus_by_hand():
    run = replies("I am sorry", "I am sad", "oh")
    # i am sorry i am sad oh: 5 of 7; (i am)(am sorry)(i am)(am sad): 3 of 4; two triples, both different
    assert measure(DistCorpus(1), run).value == pytest.approx(5 / 7)
    assert measure(DistCorpus(2), run).value == pytest.approx(3 / 4)
    assert measure(DistCorpus(3), run).value == 1


def test_response_by_hand():
    run = replies("no no no yes", "I am sad", "oh")
    assert measure(DistResponse(1), run).value == pytest.approx((2 / 4 + 1 + 1) / 3)
    figure = measure(DistResponse(2), run)
    assert figure.value == pytest.approx((2 / 3 + 1) / 2)
    assert (figure.rows, figure.left_out) == (2, 1)


def test_punctuation_stays_on_the_word_unless_words_are_asked_for():
    run = replies("sorry.", "sorry")
    assert measure(DistCorpus(1), run).value == 1
    assert measure(DistCorpus(1, "lower-words"), run).value == pytest.approx(2 / 3)


def test_pairs_do_not_cross_replies_unless_told():
    run = replies("a b", "c d")
    assert measure(EadTrace(2, vocabulary=10), run).value == pytest.approx(2 / (10 * (1 - 0.9**2)))
    assert measure(EadTrace(2, vocabulary=10, span="across"), run).value == pytest.approx(3 / (10 * (1 - 0.9**3)))


def test_ead_by_hand():
    run = replies("a b a", "a c")
    assert measure(EadTrace(1, vocabulary=10), run).value == pytest.approx(3 / (10 * (1 - 0.9**5)))
    assert measure(Ead(1, vocabulary=10), run).value == pytest.approx(3 / (10 * (1 - 0.9**5)))
    assert measure(Ead(2, vocabulary=10), run).value == pytest.approx(3 / (100 * (1 - 0.99**3)))
    assert "V=10^2" in Ead(2, vocabulary=10).name


def test_ead_keeps_its_digits_where_n_grams_are_countless():
    found = adjusted(np.array(10.0), np.array(12.0), 50_257.0**3)
    assert float(found) == pytest.approx(10 / 12, rel=1e-9)


def test_same_replies():
    assert measure(DifferentReplies(), replies("Oh no!", "oh no !", "oh", "no")).value == pytest.approx(3 / 4)
    assert measure(DifferentReplies(), replies("a b", "b a")).value == 1


def test_nothing_to_count_is_an_error():
    with pytest.raises(InputError, match=r"without rows"):
        measure(DistCorpus(1), replies())
    with pytest.raises(InputError, match=r"no row with 3 words or more among 1"):
        measure(DistCorpus(3), replies("two words"))
    with pytest.raises(InputError):
        measure(DistResponse(1), replies("", "  "))


@given(texts, st.integers(1, 3))
@settings(deadline=None)
def test_as_sets_of_tuples_count(said: list[str], size: int):
    different, total = sets_of_tuples(said, size)
    found, _ = grams(tokenised(said, "lower-whitespace"), size)
    assert (np.unique(found).size, found.size) == (different, total)


@given(texts, st.integers(1, 3), st.randoms())
@settings(max_examples=40, deadline=None)
def test_the_order_of_replies_is_nothing(said: list[str], size: int, random):
    if not sets_of_tuples(said, size)[1]:
        return
    mixed = random.sample(said, len(said))
    for metric in (DistCorpus(size), DistResponse(size), Ead(size), DifferentReplies()):
        assert measure(metric, replies(*said)).value == pytest.approx(measure(metric, replies(*mixed)).value)


@given(texts, st.integers(1, 3), st.integers(2, 50))
@settings(max_examples=40, deadline=None)
def test_ranges(said: list[str], size: int, vocabulary: int):
    if not sets_of_tuples(said, size)[1]:
        return
    run = replies(*said)
    corpus = measure(DistCorpus(size), run).value
    assert 0 < corpus <= 1
    assert 0 < measure(DistResponse(size), run).value <= 1
    # Never below dist_corpus on the same n-grams: no sample can hold more different ones than it has.
    assert measure(EadTrace(size, vocabulary), run).value >= corpus - 1e-12
    if len({word for text in said for word in text.lower().split()}) <= vocabulary:
        assert corpus - 1e-12 <= measure(Ead(size, vocabulary), run).value <= e / (e - 1)


@given(st.text(alphabet="ab ", min_size=1, max_size=12).filter(str.strip), st.integers(1, 20))
@settings(max_examples=30, deadline=None)
def test_copies_divide_the_corpus_figure_and_leave_the_other(text: str, copies: int):
    once, often = replies(text), replies(*[text] * copies)
    assert measure(DistCorpus(1), often).value == pytest.approx(measure(DistCorpus(1), once).value / copies)
    assert measure(DistResponse(1), often).value == pytest.approx(measure(DistResponse(1), once).value)
