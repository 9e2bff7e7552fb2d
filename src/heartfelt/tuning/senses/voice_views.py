"""Other hearings of the same utterance: what a room, a microphone and a street may do to a voice.

The head learns from clean studio recordings and will hear laptops. So utterances are played faster or slower, coloured like a
cheap microphone, put into a room, laid over noise, and cut short.
"""

import numpy as np

from heartfelt.senses.voice.samples import RATE, Samples
from heartfelt.tuning.senses.sounds import resampled

FASTER = 0.1
"""Share by which the speed, and with it the pitch, goes up or down at most."""
COLOUR = 3.0
"""Decibels of each of the waves that a microphone lays over the spectrum."""
ECHOED, NOISY, CUT = 0.4, 0.7, 0.5
"""Shares of the hearings with an echo, with noise, and with only a part of the utterance."""
SHORTEST = 1.5 * RATE
"""What is shorter is not cut."""


def view(wave: Samples, chance: np.random.Generator) -> Samples:
    """One other hearing."""
    heard = _coloured(resampled(wave, chance.uniform(1 - FASTER, 1 + FASTER)), chance)
    if chance.random() < ECHOED:
        heard = _echoed(heard, chance)
    if chance.random() < NOISY:
        heard = heard + _noise(len(heard), chance) * _loudness(heard) * 10 ** (-chance.uniform(5, 35) / 20)
    if chance.random() < CUT and len(heard) > SHORTEST:
        length = int(chance.uniform(0.5, 1) * len(heard))
        first = chance.integers(0, len(heard) - length + 1)
        heard = heard[first : first + length]
    return heard.astype(np.float32)


def _coloured(wave: Samples, chance: np.random.Generator) -> Samples:
    """A smooth curve over the spectrum: four waves of random height and place."""
    spectrum = np.fft.rfft(wave)
    place = np.linspace(0, 1, len(spectrum))
    decibels = sum(
        chance.uniform(-COLOUR, COLOUR) * np.cos(np.pi * wave * place + chance.uniform(0, 2 * np.pi)) for wave in (1, 2, 3, 5)
    )
    return np.fft.irfft(spectrum * 10 ** (decibels / 20), len(wave))


def _echoed(wave: Samples, chance: np.random.Generator) -> Samples:
    """A room whose echo falls by 60 decibels within 0.15 to 0.5 seconds."""
    length = int(RATE * chance.uniform(0.1, 0.4))
    fall = np.exp(-np.arange(length) / RATE * np.log(1000) / chance.uniform(0.15, 0.5))
    room = chance.standard_normal(length) * fall
    room *= chance.uniform(0.1, 0.6) / np.sqrt(np.sum(room**2))
    room[0] += 1
    whole = len(wave) + length
    return np.fft.irfft(np.fft.rfft(wave, whole) * np.fft.rfft(room, whole), whole)[: len(wave)]


def _noise(length: int, chance: np.random.Generator) -> Samples:
    """Steady noise, from a hiss to a rumble, at a loudness of 1."""
    spectrum = np.fft.rfft(chance.standard_normal(length))
    tilt = (np.arange(1, len(spectrum) + 1) / len(spectrum)) ** chance.uniform(-1, 0.3)
    noise = np.fft.irfft(spectrum * tilt, length)
    return noise / _loudness(noise)


def _loudness(wave: Samples) -> float:
    return float(np.sqrt(np.mean(wave**2)))
