"""Other hearings of the same utterance: what a speaker, a room, a microphone, a street and a line may do to a voice.

The head learns from clean studio recordings and will hear laptops and telephones. So utterances are played faster or slower,
higher or lower, cut short, coloured like a cheap microphone, put into a room, laid over noise and other voices, overdriven,
and sent through a codec.
"""

import numpy as np
from av.filter import Graph

from heartfelt.senses.voice.samples import RATE, Samples
from heartfelt.tuning.senses.codecs import CODECS, frame, through
from heartfelt.tuning.senses.sounds import resampled

HIGHER, FASTER = 0.13, 0.13
"""Shares by which the pitch (with the speed) and the speed alone go up or down at most."""
COLOUR = 5.0
"""Decibels of each of the waves that a microphone lays over the spectrum."""
PACED, CUT, DULL, THIN, ECHOED, NOISY, BABBLE, OVERDRIVEN, CODED = 0.5, 0.5, 0.4, 0.5, 0.5, 0.6, 0.3, 0.2, 0.5
"""Shares of the hearings with each of these; of the noise, a share is babble."""
SHORTEST = 1.5 * RATE
"""What is shorter is not cut."""


def view(wave: Samples, chance: np.random.Generator) -> Samples:
    """One other hearing."""
    heard = resampled(wave, chance.uniform(1 - HIGHER, 1 + HIGHER))
    if chance.random() < PACED:
        heard = _paced(heard, chance.uniform(1 - FASTER, 1 + FASTER))
    if chance.random() < CUT and len(heard) > SHORTEST:
        heard = _cut(heard, chance)
    heard = _coloured(heard, chance)
    if chance.random() < ECHOED:
        heard = _echoed(heard, chance)
    if chance.random() < NOISY:
        noise = _babble(heard, chance) if chance.random() < BABBLE else _hum(len(heard), chance)
        heard = heard + noise * (_loudness(heard) / _loudness(noise) * 10 ** (-chance.uniform(5, 35) / 20))
    if chance.random() < OVERDRIVEN:
        loudest = np.quantile(np.abs(heard), chance.uniform(0.97, 0.999))
        heard = np.clip(heard, -loudest, loudest)
    if chance.random() < CODED:
        heard = through(CODECS[chance.integers(len(CODECS))], heard, chance)
    return heard.astype(np.float32)


def _paced(wave: Samples, faster: float) -> Samples:
    """Faster or slower at the same pitch."""
    graph = Graph()
    graph.link_nodes(
        graph.add_abuffer(sample_rate=RATE, format="flt", layout="mono"),
        graph.add("atempo", f"{faster:.4f}"),
        graph.add("abuffersink"),
    ).configure()
    graph.push(frame(wave))
    graph.push(None)
    parts: list[Samples] = []
    while True:
        try:
            parts.append(graph.pull().to_ndarray()[0])
        except (BlockingIOError, EOFError):
            return np.concatenate(parts)


def _cut(wave: Samples, chance: np.random.Generator) -> Samples:
    length = int(chance.uniform(0.5, 1) * len(wave))
    first = chance.integers(0, len(wave) - length + 1)
    return wave[first : first + length]


def _coloured(wave: Samples, chance: np.random.Generator) -> Samples:
    """A smooth curve over the spectrum: five waves of random height and place; often no lows, often no highs."""
    spectrum = np.fft.rfft(wave, size := _quick(len(wave)))
    place = np.linspace(0, 1, len(spectrum))
    hertz = np.maximum(place * RATE / 2, 20)
    decibels = sum(
        chance.uniform(-COLOUR, COLOUR) * np.cos(np.pi * turns * place + chance.uniform(0, 2 * np.pi))
        for turns in (1, 2, 3, 5, 9)
    )
    if chance.random() < THIN:
        decibels = decibels - 24 * np.maximum(np.log2(chance.uniform(60, 250) / hertz), 0)
    if chance.random() < DULL:
        decibels = decibels - 36 * np.maximum(np.log2(hertz / chance.uniform(3_000, 7_000)), 0)
    return np.fft.irfft(spectrum * 10 ** (decibels / 20), size)[: len(wave)]


def _echoed(wave: Samples, chance: np.random.Generator) -> Samples:
    """A room whose echo begins after 2 to 30 ms and falls by 60 decibels within 0.15 to 0.8 seconds."""
    length = int(RATE * chance.uniform(0.1, 0.6))
    room = chance.standard_normal(length) * np.exp(-np.arange(length) / RATE * np.log(1000) / chance.uniform(0.15, 0.8))
    room[: int(RATE * chance.uniform(0.002, 0.03))] = 0
    room *= chance.uniform(0.1, 0.9) / np.sqrt(np.sum(room**2))
    room[0] += 1
    whole = _quick(len(wave) + length)
    return np.fft.irfft(np.fft.rfft(wave, whole) * np.fft.rfft(room, whole), whole)[: len(wave)]


def _babble(wave: Samples, chance: np.random.Generator) -> Samples:
    """Six voices at once, made of this one: backwards, at other pitches, from other places."""
    voices = (_played(wave[::-1], chance.uniform(0.7, 1.4)) for _ in range(6))
    return sum(np.resize(np.roll(voice, chance.integers(len(voice))), len(wave)) for voice in voices)


def _hum(length: int, chance: np.random.Generator) -> Samples:
    """Steady noise, from a hiss to a rumble."""
    spectrum = np.fft.rfft(chance.standard_normal(_quick(length)))
    tilt = (np.arange(1, len(spectrum) + 1) / len(spectrum)) ** chance.uniform(-1.2, 0.3)
    return np.fft.irfft(spectrum * tilt)[:length]


def _played(wave: Samples, speed: float) -> Samples:
    """Faster or slower, and roughly so: good enough for what nobody listens to."""
    return np.interp(np.arange(0, len(wave), speed), np.arange(len(wave)), wave)


def _quick(length: int) -> int:
    """The next length of which a spectrum is quickly taken."""
    return 1 << (length - 1).bit_length()


def _loudness(wave: Samples) -> float:
    return float(np.sqrt(np.mean(np.square(wave)))) + 1e-9
