"""From recordings to a card, with tones for voices: every speaker is judged by a head that has not heard her."""

import json
from pathlib import Path

import numpy as np
import pytest

from heartfelt.errors import InputError

pytest.importorskip("torch", reason="torch is an extra; `make test` brings it")

import torch

from heartfelt.senses.emotions import EmotionNetwork
from heartfelt.senses.voice.layers import WIDTH, VocalEmotion
from heartfelt.tuning.senses import sounds, voice
from heartfelt.tuning.senses.shipped import Shipped
from heartfelt.tuning.senses.voice_head import learnt
from heartfelt.tuning.senses.voice_views import view

from . import made_up


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_up.write_voices(tmp_path_factory.mktemp("voices"))


@pytest.fixture(scope="module")
def run(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.set_num_threads(1)
    folder = tmp_path_factory.mktemp("run")
    voice.main(["--data", str(data), "--run", str(folder), "--folds", "2", "--views", "1"])
    return folder


def test_the_command_writes_everything_into_its_folder(run: Path):
    names = {path.name for path in run.iterdir() if path.is_file()}
    assert {"recipe.json", "judged.npz", "voice.onnx", "voice.json", "agreement.json", "report.json", "card.md"} <= names


def test_every_utterance_is_judged_once_by_a_head_without_its_speaker(run: Path):
    with np.load(run / "judged.npz") as judged:
        assert len(judged["labels"]) == 32
        by_fold = [set(judged["actors"][judged["fold"] == fold].tolist()) for fold in (0, 1)]
    assert by_fold == [{1, 2}, {3, 4}]


def test_the_report_is_about_every_utterance(run: Path):
    told = json.loads((run / "report.json").read_text())["leave_actors_out"]
    assert 0 <= told["unweighted_recall"]["low"] <= told["unweighted_recall"]["high"] <= 1
    assert np.array(told["confusion"]).sum() == 32


def test_the_runtime_hears_with_the_file_what_the_head_hears(run: Path, data: Path):
    one = sounds.found(data)
    scores = Shipped(run / "voice.onnx").scores(np.load(run / "state" / "heard-0.npy")[:1])[0]
    shares = VocalEmotion(network=EmotionNetwork(run / "voice.onnx"))(sounds.decoded(one.paths[0]))
    terms = json.loads((run / "voice.json").read_text())
    assert sum(shares.values()) == pytest.approx(1)
    assert max(shares, key=shares.__getitem__) == terms["meant"][terms["labels"][int(scores.argmax())]]


def test_what_was_heard_is_not_heard_again(run: Path, data: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(voice, "view", lambda *_: pytest.fail("it listened again"))
    recipe = voice.VoiceTraining(folds=2, views=1)
    assert len(voice.heard(sounds.found(data), run, recipe)) == 2


def test_the_head_finds_what_there_is_to_find_and_takes_it_as_it_comes():
    random = np.random.default_rng(0)
    labels = np.repeat(np.arange(3), 40)
    heard = (random.normal(0, 5, (120, WIDTH)) + 100).astype(np.float32)
    heard[:, :3] += 30 * np.eye(3, dtype=np.float32)[labels]
    head = learnt(heard, labels, 3, decay=0.03, smoothing=0.05)
    assert (head.scores(heard).argmax(1) == labels).mean() > 0.95


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


def test_folds_leave_a_man_and_a_woman_out_and_everyone_once():
    actors = np.repeat(np.arange(1, 15), 3)
    left = sounds.actor_folds(actors, 7)
    assert sorted(np.concatenate(left).tolist()) == list(range(1, 15))
    assert all(len(each) == 2 and each.sum() % 2 == 1 for each in left)
    with pytest.raises(InputError, match="give 2 to 7"):
        sounds.actor_folds(actors, 8)


def test_missing_recordings_are_said_in_a_sentence(tmp_path: Path):
    with pytest.raises(InputError, match="--data"):
        sounds.found(tmp_path)
