"""Words go out whole, and a reply ends where the client asked it to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heartfelt.server.chat.cutting import ReplyWords

REPLY = "That must hurt. I am on your side."
texts = st.text("ab. \n", max_size=40)
pieces = st.lists(st.text("ab. \n", max_size=8), max_size=8)


def said(words: ReplyWords, *pieces: str) -> list[str]:
    return [word for piece in pieces for word in words.write(piece)] + list(words.end())


def test_every_word_goes_out_by_itself_and_nothing_is_lost():
    words = ReplyWords()
    assert said(words, "That mu", "st hurt. I am", " on your side.") == [
        *("That", " must", " hurt."),
        *(" I", " am", " on", " your", " side."),
    ]
    assert words.said == REPLY and words.finish == "stop"


def test_a_word_waits_until_it_is_whole():
    words = ReplyWords()
    assert list(words.write("That mu")) == ["That"]
    assert list(words.write("st ")) == [" must"]


@pytest.mark.parametrize(
    ("stops", "left"),
    [
        (("I am",), "That must hurt."),
        (("side", "hurt"), "That must"),
        (("hu",), "That must"),
        (("That",), ""),
        (("never",), REPLY),
        ((". I", "on"), "That must hurt"),
    ],
)
@pytest.mark.parametrize("size", [1, 3, 100])
def test_it_ends_before_the_first_stop_sequence_however_it_comes(stops: tuple[str, ...], left: str, size: int):
    words = ReplyWords(stops=stops)
    said(words, *(REPLY[at : at + size] for at in range(0, len(REPLY), size)))
    assert words.said == left and words.finish == "stop"


@pytest.mark.parametrize(
    ("limit", "left"), [(1, "That"), (3, "That must hurt."), (8, REPLY), (7, REPLY.removesuffix(" side."))]
)
def test_it_ends_after_so_many_tokens(limit: int, left: str):
    words = ReplyWords(limit=limit, count=lambda text: len(text.split()))
    said(words, REPLY)
    assert words.said == left and words.finish == ("stop" if left == REPLY else "length")


def test_what_must_not_be_cut_is_not():
    words = ReplyWords(stops=("hurt",), limit=1)
    words.uncut()
    assert "".join(said(words, REPLY)) == REPLY and words.finish == "stop"


@given(pieces=pieces)
def test_nothing_is_added_or_lost_but_space_at_the_end(pieces: list[str]):
    assert "".join(said(ReplyWords(), *pieces)) == "".join(pieces).rstrip()


@given(pieces=pieces, stop=st.text("ab. ", min_size=1, max_size=3))
def test_no_stop_sequence_ever_goes_out(pieces: list[str], stop: str):
    words, whole = ReplyWords(stops=(stop,)), "".join(pieces)
    out = "".join(said(words, *pieces))
    assert out == whole.partition(stop)[0].rstrip() and stop not in out


@given(pieces=pieces, limit=st.integers(1, 20))
def test_no_more_goes_out_than_is_taken(pieces: list[str], limit: int):
    words = ReplyWords(limit=limit, count=len)
    out = "".join(said(words, *pieces))
    assert len(out) <= limit and "".join(pieces).startswith(out)
    assert words.finish == ("stop" if out == "".join(pieces).rstrip() else "length")
