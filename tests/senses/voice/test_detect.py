from pathlib import Path

import numpy as np
import pytest

from heartfelt.errors import StoreError
from heartfelt.senses.voice.detect import FRAME, LoudnessDetector, Silero
from heartfelt.senses.voice.samples import Samples
from heartfelt.weights import Store

from .sounds import chord, contour, joined, noise, sentence, silence, tone


def frames(sound: Samples) -> Samples:
    return sound[: len(sound) // FRAME * FRAME].reshape(-1, FRAME)


def test_the_double_goes_by_loudness():
    sound = frames(joined(silence(0.32), tone(200, 0.32)))
    assert LoudnessDetector().detect(sound).tolist() == [0] * 10 + [1] * 10


def test_missing_weights_say_how_to_get_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("heartfelt.weights.store._installed", lambda artefact: [])
    with pytest.raises(StoreError, match="models pull silero"):
        Silero(Store(tmp_path)).detect(np.zeros((1, FRAME), np.float32))


def test_no_frames_load_nothing(tmp_path: Path):
    assert Silero(Store(tmp_path)).detect(np.zeros((0, FRAME), np.float32)).shape == (0,)


@pytest.mark.embedded
def test_silero_carries_its_state_from_call_to_call():
    sound = frames(joined(silence(0.5), sentence(contour(120, 160, 110, seconds=2)), silence(0.5)))
    whole, parts = Silero(), Silero()
    expected = whole.detect(sound)
    assert np.abs(np.concatenate([parts.detect(row[None]) for row in sound]) - expected).max() < 1e-5
    whole.reset()
    assert np.array_equal(whole.detect(sound), expected)


@pytest.mark.embedded
@pytest.mark.parametrize("sound", [silence(3), noise(3), tone(220, 3), chord(3)], ids=["silence", "noise", "tone", "chord"])
def test_silero_takes_none_of_these_for_speech(sound: Samples):
    assert np.mean(Silero().detect(frames(sound)) > 0.5) < 0.05


@pytest.mark.embedded
def test_silero_hears_a_voice_an_octave_too_high_by_slowing_it_down():
    high = sentence(contour(220, 280, 230, seconds=4))[::2]
    sound = frames(joined(silence(0.5), high, silence(0.5)))
    both, plain = Silero(), Silero()
    plain._slowed = lambda frames: np.zeros((2 * len(frames), FRAME), np.float32)
    assert np.mean(both.detect(sound) > 0.5) > 0.5 > 0.2 > np.mean(plain.detect(sound) > 0.5)
