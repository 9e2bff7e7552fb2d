"""The embedded voice itself. Few sentences, chosen: each second of sound costs about a second here."""

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from heartfelt.expression.voice.emotions import manner_of
from heartfelt.expression.voice.kokoro import Kokoro
from heartfelt.expression.voice.manner import Manner
from heartfelt.expression.voice.measure import at_rate, measured
from heartfelt.expression.voice.spoken import SpokenAudio
from heartfelt.expression.voice.voices import invented, voice
from heartfelt.senses.voice.detect import FRAME, Silero
from heartfelt.senses.voice.moonshine import Moonshine
from heartfelt.senses.voice.prosody import listen

from .test_kokoro import check

pytestmark = [pytest.mark.embedded, pytest.mark.xdist_group("kokoro")]

SENTENCE = "I did not expect to see you, not today."


@pytest.fixture(scope="module")
def say() -> Callable[[str, str, str], SpokenAudio]:
    kokoro = Kokoro()

    @cache
    def say(text: str, name: str, emotion: str) -> SpokenAudio:
        return kokoro.say(text, voice=voice(name), manner=manner_of(emotion))

    return say


@pytest.mark.parametrize("name", ["heart", pytest.param("michael", marks=pytest.mark.slow)])
@pytest.mark.parametrize("emotion", ["sad", *[pytest.param(name, marks=pytest.mark.slow) for name in ("excited", "terrified")]])
def test_a_feeling_moves_the_voice_where_it_should(say: Callable[[str, str, str], SpokenAudio], name: str, emotion: str):
    manner = manner_of(emotion)
    rest, moved = measured(say(SENTENCE, name, "neutral")), measured(say(SENTENCE, name, emotion))
    shift = 12 * np.log2(moved.pitch / rest.pitch)
    assert shift == pytest.approx(manner.pitch, abs=1.5)
    # a sound lasts whole steps of 25 ms, and which way they round depends on the processor's kernels: 0.093 was seen
    assert moved.rate / rest.rate == pytest.approx(manner.rate, abs=0.1)
    assert moved.energy - rest.energy == pytest.approx(manner.energy, abs=1.5)
    assert (moved.brightness > rest.brightness) == (manner.brightness > 0)
    assert (moved.pauses > rest.pauses) == (manner.pause > 1)
    if abs(manner.range - 1) > 0.2:
        assert (moved.melody > rest.melody) == (manner.range > 1)


def test_a_tremor_is_heard_when_nothing_else_changes(say: Callable[[str, str, str], SpokenAudio]):
    """In semitones, beside the same words in a steady voice: melody has such swings too, so nothing less tells."""
    trembling, steady = (
        listen(at_rate(each.samples, each.rate)).pitch
        for each in (Kokoro().say(SENTENCE, manner=Manner(tremor=0.6)), say(SENTENCE, "heart", "neutral"))
    )
    rows = min(len(trembling.voiced), len(steady.voiced))
    both = trembling.voiced[:rows] & steady.voiced[:rows]
    apart = 12 * np.log2(trembling.hertz[:rows][both] / steady.hertz[:rows][both])
    assert 0.2 < np.std(apart[np.abs(apart) < 3]) < 0.6


def test_the_words_are_understood_and_come_when_they_are_said(say: Callable[[str, str, str], SpokenAudio]):
    spoken = say(SENTENCE, "heart", "neutral")
    check(spoken, SENTENCE)
    sound = at_rate(spoken.samples, spoken.rate)
    heard = Moonshine().transcribe(sound).words
    assert [_bare(word.text) for word in heard] == [_bare(word.text) for word in spoken.words]
    errors = [abs(one.start - other.start) for one, other in zip(heard, spoken.words, strict=True)]
    assert np.median(errors) < 0.06
    assert max(errors) < 0.2


def test_words_lie_where_a_voice_is_and_silences_where_none_is(say: Callable[[str, str, str], SpokenAudio]):
    spoken = say(SENTENCE, "michael", "neutral")
    level = np.abs(at_rate(spoken.samples, spoken.rate))
    frames = at_rate(spoken.samples, spoken.rate)[: len(level) // FRAME * FRAME].reshape(-1, FRAME)
    speech = Silero().detect(frames) > 0.5
    inside = np.zeros(len(frames), bool)
    for word in spoken.words:
        inside[round(word.start * 16000 / FRAME) : round(word.end * 16000 / FRAME)] = True
    assert np.mean(speech[inside]) > 0.9
    for phone in spoken.phones:
        if not phone.symbol:
            quiet = level[round(phone.start * 16000) + 160 : round(phone.end * 16000) - 160]
            assert quiet.max(initial=0.0) < 0.1 * level.max()


def test_the_first_sound_of_a_long_text_comes_early_in_a_voice_that_was_made_up():
    text = "Oh, that is a lot to carry, and I am glad that you told me about all of it today."
    first = next(Kokoro().stream(text, voice=invented(3, "man", "british")))
    assert [word.text for word in first.words] == ["Oh", "that", "is", "a", "lot", "to", "carry"]
    assert first.seconds < 3
    assert 70 < measured(first).pitch < 200


def _bare(word: str) -> str:
    return word.lower().strip(".,!?")
