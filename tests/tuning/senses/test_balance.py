"""Rare labels are said as readily as common ones, for as much accuracy as was allowed."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from heartfelt.tuning.senses.balance import GIVEN_UP, log_prior, prior_kept, spread
from heartfelt.tuning.senses.recall import recall

COMMON = 0.9


def unsure(count: int = 4_000, *, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Scores for two labels as if both were equally frequent, labels of which one is rare, and what their frequency adds."""
    random = np.random.default_rng(seed)
    gold = (random.random(count) > COMMON).astype(np.int64)
    seen = np.where(gold == 1, 1.0, -1.0) + random.normal(0, 1.2, count)
    scores = np.stack([np.zeros(count), 2 * seen / 1.2**2], 1).astype(np.float32)
    return scores, gold, log_prior(gold, 2)


def test_a_prior_says_how_frequent_labels_are():
    prior = log_prior(np.array([0, 0, 0, 2], np.int64), 3)
    assert np.allclose(spread(prior), [0.6, 0.2, 0.2]) and np.allclose(spread(0 * prior), 1 / 3)


def test_of_what_costs_little_accuracy_the_largest_recall_is_taken():
    scores, gold, prior = unsure()
    chosen = prior_kept(scores, gold, prior)
    best = max(each["accuracy"] for each in chosen["tried"])
    allowed = [each for each in chosen["tried"] if each["accuracy"] >= best - GIVEN_UP]
    assert 0 < chosen["kept"] < 1 and chosen["accuracy"] >= best - GIVEN_UP
    assert chosen["recall"] == max(each["recall"] for each in allowed) > recall((scores + prior).argmax(1), gold)


def test_nothing_is_put_back_where_it_changes_nothing():
    scores, gold, prior = unsure()
    assert prior_kept(scores, gold, 0 * prior)["kept"] == 0


def test_a_balanced_network_says_a_rare_label_more_often(tmp_path: Path):
    pytest.importorskip("torch", reason="torch is an extra; `make test` brings it")
    from heartfelt.tuning.senses import face, pictures
    from heartfelt.tuning.senses.face import FaceTraining

    random = np.random.default_rng(0)
    labels = (np.arange(64) % 8 == 0).astype(np.int64)
    shown = (random.normal(0, 50, (64, 48, 48)) + 120).clip(0, 255).astype(np.uint8)  # nothing can be told from these
    faces = pictures.Faces(shown, labels, ("common", "rare"))
    plain = FaceTraining(width=6, epochs=4, batch=16, dropout=0.0, mixup=0.0, strength=0.0, average=0.5, balance=0.0)

    def said(recipe: FaceTraining, folder: Path) -> float:
        folder.mkdir()
        scores = face.scored(face._learnt(faces, None, folder, recipe, None, lambda _: None), faces.pictures)
        return float((scores[:, 1] - scores[:, 0]).mean())

    assert said(replace(plain, balance=1.0), tmp_path / "balanced") > said(plain, tmp_path / "plain") + 0.4
