import numpy as np
import pytest

from heartfelt.expression.voice.manner import Manner
from heartfelt.expression.voice.measure import at_rate, measured
from heartfelt.expression.voice.sound import brightened, louder
from heartfelt.expression.voice.speaker import Hummer


def noise(seconds: float = 1.0, level: float = 0.05) -> np.ndarray:
    return (level * np.random.default_rng(0).standard_normal(round(24000 * seconds))).astype(np.float32)


def high(samples: np.ndarray) -> float:
    power = np.square(np.abs(np.fft.rfft(samples)))
    return float(10 * np.log10(power[3000:].sum() / power[:1200].sum()))


def test_brightness_moves_the_high_sounds_and_keeps_the_loudness():
    plain, bright, dark = noise(), brightened(noise(), 4.0), brightened(noise(), -4.0)
    assert high(bright) == pytest.approx(high(plain) + 4, abs=0.2)
    assert high(dark) == pytest.approx(high(plain) - 4, abs=0.2)
    assert np.std(bright) == pytest.approx(np.std(plain), rel=0.01)
    assert brightened(plain, 0.0) is plain


def test_nothing_is_ever_cut_off():
    loud = louder(noise(level=0.15), 6.0)
    assert 0.85 < np.abs(loud).max() < 1.0
    assert np.abs(louder(noise(level=0.5), 6.0)).max() <= 1.0
    assert loud.dtype == np.float32
    assert np.allclose(louder(noise(), 6.0), noise() * 10 ** (6 / 20), atol=1e-6)


def test_another_rate_keeps_the_pitch():
    tone = np.sin(2 * np.pi * 440 * np.arange(24000) / 24000).astype(np.float32)
    assert np.abs(np.fft.rfft(at_rate(tone, 24000))).argmax() == 440
    assert len(at_rate(tone, 24000)) == 16000


def test_the_double_speaks_in_time_and_in_manner():
    text = "Well, pay $5. Now!"
    plain, moved = Hummer().say(text), Hummer().say(text, manner=Manner(pitch=3, energy=3, rate=1.2))
    assert [word.text for word in plain.words] == ["Well", "pay", "$5", "Now"]
    assert plain.phones[-1].end == pytest.approx(plain.seconds, abs=1e-4)
    before, after = measured(plain), measured(moved)
    assert 12 * np.log2(after.pitch / before.pitch) == pytest.approx(3, abs=0.2)
    assert after.energy - before.energy == pytest.approx(3, abs=0.3)
    assert after.rate > before.rate
