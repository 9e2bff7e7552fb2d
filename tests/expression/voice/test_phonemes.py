import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heartfelt.errors import MissingExtra
from heartfelt.expression.voice import espeak
from heartfelt.expression.voice.espeak import Accent, Espeak
from heartfelt.expression.voice.normalise import normalise
from heartfelt.expression.voice.phonemes import laid_beside, symbols_of
from heartfelt.expression.voice.symbols import NUMBERS, spelled

from .doubles import Letters


def written(text: str, source: Letters) -> list[tuple[str, int | None]]:
    return [(symbol.text, symbol.piece) for symbol in symbols_of(normalise(text).pieces, source, "american")]


def test_symbols_know_their_piece_and_marks_belong_to_none():
    assert written("he is, so", Letters()) == [
        *(("h", 0), ("e", 0), (" ", None), ("i", 1), ("s", 1), (",", None), (" ", None), ("s", 2), ("o", 2)),
    ]


def test_clauses_are_asked_for_whole():
    source = Letters()
    written("He is here, so am I.", source)
    assert source.asked == ["He is here", "so am I"]


@pytest.mark.parametrize(("text", "symbols"), [("so I am", "so ˌi am"), ("I'm in", "ˌim in"), ("in", "in"), ("it", "it")])
def test_who_speaks_is_said_with_half_a_stress_or_it_would_be_swallowed(text: str, symbols: str):
    assert "".join(symbol for symbol, _ in written(text, Letters())) == symbols


def test_words_that_were_run_together_are_told_apart():
    symbols = written("one of the best", Letters("of the"))
    assert "".join(text for text, piece in symbols if piece == 1) == "of"
    assert "".join(text for text, piece in symbols if piece == 2) == "the"


def test_a_piece_of_several_words_keeps_its_spaces():
    assert "".join(text for text, piece in written("pay $5", Letters()) if piece == 1) == "five dollaɹs"


@settings(deadline=None)
@given(st.lists(st.text("abcd", min_size=1, max_size=5), min_size=1, max_size=6), st.text("abcd", max_size=20))
def test_any_text_is_cut_into_as_many_parts_as_there_are_words(words: list[str], text: str):
    parts = laid_beside(text, words)
    assert len(parts) == len(words)
    assert "".join(parts) == text
    assert laid_beside("".join(words), words) == words


@pytest.mark.parametrize(
    ("text", "accent", "symbols"),
    [
        ("day boy go now my judge church", "american", "dˈA bˈY ɡˌO nˈW mI ʤˈʌʤ ʧˈɜɹʧ"),
        ("go near the water", "british", "ɡˌQ nˌɪə ðə wˈɔːtə"),
        ("little water button", "american", "lˈɪTᵊl wˈɔTəɹ bˈʌtᵊn"),
    ],
)
def test_real_sounds_in_the_alphabet_of_the_network(text: str, accent: Accent, symbols: str):
    assert spelled(Espeak().sounds(text, accent), accent) == symbols


@settings(deadline=None)
@given(st.text(max_size=40))
def test_real_sounds_of_anything_are_in_the_alphabet(text: str):
    assert set(spelled(Espeak().sounds(text, "american"), "american")) <= set(NUMBERS)


def test_without_the_library_the_extra_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(espeak, "_library", espeak._library.__wrapped__)  # the library of this process is not started twice
    monkeypatch.setitem(sys.modules, "espeakng_loader", None)
    with pytest.raises(MissingExtra, match=r"pip install 'heartfelt\[voice\]'"):
        Espeak().sounds("hello", "american")


def test_many_may_ask_at_once_and_one_after_the_other():
    """The library has one state for the whole process; starting it twice once took the voice away, and the process with it."""

    def ask(number: int) -> str:
        return Espeak().sounds("water", "british" if number % 2 else "american")

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(ask, range(40)))
    assert len(set(found[::2])) == len(set(found[1::2])) == 1
    assert found[0] != found[1]
