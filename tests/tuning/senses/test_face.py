"""From pictures to a card, with bars for faces and a network that a processor can train."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from heartfelt.errors import InputError

pytest.importorskip("torch", reason="torch is an extra; `make test` brings it")

import torch

from heartfelt.senses.face.double import OneFace
from heartfelt.tuning.senses import face, finish, learn, pictures, twins
from heartfelt.tuning.senses.face import FaceTraining
from heartfelt.tuning.senses.face_tests import face_tests
from heartfelt.tuning.senses.learn import Learner, LearningPace
from heartfelt.tuning.senses.pictures import Faces

from . import made_up

SMALL = ["--teachers", "2", "--teacher-width", "6", "--teacher-epochs", "1", "--width", "6", "--epochs", "1", "--batch", "16"]
PICTURES = 80


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_up.write_faces(tmp_path_factory.mktemp("faces"), count=PICTURES)


@pytest.fixture(scope="module")
def run(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.set_num_threads(1)
    folder = tmp_path_factory.mktemp("run")
    twins.make(data, folder, networks=OneFace())
    face.main(["--data", str(data), "--run", str(folder), *SMALL])
    return folder


def test_the_command_writes_everything_into_its_folder(run: Path):
    names = {path.name for path in run.iterdir() if path.is_file()}
    wanted = {"recipe.json", "log.jsonl", "shares.npz", "network.pt", "face.onnx", "face.json", "agreement.json"}
    assert wanted | {"aligned.npz", "prior.json", "report.json", "before.json", "card.md"} <= names
    parts = {json.loads(line)["part"] for line in (run / "log.jsonl").read_text().splitlines()}
    assert parts == {"teacher-0", "teacher-1", "student"}


def test_the_report_says_how_sure_its_figures_are(run: Path):
    report = json.loads((run / "report.json").read_text())
    figures = report["public_test"]
    assert figures["accuracy"]["low"] <= figures["accuracy"]["mean"] <= figures["accuracy"]["high"]
    assert np.array(figures["confusion"]).shape == (7, 7) and set(figures["recall"]) <= set(made_up.FACES)
    assert report["public_test_without_copies"]["accuracy"]["n"] == PICTURES // 2
    assert report["public_test_aligned"]["accuracy"]["n"] == PICTURES // 2 and report["aligned_too"] == report["learnt_from"]


def test_what_was_learnt_from_is_left_out_of_the_aligned_test_too(data: Path, tmp_path: Path):
    learnt, dev = pictures.read_training(data), pictures.read_dev(data)
    copied = tmp_path / "copied"
    copied.mkdir()
    for name in pictures.TRAIN:
        (copied / name).write_bytes((data / name).read_bytes())
    shown = np.concatenate([learnt.pictures[:3], dev.pictures[:2]])
    labels = np.concatenate([learnt.labels[:3], dev.labels[:2]])
    np.savez(copied / pictures.DEV, images=shown, labels=labels, names=np.array(dev.names))
    twins.make(copied, tmp_path / "run", networks=OneFace())
    sets = face_tests(copied, tmp_path / "run").sets
    assert len(sets["public_test_aligned"]) == 5 and len(sets["public_test_aligned_without_copies"]) == 2


def test_the_contract_says_all_that_the_runtime_needs(run: Path):
    told = json.loads((run / "face.json").read_text())
    assert told["labels"] == list(made_up.FACES) and told["temperature"] > 0 and told["meant"]["happy"] == "joy"


def test_the_card_shows_the_figures(run: Path):
    text = (run / "card.md").read_text()
    assert "| accuracy |" in text and "true ↓ said →" in text and "must not be used" in text
    assert "was put back" in text and "| public test | before |" in text


def test_a_face_is_drawn_as_it_is_or_as_its_twin():
    black, white = np.zeros((64, 48, 48), np.uint8), np.full((64, 48, 48), 255, np.uint8)
    labels = np.arange(64, dtype=np.int64) % 7
    faces = Faces(black, labels, made_up.FACES, white, np.ones(64, bool))
    draw = face._Draw(faces, None, FaceTraining(batch=64), torch.device("cpu"))
    shown = draw._shown(torch.arange(64), torch.Generator().manual_seed(0)).flatten(1).float().mean(1)
    assert set(shown.tolist()) == {0.0, 255.0} and 0.25 < (shown == 255).float().mean() < 0.75


def test_what_is_put_back_stands_in_the_head(tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch):
    faces, recipe = pictures.read_training(data), FaceTraining(width=6)
    network = face.FaceNetwork(7, width=6).eval()
    before = network.head.bias.detach().clone()
    monkeypatch.setattr(face.balance, "prior_kept", lambda *_: {"kept": 0.5})
    face.put_back(network, faces, tmp_path, recipe)
    prior = face.balance.log_prior(faces.taken(pictures.folds(faces) != pictures.VALIDATION).labels, 7)
    assert np.allclose((network.head.bias - before).detach().numpy(), 0.5 * prior, atol=1e-5)
    assert json.loads((tmp_path / "prior.json").read_text()) == {"kept": 0.5}


def test_teachers_say_nothing_of_the_validation_fold(run: Path, data: Path):
    faces = pictures.read_training(data)
    held = pictures.folds(faces) == pictures.VALIDATION
    with np.load(run / "shares.npz") as saved:
        total = saved["shares"].astype(np.float32).sum(1)
    assert held.any() and (total[held] == 0).all() and np.allclose(total[~held], 1, atol=0.01)


def test_a_finished_run_is_not_trained_again(run: Path, data: Path, monkeypatch: pytest.MonkeyPatch):
    measured: list[Path] = []
    monkeypatch.setattr(face, "_train", lambda *_: pytest.fail("it learnt again"))
    monkeypatch.setattr(finish, "finish_face", lambda _data, folder: measured.append(folder))
    face.main(["--data", str(data), "--run", str(run)])
    assert measured == [run]


def test_it_learns_to_tell_the_bars_apart(tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(learn, "LOGGED", 1)
    faces = pictures.read_training(data)
    told: list[learn.Row] = []
    recipe = FaceTraining(
        width=6, epochs=4, batch=16, rate=0.1, dropout=0.0, skipped=0.0, smoothing=0.0, mixup=0.0, strength=0.0, average=0.5
    )
    network = face._learnt(faces, None, tmp_path, recipe, None, told.append)
    assert told[-1]["loss"] < 0.7 * told[0]["loss"]
    assert (face.scored(network, faces.pictures).argmax(1) == faces.labels).mean() > 0.4


def test_a_killed_run_ends_as_an_unbroken_one(tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch):
    faces = pictures.read_training(data).taken(np.arange(PICTURES) < 40)
    recipe = FaceTraining(width=6, epochs=1, batch=8)
    monkeypatch.setattr(learn, "KEPT_EVERY", 0.0)
    monkeypatch.setattr(learn, "LOGGED", 1)

    def stops(row: learn.Row) -> None:
        if row["step"] == 3:
            raise MemoryError

    def learnt(folder: Path, progress: learn.Progress) -> torch.nn.Module:
        folder.mkdir(exist_ok=True)
        return face._learnt(faces, None, folder, recipe, None, progress)

    whole = learnt(tmp_path / "whole", lambda _: None)
    with pytest.raises(MemoryError):
        learnt(tmp_path / "broken", stops)
    again = learnt(tmp_path / "broken", lambda _: None)
    assert all(torch.equal(one, two) for one, two in zip(whole.parameters(), again.parameters(), strict=True))


def test_the_clock_ends_a_run_before_its_steps_do(tmp_path: Path):
    network = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(4, 2))
    shown = (torch.rand(8, 4), torch.full((8, 2), 0.5))
    learner = Learner(
        network, lambda _: shown, LearningPace(10_000_000, seconds=0.2), tmp_path, part="quick", seed=1, progress=list
    )
    learner.go()
    assert 1 < learner.step < 10_000_000


def test_no_pictures_are_refused_in_a_sentence(tmp_path: Path, data: Path):
    none = pictures.read_training(data).taken(np.zeros(PICTURES, bool))
    with pytest.raises(InputError, match="--data"):
        face.learn(none, None, tmp_path, replace(FaceTraining(), width=6))
