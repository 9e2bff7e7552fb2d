"""Sentences that are spoken ahead: kept as they were said, for this person and manner, and only those of the list."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from heartfelt.expression.embedded import EmbeddedVoice
from heartfelt.expression.persona import Persona, persona_named
from heartfelt.expression.speech_cache import SpeechCache, StockPhrase, opened, stepped, stock_phrases
from heartfelt.expression.style import Style
from heartfelt.expression.voice.emotions import manner_of
from heartfelt.expression.voice.speaker import Hummer
from heartfelt.expression.voice.spoken import SpokenAudio, joined
from heartfelt.weights import Store

MAYA, OMAR = persona_named("maya"), persona_named("omar")


class Counting(EmbeddedVoice):
    """Hums, and knows what it was asked to say."""

    def __init__(self):
        super().__init__(Hummer())
        self.asked: list[str] = []

    def say(self, text: str, style: Style, persona: Persona, *, piecewise: bool = False) -> Iterator[SpokenAudio]:
        self.asked.append(text)
        return super().say(text, style, persona, piecewise=piecewise)


@pytest.fixture
def voice() -> Counting:
    return Counting()


@pytest.fixture
def cache(voice: Counting, tmp_path: Path) -> SpeechCache:
    return SpeechCache(voice, Store(tmp_path))


def first() -> StockPhrase:
    return next(iter(stock_phrases()))


def test_what_was_made_is_said_without_the_voice(cache: SpeechCache, voice: Counting):
    text, style = first()
    before = joined(list(cache.say(text, style, MAYA)))
    for _ in cache.make(first(), MAYA):
        pass
    voice.asked.clear()
    after = joined(list(cache.say(text, style, MAYA)))
    assert not voice.asked
    assert np.abs(after.samples - before.samples).max() < 1e-4
    assert after.phones == before.phones and after.words == before.words


def test_another_person_another_manner_and_other_words_are_made_as_ever(cache: SpeechCache, voice: Counting):
    text, style = first()
    for _ in cache.make(first(), MAYA):
        pass
    voice.asked.clear()
    list(cache.say(text, style, OMAR))
    list(cache.say(text, Style(emotion="angry", intensity=1.0), MAYA))
    list(cache.say("Your sister forgot your birthday.", style, MAYA))
    assert voice.asked == [text, text, "Your sister forgot your birthday."]


def test_a_sentence_that_is_not_kept_begins_with_an_interjection_that_is(cache: SpeechCache, voice: Counting):
    begun = next(phrase for phrase in stock_phrases() if phrase.text == "Oh,")
    for _ in cache.make(begun, MAYA):
        pass
    voice.asked.clear()
    text = "Oh, that's four hours on a Sunday."
    stretches = list(cache.say(text, begun.style, MAYA))
    assert voice.asked == ["that's four hours on a Sunday."]
    words = [text[word.at : word.at + len(word.text)] for stretch in stretches for word in stretch.words]
    assert words == ["Oh", "that's", "four", "hours", "on", "a", "Sunday"]
    list(cache.say("Oh, Omar.", begun.style, OMAR))
    assert voice.asked[-1] == "Oh, Omar."


@pytest.mark.parametrize(
    ("text", "begun"),
    [("Oh no, the dog!", "Oh no,"), ("Oh no.", ""), ("That is hard, I think.", ""), ("Wow! Yes, really.", ""), ("Oh,", "")],
)
def test_only_a_word_or_two_before_a_comma_are_an_interjection(text: str, begun: str):
    assert opened(text)[0] == begun


def test_what_is_missing_grows_less(cache: SpeechCache):
    assert next(cache.missing(MAYA)) == first()
    for _ in cache.make(first(), MAYA):
        pass
    assert next(cache.missing(MAYA)) != first() and next(cache.missing(OMAR)) == first()


def test_only_sentences_of_the_list_are_ever_written(cache: SpeechCache, tmp_path: Path):
    list(cache.say("Your sister forgot your birthday.", Style(), MAYA))
    assert not list(tmp_path.rglob("said-*"))


def test_one_that_was_given_up_in_the_middle_is_not_kept(cache: SpeechCache):
    next(cache.make(first(), MAYA))
    assert next(cache.missing(MAYA)) == first()


@pytest.mark.parametrize(("intensity", "kept"), [(0.0, 0.25), (0.36, 0.25), (0.38, 0.5), (0.6, 0.5), (1.0, 1.0)])
def test_intensities_are_told_apart_in_quarters(intensity: float, kept: float):
    assert stepped(Style(emotion="caring", intensity=intensity)).intensity == kept


def test_the_list_is_of_sentences_that_can_be_said_in_their_style():
    assert len(stock_phrases()) >= 60
    for text, style in stock_phrases():
        assert text.strip() == text and text[-1] in ".!?…," and stepped(style) == style
        manner_of(style.emotion, style.intensity, style.tone)


def test_a_manner_that_can_hardly_be_told_apart_is_not_made_again(cache: SpeechCache, voice: Counting):
    text, style = first()
    for _ in cache.make(first(), MAYA):
        pass
    voice.asked.clear()
    list(cache.say(text, style.model_copy(update={"intensity": style.intensity + 0.1}), MAYA))
    assert not voice.asked
