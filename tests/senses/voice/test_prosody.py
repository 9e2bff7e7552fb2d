import numpy as np
import pytest

from heartfelt.senses.voice.breaks import breaks
from heartfelt.senses.voice.levels import measure_levels
from heartfelt.senses.voice.pitch import track
from heartfelt.senses.voice.prosody import listen
from heartfelt.senses.voice.samples import RATE, Samples, runs
from heartfelt.senses.voice.syllables import syllables

from .sounds import contour, joined, noise, sentence, silence, tone, vowel, with_noise


def spoken(sound: Samples) -> Samples:
    return joined(silence(0.3), sound, silence(0.3))


def test_runs():
    assert runs(np.array([1, 1, 0, 0, 1, 0, 1], bool)) == [(0, 2), (4, 5), (6, 7)]
    assert runs(np.zeros(0, bool)) == []


def test_pitch_and_melody_are_those_of_the_contour():
    prosody = listen(spoken(sentence(contour(200, seconds=2)))).prosody
    assert prosody.pitch == pytest.approx(200, rel=0.01)
    assert prosody.melody < 0.5
    lively = listen(spoken(sentence(contour(120, 240, 120, seconds=2)))).prosody
    assert lively.melody == pytest.approx(0.8 * 12, abs=1.5)


def test_the_level_follows_the_gain():
    loud, quiet = (listen(spoken(sentence(contour(150, seconds=2), peak=peak))).prosody for peak in (0.5, 0.05))
    assert loud.level - quiet.level == pytest.approx(20, abs=0.5)


def test_a_full_scale_sine_is_3_decibels_below_full_scale():
    assert np.median(measure_levels(tone(1000, 1, peak=1)).level) == pytest.approx(-3, abs=0.1)


def test_hiss_is_high_and_vowels_are_low():
    assert measure_levels(vowel(contour(150, seconds=0.5))).hiss[5:-5].max() < 0.1
    assert np.median(measure_levels(noise(0.5)).hiss) > 0.5


@pytest.mark.parametrize("rate", [2.5, 4.0, 6.0])
def test_syllables_are_counted(rate: float):
    prosody = listen(sentence(contour(140, 180, 120, seconds=4), rate=rate)).prosody
    assert prosody.pace == pytest.approx(rate, rel=0.1)


def test_a_tone_is_one_syllable_at_most_and_noise_is_none():
    for sound, most in ((tone(200, 2), 1), (noise(2), 0)):
        assert len(syllables(measure_levels(sound), track(sound).voiced)) <= most


def test_fading_is_measured_and_its_opposite_too():
    assert listen(spoken(sentence(contour(150, seconds=3), fall=24))).prosody.fall > 8
    assert listen(spoken(sentence(contour(150, seconds=3)))).prosody.fall == pytest.approx(0, abs=2)
    assert listen(spoken(sentence(contour(150, seconds=3), fall=-24))).prosody.fall < -5


def test_pauses_are_those_between_sounds():
    words = sentence(contour(150, seconds=1))
    prosody = listen(spoken(joined(words, silence(0.8), words)), start=10).prosody
    assert [(round(pause.start, 1), round(pause.end, 1)) for pause in prosody.pauses] == [(11.3, 12.1)]
    assert prosody.pace == pytest.approx(4, rel=0.25)


def test_a_voice_that_gives_way_breaks():
    # For a tenth of a second every 3 ms have a pitch of their own: as loud as before, and without a period.
    wild = np.repeat(np.random.default_rng(2).uniform(90, 420, 33), 48)
    hertz = contour(200, seconds=1)
    hertz[int(0.45 * RATE) : int(0.45 * RATE) + len(wild)] = wild
    (found,) = listen(spoken(vowel(hertz))).prosody.breaks
    assert found.start == pytest.approx(0.75, abs=0.03)
    assert found.end == pytest.approx(0.85, abs=0.03)
    assert listen(spoken(vowel(contour(200, seconds=1)))).prosody.breaks == ()


def test_a_voice_that_leaps_breaks_and_one_that_glides_does_not():
    leap = joined(vowel(contour(180, seconds=0.5)), vowel(contour(290, seconds=0.5)))
    glide = vowel(contour(180, 180, 290, 290, seconds=1))
    assert len(breaks(track(leap), measure_levels(leap))) == 1
    assert breaks(track(glide), measure_levels(glide)) == []


def test_stops_and_hisses_are_no_breaks():
    word = vowel(contour(200, seconds=0.3))
    for consonant in (silence(0.08), noise(0.08, 0.05)):
        assert listen(spoken(joined(word, consonant, word, consonant, word))).prosody.breaks == ()


def test_trembling_is_unsteady_and_gliding_is_not():
    times = np.arange(2 * RATE) / RATE
    trembling = vowel(200 * 2 ** (0.8 * np.sin(2 * np.pi * 11 * times) / 12))
    gliding = vowel(contour(120, 240, seconds=2))
    assert listen(spoken(trembling)).prosody.unsteadiness > 4 * listen(spoken(gliding)).prosody.unsteadiness


def test_sound_without_a_gap_needs_a_known_background():
    endless = vowel(contour(150, seconds=1))
    assert listen(endless).prosody.voiced == 0
    known = listen(endless, background=-60).prosody
    assert known.voiced == pytest.approx(1, abs=0.05)
    assert known.noise == pytest.approx(40, abs=5)


@pytest.mark.parametrize("ratio", [30, 20, 10])
def test_the_noise_is_measured(ratio: float):
    speech = sentence(contour(150, 190, 140, seconds=2))
    sound = with_noise(spoken(speech), ratio)
    assert listen(sound).prosody.noise == pytest.approx(ratio + 1, abs=4)
    assert listen(sound).prosody.pitch == pytest.approx(listen(speech).prosody.pitch, rel=0.03)


def test_clipping_is_counted():
    sound = sentence(contour(150, seconds=2), peak=0.9)
    assert listen(sound).prosody.clipped == 0
    assert listen(np.clip(sound * 4, -1, 1)).prosody.clipped > 0.05


@pytest.mark.parametrize("length", [0, 1, 100, 161, 800])
def test_the_shortest_sounds_measure_without_a_voice_or_with_little(length: int):
    assert listen(tone(200, 1)[:length]).prosody.voiced <= length / RATE
