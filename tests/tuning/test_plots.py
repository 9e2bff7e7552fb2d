"""The plots of a training and of its figures."""

import json
from pathlib import Path

import numpy as np
import pytest

from heartfelt.errors import InputError
from heartfelt.tuning.plots import _logged, _recall, _smoothed, calibration_plot, confusion_plot, label_plot, loss_plot

pytest.importorskip("matplotlib", reason="matplotlib is an extra; `make test` brings it")


def log(folder: Path, *rows: dict[str, float]) -> Path:
    path = folder / "log.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_it_is_a_picture_and_leaves_nothing_else(tmp_path: Path):
    path = log(tmp_path, *({"step": step, "loss": 3 / step} for step in range(1, 30)), {"step": 29, "look": 1})
    assert loss_plot(path, tmp_path / "loss.png").read_bytes().startswith(b"\x89PNG")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["log.jsonl", "loss.png"]


def test_a_step_that_was_done_again_counts_once(tmp_path: Path):
    steps, losses = _logged(log(tmp_path, {"step": 1, "loss": 3.0}, {"step": 2, "loss": 9.0}, {"step": 2, "loss": 2.0}))
    assert steps == [1, 2] and losses.tolist() == [3.0, 2.0]


def test_the_mean_runs_over_a_tenth():
    assert _smoothed(np.arange(20.0)).tolist() == [0.0, *(np.arange(19.0) + 0.5)]


def test_nothing_learnt_is_nothing_to_draw(tmp_path: Path):
    with pytest.raises(InputError, match="heartfelt tune train"):
        loss_plot(log(tmp_path), tmp_path / "loss.png")


CHOSEN = {"options": ["sad", "glad", "mad"], "gold": [0, 0, 1, 2], "chosen": [0, 1, 1, 0], "share": [0.9, 0.4, 1.0, 0.5]}


def test_a_label_is_found_where_it_is_felt():
    names, found = _recall(CHOSEN)
    assert names == ["sad", "glad", "mad"] and found.tolist() == [0.5, 1.0, 0.0]


def test_figures_are_drawn(tmp_path: Path):
    drawn = [
        label_plot(CHOSEN, tmp_path / "labels.png", before=CHOSEN),
        confusion_plot(CHOSEN, tmp_path / "confusion.png"),
        calibration_plot(CHOSEN, tmp_path / "calibration.png"),
    ]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in drawn)
    assert len(list(tmp_path.iterdir())) == 3
