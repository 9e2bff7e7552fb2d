from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from heartfelt.errors import InputError, StoreError
from heartfelt.senses.voice.moonshine import Moonshine, _decode, _ModelParts, _words
from heartfelt.senses.voice.vocabulary import END, Vocabulary
from heartfelt.weights import Store

from .sounds import contour, joined, sentence, silence, tone

PIECES = [b"<unk>", b"<s>", b"</s>", "▁good".encode(), "▁mor".encode(), b"ning", b"."]
SECONDS = 2.4
FRAMES = 100


class Encoder:
    def run(self, names: None, inputs: dict[str, np.ndarray]) -> list[np.ndarray]:
        assert inputs["input_values"].shape == inputs["attention_mask"].shape
        return [np.zeros((1, FRAMES, 288), np.float32)]


class Decoder:
    """Writes the scripted tokens, each while it listens to the scripted frame; checks what it is given back."""

    def __init__(self, script: list[tuple[int, int]]):
        self.script = script
        self.steps = 0

    def get_inputs(self) -> list[SimpleNamespace]:
        return [SimpleNamespace(name=f"past_key_values.0.{side}.key") for side in ("decoder", "encoder")]

    def run(self, names: list[str], inputs: dict[str, np.ndarray]) -> list[np.ndarray]:
        step, self.steps = self.steps, self.steps + 1
        token, frame = self.script[min(step, len(self.script) - 1)]
        assert inputs["encoder_attention_mask"].shape == (1, int(SECONDS * 16000))
        assert inputs["use_cache_branch"].tolist() == [step > 0]
        assert inputs["past_key_values.0.decoder.key"].shape[2] == step
        assert inputs["past_key_values.0.encoder.key"].shape[2] == (FRAMES if step else 0)
        logits = np.zeros((1, 1, len(PIECES)), np.float32)
        logits[..., token] = 20
        attention = np.full((1, 8, 1, FRAMES), 0.001, np.float32)
        attention[..., frame] = 0.9
        present = {
            side: np.zeros((1, 8, length, 36), np.float32) for side, length in (("decoder", step + 1), ("encoder", FRAMES))
        }
        outputs = {"logits": logits, "attention": attention}
        outputs |= {f"present.0.{side}.key": value for side, value in present.items()}
        assert ("present.0.encoder.key" in names) == (step == 0), "it is worked out once"
        return [outputs[name] for name in names]


def parts(script: list[tuple[int, int]]) -> _ModelParts:
    return _ModelParts(cast(Any, Encoder()), cast(Any, Decoder(script)), Vocabulary(PIECES))


def test_tokens_become_words_with_times_and_confidence():
    made = parts([(3, 20), (4, 50), (5, 60), (6, 90), (END, 95)])
    sound = tone(150, SECONDS)
    good, morning = _words(_decode(made, sound), made.vocabulary, sound)
    assert (good.text, morning.text) == ("good", "morning.")
    assert (good.start, morning.start) == pytest.approx((20.5 * 0.024 - 0.03, 50.5 * 0.024 - 0.03))
    assert good.end == morning.start
    assert morning.end == pytest.approx(SECONDS)
    assert good.confidence == pytest.approx(1, abs=0.01)


def test_a_network_in_circles_is_stopped():
    assert len(_decode(parts([(3, 20)]), tone(150, SECONDS))) == 17


def test_an_end_at_once_is_no_words(monkeypatch: pytest.MonkeyPatch):
    moonshine = Moonshine()
    monkeypatch.setattr(Moonshine, "_parts", parts([(END, 0)]))
    assert moonshine.transcribe(silence(SECONDS)).words == ()


def test_what_is_no_sound_is_refused_before_anything_is_loaded(tmp_path: Path):
    with pytest.raises(InputError, match="not numbers"):
        Moonshine(Store(tmp_path)).transcribe(np.full(1600, np.nan, np.float32))


def test_missing_weights_say_how_to_get_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("heartfelt.weights.store._installed", lambda artefact: [])
    with pytest.raises(StoreError, match="models pull moonshine"):
        Moonshine(Store(tmp_path)).transcribe(silence(1))


@pytest.mark.embedded
def test_the_real_network_gives_the_same_words_in_any_thread_and_times_within_the_sound():
    moonshine = Moonshine()
    sound = joined(silence(0.4), sentence(contour(130, 180, 110, seconds=1.5)), silence(0.4))
    first = moonshine.transcribe(sound).words
    with ThreadPoolExecutor(3) as pool:
        assert all(heard.words == first for heard in pool.map(moonshine.transcribe, [sound] * 3))
    assert all(0 <= word.start <= word.end <= len(sound) / 16000 for word in first)
    assert all(word.confidence and 0 < word.confidence <= 1 for word in first)


@pytest.mark.embedded
@pytest.mark.parametrize("seconds", [0.0, 0.05, 15.5])
def test_the_real_network_takes_the_shortest_and_the_longest_stretch(seconds: float):
    assert all(word.end <= max(seconds, 0.25) for word in Moonshine().transcribe(tone(150, seconds)).words)
