import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heartfelt.errors import InputError
from heartfelt.expression.voice.counting import LARGEST, cardinal, ordinal, year
from heartfelt.expression.voice.normalise import normalise
from heartfelt.expression.voice.readings import lists


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("I'm 21 and the 3rd of 1,234.", "I'm twenty one and the third of one thousand two hundred thirty four."),
        (
            "in 1984, 2005, 1905, 1900 and 2019",
            "in nineteen eighty four, two thousand five, nineteen oh five, nineteen hundred and twenty nineteen",
        ),
        ("the 1990s, the '90s and my 30s", "the nineteen nineties, the nineties and my thirties"),
        ("at 5:30 p.m. or 10:00 or 7:05", "at five thirty PM or ten o'clock or seven oh five"),
        ("5pm. So", "five PM. So"),
        (
            "$5.20, £1.01, 100€ and $3 million",
            "five dollars and twenty cents, one pound and one penny, one hundred euros and three million dollars",
        ),
        ("50% of 3.14 is -5", "fifty percent of three point one four is minus five"),
        ("1 km, 12kg, 25°C, 3-5 miles", "one kilometer, twelve kilograms, twenty five degrees Celsius, three to five miles"),
        ("½ or 2/3 or x²", "one half or two thirds or x squared"),
        ("on 2024-05-17", "on May seventeenth twenty twenty four"),
        ("call 555-1234 or agent 007", "call five five five one two three four or agent zero zero seven"),
        ("Dr. Smith, e.g. Ann, etc.", "doctor Smith, for example Ann, et cetera."),
        ("the U.S.A. won", "the USA won"),
        ("me@ex-ample.com or https://www.foo.org/a1.", "me at ex dash ample dot com or W W W dot foo dot org slash a one."),
        ("Wait!!! What?! Hm...", "Wait! What? Hm…"),
        ("“Well,” she said (softly) — *yes*", "Well, she said, softly— yes"),
        ("I ♥ it 😀 :) so much <3", "I it so much"),
        ("one\ntwo\nThree\n\nfour", "one two, Three. four"),
        ("ﬁne, ｗｉｄｅ and naïve", "fine, wide and naïve"),
        ("1.2.3 and COVID-19 & B2B", "one point two point three and COVID nineteen and B two B"),
        ("12345678901234567890", "one two three four five six seven eight nine zero " * 2),
    ],
)
def test_what_is_written_short_is_said_long(written: str, spoken: str):
    assert normalise(written).text == spoken.strip()


def test_every_spoken_word_knows_what_was_written():
    text = "Pay $5 to Dr. Ng 😀 by 5 pm!"
    pieces = normalise(text).pieces
    assert [piece.written for piece in pieces] == ["Pay", "$5", "to", "Dr.", "Ng", "by", "5 pm"]
    assert all(text[piece.at :].startswith(piece.written) for piece in pieces)
    assert pieces[-1].mark == "!"


@pytest.mark.parametrize("text", ["", " \n", "😀😀", ":-) …", "***", "👩‍👩‍👧 🇩🇪"])
def test_a_text_without_a_word_is_refused(text: str):
    with pytest.raises(InputError, match="nothing to say in this text"):
        normalise(text)


@pytest.mark.parametrize(("text", "script"), [("你好", "Cjk"), ("I said привет", "Cyrillic"), ("مرحبا", "Arabic")])
def test_another_script_is_refused_with_its_name(text: str, script: str):
    with pytest.raises(InputError, match=f"letters are {script}.*Write it in Latin letters"):
        normalise(text)


@settings(deadline=None)
@given(st.text(max_size=60))
def test_any_text_becomes_words_without_digits_or_one_clear_error(text: str):
    try:
        script = normalise(text)
    except InputError as error:
        assert len(str(error)) > 40
        return
    assert not any(unicodedata.category(character).startswith("N") for character in script.text)
    assert all(piece.spoken and piece.spoken == " ".join(piece.spoken.split()) for piece in script.pieces)
    assert all(piece.written == text[piece.at : piece.at + len(piece.written)] for piece in script.pieces)
    assert [piece.at for piece in script.pieces] == sorted(piece.at for piece in script.pieces)


@settings(deadline=None)
@given(st.text(alphabet="0123456789 .,:/-$€%'()kmhapst°", min_size=1, max_size=30).map("so ".__add__))
def test_digits_beside_any_sign_are_said(text: str):
    assert not re.search(r"\d", normalise(text).text)


ABBREVIATED = {*lists()["titles"], *lists()["abbreviations"]}
"""A word with its full stop may be one of these by chance: «mr.» is said as mister."""
plain_word = st.from_regex(r"[a-z]{1,8}('[a-z]{1,3})?[,.!?;]?", fullmatch=True).filter(lambda word: word not in ABBREVIATED)


@settings(deadline=None)
@given(st.lists(plain_word, min_size=1, max_size=8).map(" ".join))
def test_plain_words_stay_as_they_are(text: str):
    assert normalise(text).text == text


@settings(deadline=None)
@given(st.text(alphabet="abAB 19.,!?-—'$%:/@&\n", max_size=30).map("so ".__add__))
def test_what_was_normalised_stays_as_it_is(text: str):
    once = normalise(text).text
    assert normalise(once).text == once


def test_a_long_text_takes_no_longer_than_its_length():
    assert normalise("word " * 20_000).words == 20_000
    assert normalise("a" * 50_000).words == 1
    assert normalise("1" * 5_000).words == 5_000
    assert normalise("a.b-" * 10_000).words > 0


@settings(deadline=None)
@given(st.integers(0, LARGEST))
def test_numbers_of_any_size_are_words(number: int):
    assert re.fullmatch(r"[a-z ]+", cardinal(number))
    assert re.fullmatch(r"[a-z ]+(st|nd|rd|th)", ordinal(number))


@pytest.mark.parametrize(
    ("number", "words"), [(0, "zero"), (13, "thirteen"), (40, "forty"), (100, "one hundred"), (-7, "minus seven")]
)
def test_cardinals(number: int, words: str):
    assert cardinal(number) == words


@pytest.mark.parametrize(
    ("number", "words"), [(1, "first"), (12, "twelfth"), (20, "twentieth"), (23, "twenty third"), (100, "one hundredth")]
)
def test_ordinals(number: int, words: str):
    assert ordinal(number) == words


@pytest.mark.parametrize(("number", "words"), [(2000, "two thousand"), (800, "eight hundred"), (1776, "seventeen seventy six")])
def test_years(number: int, words: str):
    assert year(number) == words
