"""Sounds over a sound of which nobody said when they are heard."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heartfelt.expression.services.contract import ToldWord
from heartfelt.expression.services.laid import laid, runs
from heartfelt.expression.voice.normalise import normalise
from heartfelt.expression.voice.phonemes import symbols_of
from heartfelt.expression.voice.spoken import RATE
from heartfelt.expression.voice.timing import TimedSound, words_of

from ..voice.doubles import Letters
from .standin import hum

TEXT = "Mama, be here now; no more words."
PIECES = normalise(TEXT).pieces
SYMBOLS = symbols_of(PIECES, Letters(), "american")


def over(*stretches: tuple[float, float], seconds: float, words: list[ToldWord] | None = None) -> list[TimedSound]:
    return laid(SYMBOLS, PIECES, hum(*stretches, seconds=seconds, rate=RATE), words or [])


def starts(sounds: list[TimedSound]) -> dict[str, float]:
    return {word.text: word.start for word in words_of(sounds, PIECES)}


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.floats(0.01, 0.6), st.floats(0.001, 0.8)), max_size=14),
    st.lists(st.tuples(st.integers(0, len(PIECES) - 1), st.floats(0, 0.4), st.floats(0, 0.4)), max_size=8),
)
def test_whatever_is_heard_the_sounds_lie_edge_to_edge(heard: list[tuple[float, float]], told: list[tuple[int, float, float]]):
    stretches, at = list[tuple[float, float]](), 0.0
    for gap, length in heard:
        stretches.append((at + gap, at + gap + length))
        at += gap + length
    words, time = list[ToldWord](), 0.0
    for number, gap, length in told:
        words.append(ToldWord(text=PIECES[number].spoken, start=time + gap, end=time + gap + length))
        time += gap + length
    total = max(at, time, 0.1) + 0.2
    sounds = over(*stretches, seconds=total, words=words)
    assert sounds[0].start == 0 and sounds[-1].end == round(total * RATE)
    for before, after in pairwise(sounds):
        assert before.start <= before.end == after.start
    assert [sound.piece for sound in sounds if sound.symbol] == [symbol.piece for symbol in SYMBOLS if symbol.piece is not None]


def test_pauses_fall_on_marks():
    found = starts(over((0.3, 0.7), (1.0, 1.9), (2.2, 3.2), seconds=3.5))
    assert found["Mama"] == pytest.approx(0.3, abs=0.01)
    assert found["be"] == pytest.approx(1.0, abs=0.01)
    assert found["no"] == pytest.approx(2.2, abs=0.01)


def test_a_click_and_a_breath_are_no_words():
    found = starts(over((0.05, 0.06), (0.3, 0.7), (1.0, 1.9), (1.95, 1.955), (2.2, 3.2), (3.45, 3.5), seconds=3.6))
    assert found["Mama"] == pytest.approx(0.3, abs=0.01) and found["no"] == pytest.approx(2.2, abs=0.01)


def test_more_stretches_than_words_are_no_trouble():
    stretches = [(at * 0.4, at * 0.4 + 0.2) for at in range(20)]
    assert len(starts(over(*stretches, seconds=8.2))) == len(PIECES)


def test_a_sound_without_gaps_is_shared_by_length():
    words = words_of(over((0.0, 3.0), seconds=3.0), PIECES)
    lengths = {word.text: word.end - word.start for word in words}
    assert words[0].start == 0 and words[-1].end == pytest.approx(3.0) and lengths["words"] > lengths["be"]


def test_short_gaps_are_consonants():
    assert runs(hum((0.1, 0.5), (0.58, 0.9), (1.2, 1.5), seconds=2, rate=RATE)) == [
        (pytest.approx(0.1 * RATE, abs=130), pytest.approx(0.9 * RATE, abs=130)),
        (pytest.approx(1.2 * RATE, abs=130), pytest.approx(1.5 * RATE, abs=130)),
    ]
    assert runs(np.zeros(1000, np.float32)) == [(0, 1000)]
