"""Views keep their shape, their bounds and their seed, and leave what they show in sight."""

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is an extra; `make test` brings it")

import torch

from heartfelt.senses.face import light
from heartfelt.tuning.senses.face_views import _Drawn, _squeezed, equalised, views
from heartfelt.tuning.senses.learn import mixed, order, schedule, softened

from . import made_up


def chance(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def test_a_face_is_seen_otherwise_each_time_and_the_same_with_the_same_seed():
    faces = torch.from_numpy(made_up.bars(16, seed=0)[0])[:, None].float()
    seen = views(faces, chance())
    assert seen.shape == faces.shape and seen.min() >= 0 and seen.max() <= 255 and torch.isfinite(seen).all()
    assert torch.equal(seen, views(faces, chance())) and not torch.equal(seen, views(faces, chance(1)))


def test_without_strength_a_face_is_only_mirrored():
    faces = torch.from_numpy(made_up.bars(16, seed=0)[0])[:, None].float()
    faces = equalised(faces)
    seen = views(faces, chance(), strength=0.0)
    nearest = torch.minimum((seen - faces).abs().amax((1, 2, 3)), (seen - faces.flip(3)).abs().amax((1, 2, 3)))
    assert nearest.max() < 2


def test_squeezing_loses_little_of_a_smooth_face():
    faces = torch.from_numpy(made_up.bars(4, seed=0)[0])[:, None].float()
    gap = (_squeezed(faces, _Drawn(4, faces.device, chance())) - faces).abs()
    assert 0 < gap.mean() < 12


def test_every_epoch_shows_each_row_once_in_another_order():
    epochs = [torch.cat([order(step, batch=4, count=12, seed=1) for step in range(at, at + 3)]) for at in (0, 3)]
    assert all(sorted(epoch.tolist()) == list(range(12)) for epoch in epochs) and not torch.equal(*epochs)


def test_mixing_keeps_the_shares_whole():
    shares = softened(torch.arange(6) % 3, torch.full((3,), 1 / 3), 0.1)
    assert torch.allclose(shares.sum(1), torch.ones(6)) and shares.argmax(1).tolist() == [0, 1, 2, 0, 1, 2]
    inputs, both = mixed(torch.rand(6, 1, 4, 4), shares, 0.5, chance())
    assert inputs.shape == (6, 1, 4, 4) and torch.allclose(both.sum(1), torch.ones(6))


def test_what_labels_give_away_goes_to_the_frequent_ones():
    shares = softened(torch.tensor([2]), torch.tensor([0.7, 0.2, 0.1]), 0.1)
    assert torch.allclose(shares, torch.tensor([[0.07, 0.02, 0.91]]))


def test_the_rate_rises_and_then_falls():
    rates = [schedule(done, 0.1) for done in np.linspace(0, 1, 21)]
    assert rates[0] < rates[1] < rates[2] and max(rates) == pytest.approx(1) and rates[-1] < 0.01


def test_a_batch_is_brought_to_the_light_as_one_picture_is():
    faces = made_up.bars(5, seed=0)[0]
    assert np.allclose(equalised(torch.from_numpy(faces)[:, None].float()).numpy(), light.shown(faces), atol=1e-3)


def test_no_lamp_makes_a_difference():
    face = made_up.bars(1, seed=0)[0][0] // 2
    for lit in (face + 60, face.astype(np.float32) * 2):
        assert np.allclose(light.equalised(face), light.equalised(lit), atol=1e-3)
    assert light.equalised(face).mean() == pytest.approx(127.5, abs=0.1)
    assert np.allclose(light.equalised(light.equalised(face)), light.equalised(face), atol=1)
