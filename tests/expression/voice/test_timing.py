from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heartfelt.expression.voice.phonemes import Symbol
from heartfelt.expression.voice.timing import FRAME, TimedSound, heard, paced, phones_of, sounds_of


def made(text: str, frames: int = 4) -> list[TimedSound]:
    return sounds_of([Symbol(letter, 0) for letter in text], np.full(len(text) + 2, frames, np.int64))


def test_stress_is_the_vowels_and_length_belongs_to_the_sound_before():
    _, b, vowel, _ = made("bˈiː")
    assert (b.symbol, b.stressed) == ("b", False)
    assert (vowel.symbol, vowel.stressed) == ("iː", True)
    assert vowel.end - vowel.start == 3 * 4 * FRAME


def test_a_space_is_shared_and_a_mark_is_a_silence():
    sounds = made("a b, d")
    assert [sound.symbol for sound in sounds] == ["", "a", "b", "", "d", ""]
    assert sounds[1].end == sounds[2].start == sounds[1].start + 6 * FRAME


@settings(deadline=None)
@given(st.text("abˈː ,.dA", max_size=30), st.integers(1, 9))
def test_the_sounds_lie_edge_to_edge_over_the_whole(text: str, frames: int):
    sounds = made(text, frames)
    assert sounds[0].start == 0
    assert sounds[-1].end == (len(text) + 2) * frames * FRAME
    assert all(one.end == other.start and one.start <= one.end for one, other in pairwise(sounds))


def test_a_sound_that_fades_within_its_time_ends_where_it_is_heard_last():
    sounds = [TimedSound("", 0, 2400), TimedSound("a", 2400, 12000), TimedSound("", 12000, 14400)]
    samples = np.zeros(14400, np.float32)
    samples[3600:6000] = 0.3
    silence, vowel, after = heard(sounds, samples)
    assert (silence.end, vowel.start, vowel.end, after.start) == (3600, 3600, 6000, 6000)


def test_silences_are_stretched_and_the_edges_are_as_long_as_was_asked():
    sounds = [
        TimedSound("", 0, 2400),
        TimedSound("a", 2400, 4800),
        TimedSound("", 4800, 7200),
        TimedSound("b", 7200, 9600),
        TimedSound("", 9600, 9720),
    ]
    samples = np.where(np.arange(9720) % 4800 >= 2400, 0.3, 0.0).astype(np.float32)
    kept, sound = paced(sounds, samples, 1.5, 0.02, 0.5)
    assert [one.end - one.start for one in kept] == [480, 2400, 3600, 2400, 12000]
    assert len(sound) == kept[-1].end
    phones = phones_of(kept)
    assert phones[-1].end == pytest.approx(len(sound) / 24000)
