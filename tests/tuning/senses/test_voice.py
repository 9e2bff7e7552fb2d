"""From sounds to a card, with tones for voices: every speaker is judged by networks that have not heard her."""

import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is an extra; `make test` brings it")

import torch

from heartfelt.tuning.senses import learn, voice
from heartfelt.tuning.senses.sounds import NAMES, Heard
from heartfelt.tuning.senses.voice_views import Views

from . import made_up

SMALL = ["--folds", "2", "--members", "1", "--epochs", "1", "--batch", "16", "--width", "8"]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_up.write_voices(tmp_path_factory.mktemp("voices"), actors=4, times=1)


@pytest.fixture(scope="module")
def run(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.set_num_threads(1)
    folder = tmp_path_factory.mktemp("run")
    voice.main(["--data", str(data), "--run", str(folder), *SMALL])
    return folder


def test_the_command_writes_everything_into_its_folder(run: Path):
    names = {path.name for path in run.iterdir() if path.is_file()}
    wanted = {"recipe.json", "log.jsonl", "judged.npz", "voice.onnx", "voice.json", "agreement.json", "report.json", "card.md"}
    assert wanted <= names


def test_every_utterance_is_judged_once_by_a_fold_without_its_speaker(run: Path):
    with np.load(run / "judged.npz") as judged:
        assert len(judged["labels"]) == 32
        by_fold = [set(judged["actors"][judged["fold"] == fold].tolist()) for fold in (0, 1)]
    assert by_fold == [{1, 2}, {3, 4}]


def test_the_report_is_about_every_utterance(run: Path):
    told = json.loads((run / "report.json").read_text())["leave_actors_out"]
    assert 0 <= told["unweighted_recall"]["low"] <= told["unweighted_recall"]["high"] <= 1
    assert np.array(told["confusion"]).sum() == 32


def test_it_learns_to_tell_the_tones_apart(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(learn, "LOGGED", 1)
    heard = Heard.load(run / "state" / "heard.npz")
    recipe = voice.Recipe(width=8, epochs=10, batch=16, dropout=0.0, smoothing=0.0, mixup=0.0, strength=0.0, average=0.5)
    rows = np.arange(len(heard.labels))
    voice._member(heard, Views(heard, torch.device("cpu")), rows, tmp_path, recipe, "one", 0, lambda _: None)
    logged = [json.loads(line)["loss"] for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert len(logged) == 20 and np.mean(logged[-3:]) < 0.85 * logged[0]


def test_the_contract_holds_the_features(run: Path):
    told = json.loads((run / "voice.json").read_text())
    assert told["labels"] == list(NAMES) and told["meld"]["calm"] == "neutral"
    assert told["input"]["rate"] == 16_000 and told["input"]["bands"] == 64 and told["input"]["frames_multiple_of"] == 16


def test_the_file_hears_what_the_network_hears(run: Path):
    from heartfelt.tuning.senses.shipped import Shipped

    heard = Heard.load(run / "state" / "heard.npz")
    recipe = voice.Recipe(members=1, width=8)
    chorus = voice.Chorus([voice._new(recipe)])
    chorus.load_state_dict(torch.load(run / "state" / "fold-2-network.pt", weights_only=True))
    wanted = voice.judged(chorus.eval(), heard, np.arange(3))
    found = np.concatenate([Shipped(run / "voice.onnx").scores(heard.one(row)[None, None]) for row in range(3)])
    assert np.abs(found - wanted).max() < 0.05


def test_a_fold_that_is_there_is_not_learnt_again(run: Path, data: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(voice, "_member", lambda *_: pytest.fail("it learnt again"))
    voice.learn(data, run, voice.Recipe(folds=2), fold=0)


def test_folds_may_be_learnt_in_processes_of_their_own(run: Path, data: Path, monkeypatch: pytest.MonkeyPatch):
    asked: list[list[str]] = []

    class Ended:
        def __init__(self, command: list[str], **_: object):
            asked.append(command)

        def wait(self) -> int:
            return 1

    (run / "state" / "fold-1.npz").rename(run / "state" / "kept.npz")
    monkeypatch.setattr(voice.subprocess, "Popen", Ended)
    options = voice.options().parse_args(["--data", str(data), "--run", str(run), "--workers", "4"])
    with pytest.raises(voice.EngineError, match="run the same command again"):
        voice._all(options, voice.Recipe(folds=2))
    (run / "state" / "kept.npz").rename(run / "state" / "fold-1.npz")
    assert [command[-1] for command in asked] == ["1"]
