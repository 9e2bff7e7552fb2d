import pytest
from tests.evaluation.made import replies, row

from heartfelt.errors import InputError
from heartfelt.evaluation.metrics import measure, read_run
from heartfelt.evaluation.metrics.repetition import CopyRate, SelfRepetition, Verbatim


def test_copied_from_what_was_said():
    run = read_run([
        row(0, "my dog died last week oh no", context=("hi", "My dog died last week")),
        row(1, "my dog died last week", context=("something else was said",)),
        row(2, "too short", context=("too short",)),
    ])  # fmt: skip
    # five words in a row stand there: two 4-grams of four; the second row's own context has none
    figure = measure(CopyRate("context"), run)
    assert figure.value == pytest.approx((2 / 4 + 0) / 2)
    assert figure.left_out == 1


def test_n_grams_do_not_cross_two_turns():
    run = read_run([row(0, "a b c d", context=("a b", "c d"))])
    assert measure(CopyRate("context"), run).value == 0


def test_an_exemplar_said_again():
    run = read_run([
        row(0, "I am so sorry!", exemplars=("oh", "i am so sorry !")),
        row(1, "I am sorry", exemplars=("I am so sorry",)),
        row(2, "without exemplars"),
    ])  # fmt: skip
    figure = measure(Verbatim(), run)
    assert (figure.value, figure.rows) == (0.5, 2)


def test_repeating_oneself():
    run = replies("that must be so hard", "oh that must be so nice", "one two three four one two three four", "short one")
    figure = measure(SelfRepetition(), run)
    assert figure.value == pytest.approx(2 / 3)
    assert figure.left_out == 1


def test_nothing_to_compare_with():
    for metric in (CopyRate("context"), CopyRate("exemplars"), Verbatim()):
        with pytest.raises(InputError, match=r"no row with"):
            measure(metric, replies("a b c d e"))
    with pytest.raises(InputError):
        measure(SelfRepetition(), replies("a"))
