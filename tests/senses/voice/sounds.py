"""Speech-like sound made of sums of harmonics under formants, so that its pitch, loudness and syllables are known exactly."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from heartfelt.senses.voice.samples import RATE, Samples

OPEN = ((700.0, 110.0), (1200.0, 120.0), (2600.0, 160.0))
CLOSED = ((320.0, 80.0), (2300.0, 120.0), (2900.0, 160.0))
_HIGHEST = 3500.0


def contour(*hertz: float, seconds: float) -> NDArray[np.float64]:
    """A pitch for each sample that glides evenly, to the ear, from one value to the next."""
    places = np.linspace(0, 1, len(hertz)) if len(hertz) > 1 else np.zeros(1)
    return np.exp(np.interp(np.linspace(0, 1, round(seconds * RATE)), places, np.log(hertz)))


def vowel(pitch: NDArray[np.float64], formants: Sequence[tuple[float, float]] = OPEN, peak: float = 0.3) -> Samples:
    phase = 2 * np.pi * np.cumsum(pitch) / RATE
    sound = np.zeros(len(pitch))
    for number in range(1, int(_HIGHEST / pitch.min()) + 1):
        hertz = number * pitch
        strength = sum(1 / (1 + np.square((hertz - centre) / width)) for centre, width in formants) + 0.02
        sound += np.where(hertz < _HIGHEST, strength / number**0.5, 0) * np.sin(number * phase)
    return (peak * sound / np.abs(sound).max()).astype(np.float32)


def sentence(pitch: NDArray[np.float64], *, rate: float = 4.0, peak: float = 0.3, fall: float = 0.0) -> Samples:
    """Vowels in turn, `rate` a second, with dips between them; `fall` is by how many decibels it fades to the end."""
    times = np.arange(len(pitch)) / RATE
    beat = 0.5 - 0.5 * np.cos(2 * np.pi * rate * times)
    mix = np.floor(rate * times).astype(int) % 2
    sound = np.where(mix, vowel(pitch, CLOSED), vowel(pitch, OPEN)) * (0.02 + 0.98 * beat)
    sound *= 10 ** (-fall / 20 * np.linspace(0, 1, len(pitch)))
    return (peak * sound / np.abs(sound).max()).astype(np.float32)


def silence(seconds: float) -> Samples:
    return np.zeros(round(seconds * RATE), np.float32)


def noise(seconds: float, level: float = 0.05, seed: int = 0) -> Samples:
    return (level * np.random.default_rng(seed).standard_normal(round(seconds * RATE))).astype(np.float32)


def tone(hertz: float, seconds: float, peak: float = 0.3) -> Samples:
    return (peak * np.sin(2 * np.pi * hertz * np.arange(round(seconds * RATE)) / RATE)).astype(np.float32)


def chord(seconds: float) -> Samples:
    """Music-like: a triad with overtones, struck twice a second."""
    times = np.arange(round(seconds * RATE)) / RATE
    notes = [np.sin(2 * np.pi * hertz * n * times) / n for hertz in (261.63, 329.63, 392.0) for n in (1, 2, 3)]
    return (0.08 * np.sum(notes, axis=0) * np.exp(-4 * (times % 0.5))).astype(np.float32)


def joined(*parts: Samples) -> Samples:
    return np.concatenate(parts)


def with_noise(sound: Samples, ratio: float, seed: int = 0) -> Samples:
    """With white noise `ratio` decibels below it."""
    hiss = np.random.default_rng(seed).standard_normal(len(sound))
    return (sound + hiss * np.sqrt(np.mean(np.square(sound)) / 10 ** (ratio / 10))).astype(np.float32)
