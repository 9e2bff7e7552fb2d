from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from heartfelt.errors import InputError, StoreError
from heartfelt.expression.voice.kokoro import Kokoro
from heartfelt.expression.voice.measure import at_rate
from heartfelt.senses.voice.whisper import Manual, Whisper, _ModelParts
from heartfelt.weights import Store

from .sounds import silence, tone

PIECES = ["Ġgood", "Ġmor", "ning", ".", "Ġguten", "ĠTag"]
GOOD, MOR, NING, STOP, GUTEN, TAG = range(6)
END, START, EN, DE, TRANSCRIBE, TIME = 50257, 50258, 50259, 50261, 50359, 50364
SECONDS = 2.4


class Tokenizer:
    def id_to_token(self, number: int) -> str:
        return PIECES[number]

    def decode(self, numbers: Sequence[int]) -> str:
        return "".join(PIECES[number] for number in numbers).replace("Ġ", " ")


class Encoder:
    def run(self, names: list[str], inputs: dict[str, np.ndarray]) -> list[np.ndarray]:
        self.frames = inputs["input_features"].shape[2] // 2
        return [np.zeros((1, self.frames, 8), np.float32)]


class Decoder:
    """Writes the scripted tokens of the language that it was told, each while it listens to the scripted frame."""

    def __init__(self, german: float, **scripts: list[tuple[int, int]]):
        self.german, self.scripts = german, scripts
        self.given: list[int] = []
        self.sure = 20.0

    def get_inputs(self) -> list[SimpleNamespace]:
        sides = ("decoder", "encoder")
        return [SimpleNamespace(name=f"past_key_values.0.{side}.key", shape=[1, 2, "n", 4]) for side in sides]

    def run(self, names: list[str], inputs: dict[str, np.ndarray]) -> list[np.ndarray]:
        past = inputs["past_key_values.0.decoder.key"].shape[2]
        self.given = [*self.given[:past], int(inputs["input_ids"][0, 0])]
        assert inputs["use_cache_branch"].tolist() == [past > 0]
        frames, scores = inputs["encoder_hidden_states"].shape[1], np.full(TIME + 1500, -20.0, np.float32)
        attention = np.full((1, 2, 1, frames), 0.001, np.float32)
        if self.given == [START]:
            scores[[EN, DE]] = np.log([1 - self.german, self.german])
        elif len(self.given) > 3:
            script = self.scripts["de" if self.given[1] == DE else "en"]
            number, frame = script[min(len(self.given) - 4, len(script) - 1)]
            scores[number] = self.sure
            attention[..., frame] = 0.9
        made = {"logits": scores[None, None], "cross_attentions.0": attention}
        made |= {"present.0.decoder.key": np.zeros((1, 2, past + 1, 4)), "present.0.encoder.key": np.zeros((1, 2, frames, 4))}
        assert ("present.0.encoder.key" in names) == (past == 0), "it is worked out once"
        return [made[name] for name in names]


def whisper(monkeypatch: pytest.MonkeyPatch, decoder: Decoder) -> Whisper:
    manual = Manual({"en": EN, "de": DE}, never=[STOP], heads=[(0, 0), (0, 1)])
    parts = _ModelParts(cast(Any, Encoder()), cast(Any, decoder), cast(Any, Tokenizer()), manual)
    monkeypatch.setattr(Whisper, "_parts", parts)
    return Whisper()


MORNING = [(GOOD, 20), (MOR, 50), (NING, 60), (TIME + 110, 100)]
TAG_ = [(GUTEN, 20), (TAG, 60), (TIME + 110, 100)]


def test_tokens_become_words_with_times_and_confidence(monkeypatch: pytest.MonkeyPatch):
    said = whisper(monkeypatch, Decoder(0.1, en=MORNING)).transcribe(tone(150, SECONDS))
    good, morning = said.words
    assert (good.text, morning.text, said.language) == ("good", "morning", "")
    assert (good.start, morning.start) == pytest.approx((20.5 * 0.02 - 0.065, 50.5 * 0.02 - 0.065))
    assert good.end == morning.start
    assert good.confidence == pytest.approx(1, abs=0.01)


def test_what_is_surely_another_language_is_written_in_it(monkeypatch: pytest.MonkeyPatch):
    said = whisper(monkeypatch, Decoder(0.97, en=MORNING, de=TAG_)).transcribe(tone(150, SECONDS))
    assert ([word.text for word in said.words], said.language) == (["guten", "Tag"], "de")


@pytest.mark.parametrize(("german", "sure"), [(0.7, 20.0), (0.97, -10.0)], ids=["perhaps", "not at ease with its words"])
def test_what_is_not_surely_another_language_is_english(monkeypatch: pytest.MonkeyPatch, german: float, sure: float):
    decoder = Decoder(german, en=MORNING, de=TAG_)
    decoder.sure = sure
    said = whisper(monkeypatch, decoder).transcribe(tone(150, SECONDS))
    assert ([word.text for word in said.words], said.language) == (["good", "morning"], "")


def test_a_sentence_that_closes_early_is_followed_by_the_next(monkeypatch: pytest.MonkeyPatch):
    twice = [(GOOD, 20), (TIME + 40, 30), (TIME + 40, 30), (MOR, 60), (NING, 70), (TIME + 110, 100)]
    decoder = Decoder(0.1, en=twice)
    assert [word.text for word in whisper(monkeypatch, decoder).transcribe(tone(150, SECONDS)).words] == ["good", "morning"]
    assert decoder.given[:4] == [START, EN, TRANSCRIBE, TIME]


def test_a_network_in_circles_is_stopped(monkeypatch: pytest.MonkeyPatch):
    assert len(whisper(monkeypatch, Decoder(0.1, en=[(GOOD, 20)])).transcribe(tone(150, SECONDS)).words) == 21


def test_an_end_at_once_is_no_words(monkeypatch: pytest.MonkeyPatch):
    assert whisper(monkeypatch, Decoder(0.1, en=[(END, 0)])).transcribe(silence(SECONDS)) == ((), "")


def test_what_is_no_sound_is_refused_before_anything_is_loaded(tmp_path: Path):
    with pytest.raises(InputError, match="not numbers"):
        Whisper(store=Store(tmp_path)).transcribe(np.full(1600, np.nan, np.float32))


def test_missing_weights_say_how_to_get_them(tmp_path: Path):
    with pytest.raises(StoreError, match="models pull whisper-small"):
        Whisper("small", Store(tmp_path)).transcribe(silence(1))


# ── the real network, and the embedded voice ────────────────────────────────────────────────────────────────────────


@pytest.mark.embedded
@pytest.mark.xdist_group("kokoro")
def test_the_real_network_writes_english_down_as_it_is_said():
    spoken = Kokoro().say("I did not expect to see you, not today.", voice="heart")
    heard = Whisper().transcribe(at_rate(spoken.samples, spoken.rate))
    assert (" ".join(word.text for word in heard.words), heard.language) == ("I did not expect to see you, not today.", "")
    assert [word.start for word in heard.words] == pytest.approx([word.start for word in spoken.words], abs=0.2)


@pytest.mark.embedded
@pytest.mark.parametrize("seconds", [0.0, 0.05, 15.5])
def test_the_real_network_takes_the_shortest_and_the_longest_stretch(seconds: float):
    assert all(0 <= word.start <= word.end <= max(seconds, 0.02) for word in Whisper().transcribe(tone(150, seconds)).words)
