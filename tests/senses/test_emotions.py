"""The networks that ship: small, whole, and read in the labels of all senses."""

import json
from pathlib import Path

import numpy as np
import pytest

from heartfelt.errors import DamagedError, InputError
from heartfelt.fusion.fuse import LABELS, TRUSTED
from heartfelt.labels import label_set
from heartfelt.senses.default import VoiceEars
from heartfelt.senses.emotions import EmotionNetwork
from heartfelt.senses.emotions.network import ExpressionNetwork
from heartfelt.senses.face.sense import FaceSense
from heartfelt.senses.voice.layers import LONGEST, WIDTH, Layers, VocalEmotion, levelled, spoken
from heartfelt.weights import Store

from .face.drawing import drawn
from .voice.sounds import contour, sentence

SEVEN = set(label_set(LABELS).labels)


@pytest.mark.parametrize("name", ["face", "voice"])
def test_what_ships_is_small_and_says_under_which_licence(name: str):
    network = EmotionNetwork.shipped(name)
    terms, _ = network.load()
    assert network.path.stat().st_size < 5e6
    assert terms.licence and terms.data and set(terms.meant.values()) == SEVEN and 0.2 < terms.temperature < 8


def test_a_drawn_grin_is_joy():
    face = FaceSense(expression=ExpressionNetwork()).see(drawn(grin=True, open_eyes=0.5), 0.0).main
    assert face is not None and face.shares is not None
    assert set(face.shares) == SEVEN and sum(face.shares.values()) == pytest.approx(1)
    assert max(face.shares, key=face.shares.__getitem__) == "joy"


def test_no_lamp_changes_what_a_face_shows():
    network = ExpressionNetwork()
    face = np.random.default_rng(0).integers(0, 120, (48, 48)).astype(np.uint8)
    dark, light = network(face), network(face * 2 + 10)
    assert all(dark[label] == pytest.approx(light[label], abs=0.02) for label in SEVEN)


def test_a_voice_is_heard_the_same_from_near_and_far():
    sound = sentence(contour(120, 180, 110, seconds=2.0))
    network, layers = EmotionNetwork.shipped("voice"), Layers()
    near, far = (network.shares(layers(sound * gain)) for gain in (0.5, 0.05))
    assert set(near) == SEVEN and sum(near.values()) == pytest.approx(1)
    assert all(near[label] == pytest.approx(far[label], abs=0.02) for label in SEVEN)


def test_nothing_is_claimed_of_a_voice_where_no_emotion_is_likely_enough(tmp_path: Path):
    """Anger must be likelier than joy here. Below that a guess counts too little to contradict anybody."""
    shipped = EmotionNetwork.shipped("voice")
    terms = shipped.load()[0].model_copy(update={"least": {"anger": 0.8, "joy": 0.5}})
    (tmp_path / "voice.onnx").write_bytes(shipped.path.read_bytes())
    (tmp_path / "voice.json").write_text(terms.model_dump_json())
    sure = VocalEmotion(network=EmotionNetwork(tmp_path / "voice.onnx")).sure
    assert sure({"anger": 0.9, "joy": 0.1}) == 0.9 and sure({"anger": 0.4, "joy": 0.6}) == 0.6
    assert sure({"anger": 0.7, "joy": 0.3}) < TRUSTED


def test_the_voice_that_ships_must_be_sure_before_it_claims_anything_unpleasant():
    least = EmotionNetwork.shipped("voice").load()[0].least
    assert set(least) == SEVEN and min(least[label] for label in ("anger", "fear", "sadness", "disgust")) > 0.4


def test_without_the_network_that_hears_a_voice_its_emotion_is_not_told(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(Store, "has", lambda _store, name: name == "moonshine")
    voice = VoiceEars("moonshine:").voice
    assert voice.emotion is None
    assert voice.missing.endswith("heartfelt models pull whisper-base")


def test_the_silence_around_speech_says_nothing():
    sound = sentence(contour(120, 180, 110, seconds=2.0))
    quiet = np.random.default_rng(0).normal(0, 1e-6, 16_000).astype(np.float32)
    assert len(spoken(np.concatenate([quiet, sound, quiet]))) < len(sound) + 8_000


def test_very_short_and_very_long_speech_can_be_heard():
    layers = Layers()
    click = np.sin(np.arange(2_000) / 20).astype(np.float32) * 0.1
    assert layers(click).shape == (WIDTH,)
    assert len(levelled(np.tile(click, 200))) == LONGEST


def test_silence_is_refused():
    with pytest.raises(InputError, match="silent"):
        VocalEmotion()(np.zeros(16_000, np.float32))


def test_a_network_without_its_terms_is_damaged(tmp_path: Path):
    (tmp_path / "face.json").write_text(json.dumps({"labels": []}))
    with pytest.raises(DamagedError, match="install Heartfelt again"):
        EmotionNetwork(tmp_path / "face.onnx").shares(np.zeros((1, 48, 48), np.float32))
