"""From recordings to a card, with tones for voices: every corpus is judged by a head that has not heard it."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from heartfelt.errors import InputError
from heartfelt.senses.emotions import EmotionNetwork
from heartfelt.senses.voice.layers import WIDTH, Layers
from heartfelt.tuning.senses import sounds, voice
from heartfelt.tuning.senses.codecs import CODECS, Codec, through
from heartfelt.tuning.senses.shipped import Shipped
from heartfelt.tuning.senses.strangers import Judged
from heartfelt.tuning.senses.voice_head import Lessons, learnt
from heartfelt.tuning.senses.voice_views import view

from . import made_up


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return made_up.write_voices(tmp_path_factory.mktemp("voices"))


@pytest.fixture(scope="module")
def run(data: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    folders = [f"--data={each}" for each in data]
    voice.main([*folders, "--run", str(folder), "--folds", "2", "--views", "1", "--ordinary", str(data[1])])
    return folder


def report(run: Path) -> dict[str, Any]:
    return json.loads((run / "report.json").read_text())


def test_the_command_writes_everything_into_its_folder(run: Path):
    names = {path.name for path in run.iterdir() if path.is_file()}
    assert {"recipe.json", "judged.npz", "voice.onnx", "voice.json", "agreement.json", "report.json", "card.md"} <= names


def test_corpora_are_told_apart_by_the_names_of_their_files(data: tuple[Path, Path]):
    voices = sounds.found(data)
    assert [(voices.corpora == name).sum() for name in ("RAVDESS", "EmoDB")] == [32, 28]
    assert {"RAVDESS 01", "EmoDB 05"} <= set(voices.speakers)
    angry = [path.name for path, label in zip(voices.paths, voices.labels, strict=True) if sounds.NAMES[label] == "anger"]
    assert {"03-01-05-01-01-01-01.wav", "05a01Wa.wav"} <= set(angry)


def test_each_corpus_is_judged_by_a_head_of_the_other(run: Path):
    """Nobody is surprised in EmoDB: a head of it alone never says so, and is not asked."""
    judged = Judged.read(run / "judged.npz")
    surprise, ravdess = sounds.NAMES.index("surprise"), judged.corpora == "RAVDESS"
    assert (judged.across[0, ravdess].argmax(1) != surprise).all()
    told = report(run)
    assert np.array(told["RAVDESS_left_out"]["confusion"]).sum() == 28
    assert np.array(told["speakers_left_out"]["confusion"]).sum() == 60


def test_the_card_tells_of_strangers_first_and_of_both_licences(run: Path):
    card = (run / "card.md").read_text()
    assert 0 < card.index("### EmoDB left out") < card.index("### Ordinary speech emodb") < card.index("### Speakers left out")
    assert "CC-BY-NC-SA-4.0 (RAVDESS)" in card and "(EmoDB)" in card


def test_the_runtime_hears_with_the_file_what_the_head_hears(run: Path, data: tuple[Path, Path]):
    one = sounds.found(data)
    network = EmotionNetwork(run / "voice.onnx")
    heard = np.load(run / "state" / "heard-0.npy")[0]
    scores = Shipped(run / "voice.onnx").scores(heard[None])[0]
    shares = network.shares(Layers()(sounds.decoded(one.paths[0])))
    assert sum(shares.values()) == pytest.approx(1)
    assert max(shares, key=shares.__getitem__) == sounds.NAMES[int(scores.argmax())]


def test_what_was_heard_is_not_heard_again(run: Path, data: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(voice, "view", lambda *_: pytest.fail("it listened again"))
    recipe = voice.VoiceTraining(folds=2, views=1)
    assert len(voice.heard(sounds.found(data), run, recipe)) == 2


def test_one_corpus_alone_is_refused(data: tuple[Path, Path], tmp_path: Path):
    with pytest.raises(InputError, match="give two or more"):
        voice.main(["--data", str(data[0]), "--run", str(tmp_path)])


def test_the_head_finds_what_there_is_to_find_and_takes_it_as_it_comes():
    random = np.random.default_rng(0)
    labels, corpora = np.repeat(np.arange(3), 40), np.tile(np.arange(2), 60)
    heard = (random.normal(0, 5, (120, WIDTH)) + 100).astype(np.float32)
    heard[:, :3] += 30 * np.eye(3, dtype=np.float32)[labels]
    head = learnt(Lessons(heard, labels, np.arange(120) % 6, corpora), 3, shrink=0.8)
    assert (head.scores(heard).argmax(1) == labels).mean() > 0.95


def test_a_label_that_a_corpus_lacks_is_not_taken_for_wrong_in_it():
    """The second corpus has no third label and sounds otherwise throughout: that difference is no sign of the third label."""
    random = np.random.default_rng(0)
    labels, corpora = np.array([0, 1, 2] * 20 + [0, 1] * 30), np.repeat([0, 1], 60)
    heard = random.normal(0, 1, (120, WIDTH)).astype(np.float32)
    heard[:, :600] += 2 * np.repeat(np.eye(3, dtype=np.float32)[labels], 200, axis=1)
    heard[:, 600:700] += 2 * (corpora == 0)[:, None]
    speakers = np.arange(120) // 12
    head = learnt(Lessons(heard, labels, speakers, corpora), 4, shrink=0.8)
    assert (head.scores(heard).argmax(1) == labels).mean() > 0.95
    stranger = random.normal(0, 1, (60, WIDTH)).astype(np.float32)
    stranger[:, :200] += 2
    stranger[:, 600:700] += 4
    assert (head.scores(stranger).argmax(1) == 0).mean() > 0.9


def test_another_hearing_is_another_each_time_and_the_same_with_the_same_seed():
    wave = made_up.tone(3, 1, seed=0, seconds=2.0).astype(np.float32) / 32_768
    one, two, other = (view(wave, np.random.default_rng(seed)) for seed in (0, 0, 1))
    assert np.array_equal(one, two) and not (len(one) == len(other) and np.array_equal(one, other))
    assert all(np.isfinite(each).all() and len(each) > 8_000 for each in (one, other))


def test_played_faster_a_sound_is_shorter_and_higher():
    wave = np.sin(2 * np.pi * 400 * np.arange(16_000) / 16_000).astype(np.float32)
    fast = sounds.resampled(wave, 1.25)
    assert len(fast) == 12_800
    assert np.abs(np.fft.rfft(fast)).argmax() * 16_000 / 12_800 == pytest.approx(500, abs=2)


def test_folds_leave_everyone_out_once_and_whole():
    speakers = np.repeat([f"RAVDESS {number:02}" for number in range(1, 15)], 3)
    folds = sounds.speaker_folds(speakers, 7)
    assert {fold: len(set(speakers[folds == fold])) for fold in range(7)} == dict.fromkeys(range(7), 2)
    assert all(len(set(folds[speakers == name])) == 1 for name in speakers)
    with pytest.raises(InputError, match="give 2 to 14"):
        sounds.speaker_folds(speakers, 15)


def test_missing_recordings_are_said_in_a_sentence(tmp_path: Path):
    with pytest.raises(InputError, match="no utterance of RAVDESS or EmoDB"):
        sounds.found([tmp_path])


@pytest.mark.parametrize("codec", CODECS, ids=lambda codec: codec.name)
def test_a_codec_leaves_about_as_much_sound_as_there_was(codec: Codec):
    wave = np.sin(2 * np.pi * 400 * np.arange(16_000) / 16_000).astype(np.float32) * 0.3
    heard = through(codec, wave, np.random.default_rng(0))
    assert len(heard) == pytest.approx(16_000, abs=3_000)
    assert heard.std() == pytest.approx(wave.std(), rel=0.2)
