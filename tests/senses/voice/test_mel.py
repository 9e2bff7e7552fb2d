import numpy as np
import pytest

from heartfelt.senses.voice.mel import log_mel

from .sounds import joined, silence, tone


def test_a_band_for_each_ten_milliseconds():
    assert log_mel(tone(200, 1)).shape == (80, 100)
    assert log_mel(silence(0.5)).shape == (80, 50)


@pytest.mark.parametrize(("hertz", "band"), [(200, 4), (1000, 26), (4000, 62)])
def test_a_tone_lies_in_its_band(hertz: float, band: int):
    """Below 1,000 hertz the bands are 37 hertz apart, above they are ever wider."""
    samples = np.sin(2 * np.pi * hertz * np.arange(8000) / 16000).astype(np.float32)
    assert abs(int(log_mel(samples)[:, 25].argmax()) - band) <= 1


def test_how_loud_it_is_moves_all_bands_alike_and_silence_is_the_floor():
    loud = tone(200, 0.5)
    quiet = log_mel(loud * np.float32(0.1))
    # a tenth is 2 powers of ten less power, and a unit is 4 of them
    assert np.median(log_mel(loud)[quiet > quiet.min()] - quiet[quiet > quiet.min()]) == pytest.approx(0.5, abs=0.01)
    beside = log_mel(joined(loud, silence(0.5)))
    assert beside[:, 80].max() == pytest.approx(beside.max() - 2)
