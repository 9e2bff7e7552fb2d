from hypothesis import given
from hypothesis import strategies as st

from heartfelt.page import difference as module
from heartfelt.page.difference import Change, difference

WORDS = st.lists(st.sampled_from(["I", "am", "so", "sorry", "glad", ",", "."]), max_size=12).map(" ".join)


def test_words_that_changed_stand_between_words_that_did_not():
    assert difference("I am so glad for you.", "I am so sorry for you.") == [
        Change("same", "I am so"),
        Change("gone", " glad"),
        Change("new", " sorry"),
        Change("same", " for you."),
    ]


def test_texts_that_are_alike_have_no_change():
    assert difference("the same", "the same") == [Change("same", "the same")]
    assert difference("", "") == []


def test_a_lone_word_in_common_is_no_island():
    assert difference("cats like fish", "dogs like bones") == [
        Change("gone", "cats like fish"),
        Change("new", "dogs like bones"),
    ]


def test_very_long_texts_are_replaced_whole(monkeypatch):
    monkeypatch.setattr(module, "MOST_WORDS", 2)
    assert difference("a b c", "a b d") == [Change("gone", "a b c"), Change("new", "a b d")]


@given(before=st.text(max_size=60) | WORDS, now=st.text(max_size=60) | WORDS)
def test_both_texts_can_be_read_off(before: str, now: str):
    changes = difference(before, now)
    assert "".join(change.text for change in changes if change.kind != "gone") == now
    assert "".join(change.text for change in changes if change.kind != "new") == before
