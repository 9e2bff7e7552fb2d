"""How something was said, measured on the sound itself: the proof that a manner arrived."""

import numpy as np

from heartfelt.expression.voice.spoken import SpokenAudio
from heartfelt.records import Record
from heartfelt.senses.voice.prosody import listen
from heartfelt.senses.voice.samples import RATE, Samples

_HIGH = 2000.0


class Measures(Record):
    """One stretch of speech."""

    pitch: float
    """The median in hertz; 0 where there was no voice."""
    melody: float
    """From the 10th to the 90th percentile of the pitch, in semitones."""
    rate: float
    """Sounds of the language a second, pauses left out."""
    energy: float
    """The median loudness of the voiced sound in decibels, where 0 is full scale."""
    pauses: float
    """Seconds of silence between the first and the last sound."""
    brightness: float
    """How many decibels the sound above 2 kilohertz is below the whole."""


def measured(spoken: SpokenAudio) -> Measures:
    sound = at_rate(spoken.samples, spoken.rate)
    prosody = listen(sound).prosody
    voiced = [phone for phone in spoken.phones if phone.symbol]
    talking = sum(phone.end - phone.start for phone in voiced)
    return Measures(
        pitch=prosody.pitch or 0.0,
        melody=prosody.melody,
        rate=len(voiced) / max(talking, 1e-6),
        energy=prosody.level,
        pauses=voiced[-1].end - voiced[0].start - talking if voiced else 0.0,
        brightness=_brightness(sound),
    )


def at_rate(samples: Samples, rate: int, wanted: int = RATE) -> Samples:
    """The sound at another rate, with what it has above the new one's half left out."""
    if rate == wanted or not samples.size:
        return samples
    length = round(len(samples) * wanted / rate)
    spectrum = np.fft.rfft(samples, len(samples))[: length // 2 + 1]
    return (np.fft.irfft(spectrum, length) * (length / len(samples))).astype(np.float32)


def _brightness(sound: Samples) -> float:
    power = np.square(np.abs(np.fft.rfft(sound)))
    high = power[np.fft.rfftfreq(len(sound), 1 / RATE) >= _HIGH].sum() if sound.size else 0.0
    return float(10 * np.log10((high + 1e-12) / (power.sum() + 1e-12)))
