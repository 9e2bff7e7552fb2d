"""What is asserted is what was measured, with some room: 2 cents on steady sound, 13 cents on glides of an octave a second."""

import numpy as np
import pytest
from numpy.typing import NDArray

from heartfelt.senses.voice.pitch import HOP, track
from heartfelt.senses.voice.samples import Samples

from .sounds import CLOSED, OPEN, contour, noise, silence, tone, vowel, with_noise


def errors(sound: Samples, pitch: NDArray[np.float64]) -> NDArray[np.float64]:
    """In cents, of the voiced rows; the edges, where half of a window is silence, are left out."""
    found, true = track(sound).hertz[5:-5], pitch[::HOP][5 : len(sound) // HOP - 5]
    voiced = found > 0
    assert voiced.mean() > 0.98
    return 1200 * np.log2(found[voiced] / true[voiced])


@pytest.mark.parametrize("hertz", [65, 90, 130, 190, 270, 380, 480, 580])
@pytest.mark.parametrize("formants", [OPEN, CLOSED], ids=["open", "closed"])
def test_steady_vowels(hertz: float, formants: tuple[tuple[float, float], ...]):
    pitch = contour(hertz, seconds=1)
    assert np.abs(errors(vowel(pitch, formants), pitch)).max() < 8


@pytest.mark.parametrize("hertz", [70, 220, 560])
def test_pure_tones(hertz: float):
    assert np.abs(errors(tone(hertz, 1), contour(hertz, seconds=1))).max() < 2


@pytest.mark.parametrize("ends", [(80, 160), (100, 400), (400, 120), (200, 580), (180, 240, 150)])
@pytest.mark.parametrize("ratio", [60, 10, 5, 0], ids=lambda ratio: f"{ratio} dB")
def test_glides_with_and_without_noise(ends: tuple[float, ...], ratio: float):
    pitch = contour(*ends, seconds=2)
    found = np.abs(errors(with_noise(vowel(pitch), ratio), pitch))
    assert np.median(found) < 13
    assert np.mean(found > 300) < 0.01, "octave and other gross errors"


def test_noise_and_silence_have_no_pitch():
    assert track(noise(5)).voiced.mean() < 0.01
    assert not track(silence(1)).voiced.any()


def test_a_hum_below_a_voice_is_not_voice():
    sound = np.concatenate([vowel(contour(200, seconds=0.5)), tone(100, 0.5, peak=0.0005)])
    assert track(sound).voiced[:45].all()
    assert not track(sound).voiced[55:].any()


@pytest.mark.parametrize("length", [0, 1, 159, 160, 500])
def test_any_length_will_do(length: int):
    found = track(tone(200, 1)[:length])
    assert len(found.hertz) == len(found.fit) == length // HOP
