import re
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from heartfelt.errors import InputError, StoreError, UnknownName
from heartfelt.expression.voice.kokoro import MOST_WORDS, Kokoro
from heartfelt.expression.voice.manner import Manner
from heartfelt.expression.voice.spoken import SpokenAudio, joined
from heartfelt.expression.voice.voices import Voice, voice
from heartfelt.weights import Store

from .doubles import Network, speaker


def check(spoken: SpokenAudio, text: str) -> None:
    """What must hold for whatever is said."""
    assert spoken.samples.dtype == np.float32
    assert np.abs(spoken.samples).max() <= 1
    assert spoken.phones[0].start == 0
    assert spoken.phones[-1].end == pytest.approx(spoken.seconds)
    assert sum(phone.end - phone.start for phone in spoken.phones) == pytest.approx(spoken.seconds)
    assert all(one.end == pytest.approx(other.start) for one, other in pairwise(spoken.phones))
    assert all(one.end <= other.start + 1e-6 for one, other in pairwise(spoken.words))
    assert all(text[word.at :].startswith(word.text) for word in spoken.words)


def test_sound_and_times_agree(monkeypatch: pytest.MonkeyPatch):
    kokoro, _ = speaker(monkeypatch)
    text = "he is here, so am I. Pay $5"
    spoken = kokoro.say(text)
    check(spoken, text)
    assert [word.text for word in spoken.words] == ["he", "is", "here", "so", "am", "I", "Pay", "$5"]
    for word in spoken.words:
        inside = spoken.samples[round((word.start + 0.01) * 24000) : round((word.end - 0.01) * 24000)]
        assert np.sqrt(np.mean(np.square(inside))) > 0.1, word
    for phone in spoken.phones:
        if not phone.symbol and phone.end - phone.start > 0.05:
            assert np.abs(spoken.samples[round(phone.start * 24000) + 200 : round(phone.end * 24000) - 200]).max() < 0.01


def test_the_manner_reaches_the_network(monkeypatch: pytest.MonkeyPatch):
    kokoro, network = speaker(monkeypatch)
    kokoro.say("so", manner=Manner(pitch=12 / 4, range=1.3, rate=0.8, tremor=0.5))
    inputs = network.inputs[0]
    assert inputs["shift"] == pytest.approx(np.log(2) / 4)
    assert inputs["range"] == pytest.approx(1.3)
    assert inputs["stretch"] == pytest.approx(1.25)
    assert inputs["tremor"] == pytest.approx(np.log(2) / 24)


def test_pauses_and_energy_are_the_manners(monkeypatch: pytest.MonkeyPatch):
    kokoro, _ = speaker(monkeypatch)
    plain, slow = kokoro.say("so. so."), kokoro.say("so. so.", manner=Manner(pause=2.0))
    assert slow.seconds - plain.seconds == pytest.approx(0.8, abs=0.01)
    loud = kokoro.say("so. so.", manner=Manner(energy=6.0))
    assert np.abs(loud.samples).max() == pytest.approx(2 * np.abs(plain.samples).max(), rel=0.01)


def test_sentences_come_one_by_one_and_make_the_whole(monkeypatch: pytest.MonkeyPatch):
    kokoro, network = speaker(monkeypatch)
    stream = kokoro.stream("he is. so am I. we do")
    first = next(stream)
    assert [word.text for word in first.words] == ["he", "is"]
    assert len(network.inputs) == 1, "nothing is made before it is asked for"
    rest = list(stream)
    whole = kokoro.say("he is. so am I. we do")
    assert sum(len(part.samples) for part in (first, *rest)) == len(whole.samples)


def test_five_thousand_words_stream_and_are_not_said_at_once(monkeypatch: pytest.MonkeyPatch):
    kokoro, _ = speaker(monkeypatch)
    text = "so am I, " * 2000
    longest = max(len(part.samples) for part in kokoro.stream(text))
    assert longest < 30 * 24000
    with pytest.raises(InputError, match=rf"6,000 words is too long .* {MOST_WORDS:,} are the most. Use stream\(\)"):
        kokoro.say(text)


@pytest.mark.parametrize("text", ["x" * 3000, "9" * 1000, "wwwwwwwwww " * 200, "a" * 39 + "!"])
def test_what_has_no_end_is_cut(monkeypatch: pytest.MonkeyPatch, text: str):
    kokoro, network = speaker(monkeypatch)
    check(kokoro.say(text), text)
    assert max(inputs["input_ids"].shape[1] for inputs in network.inputs) <= 510


def test_a_word_without_a_sound_has_no_time(monkeypatch: pytest.MonkeyPatch):
    kokoro, _ = speaker(monkeypatch)
    assert [word.text for word in kokoro.say("so ccc am").words] == ["so", "am"]


@pytest.mark.parametrize("text", ["", "😀", "你好"])
def test_what_cannot_be_said_is_told_before_anything_is_loaded(tmp_path: Path, text: str):
    with pytest.raises(InputError):
        Kokoro(Store(tmp_path)).stream(text)


def test_an_unknown_voice_is_told_at_once(tmp_path: Path):
    with pytest.raises(UnknownName, match="no voice 'nobody'"):
        Kokoro(Store(tmp_path)).stream("hello", voice="nobody")


def test_missing_weights_say_how_to_get_them(tmp_path: Path):
    with pytest.raises(StoreError, match=re.escape("heartfelt models pull kokoro")):
        Kokoro(Store(tmp_path)).say("hello")


def test_threads_share_one_speaker(monkeypatch: pytest.MonkeyPatch):
    kokoro, _ = speaker(monkeypatch)
    texts = [f"he is {'so ' * count}here" for count in range(8)]
    with ThreadPoolExecutor(4) as pool:
        said = list(pool.map(kokoro.say, texts))
    assert [part.seconds for part in said] == [kokoro.say(text).seconds for text in texts]


def test_many_voices_do_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch):
    kokoro, _ = speaker(monkeypatch)
    for weight in range(1, 50):
        kokoro.say("so", voice=Voice(name="x", mix={"af_heart": 1.0, "af_bella": float(weight)}))
    assert len(kokoro._styles) <= 32


LONG = "he has been here for so long that all of them had left before he saw how late it was."


def test_what_somebody_waits_for_is_heard_piece_by_piece(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    kokoro, network = prepared(monkeypatch, tmp_path)
    whole = kokoro.say(LONG)
    network.made.clear()
    spoken = kokoro.stream(LONG, piecewise=True)
    first = next(spoken)
    assert len(network.made) == 1 and network.made[0] < whole.seconds / 2, "the rest is not made yet"
    rest = list(spoken)
    assert len(rest) > 1
    check(together := joined([first, *rest]), LONG)
    assert [word.text for word in together.words] == [word.text for word in whole.words]
    assert together.seconds == pytest.approx(whole.seconds, abs=0.02)
    assert np.allclose(together.samples, whole.samples, atol=0.02), "as loud, and without a seam"


def test_before_that_is_learnt_a_stretch_comes_whole(monkeypatch: pytest.MonkeyPatch):
    kokoro, network = speaker(monkeypatch)
    list(kokoro.stream("he has been here for so long", piecewise=True))
    assert len(network.made) == 1


def test_nobody_waits_so_it_comes_whole(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    kokoro, network = prepared(monkeypatch, tmp_path)
    network.made.clear()
    list(kokoro.stream("he has been here for so long"))
    assert len(network.made) == 1


def test_what_was_learnt_and_is_damaged_is_as_if_it_were_not(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    prepared(monkeypatch, tmp_path)
    (file,) = tmp_path.rglob("norms-*.npz")
    file.write_bytes(file.read_bytes()[:100])
    kokoro, network = speaker(monkeypatch)
    monkeypatch.setattr(kokoro.store, "made", lambda name, filename: file)
    list(kokoro.stream("he has been here for so long", piecewise=True))
    assert len(network.made) == 1


def test_it_is_learnt_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    kokoro, _ = prepared(monkeypatch, tmp_path)
    assert list(kokoro.prepare(voice("heart"))) == []
    assert len(list(kokoro.prepare(voice("emma")))) > 1


def prepared(monkeypatch: pytest.MonkeyPatch, folder: Path) -> tuple[Kokoro, Network]:
    kokoro, network = speaker(monkeypatch)
    store = Store(folder)
    monkeypatch.setattr(store, "path", lambda name, member=None: Path())
    monkeypatch.setattr(kokoro, "store", store)
    assert len(list(kokoro.prepare(voice("heart")))) > 1
    return kokoro, network
