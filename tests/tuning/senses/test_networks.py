"""The networks as files: what is written down says what the network says, in half precision and in full."""

from pathlib import Path

import numpy as np
import pytest

from heartfelt.errors import EngineError

pytest.importorskip("torch", reason="torch is an extra; `make test` brings it")

import torch

from heartfelt.tuning.senses.face import FaceTraining
from heartfelt.tuning.senses.face_network import FaceNetwork
from heartfelt.tuning.senses.shipped import Shipped, agreement


def stirred(network: torch.nn.Module) -> torch.nn.Module:
    """As if it had learnt: no norm is at its beginning."""
    torch.manual_seed(1)
    for part in network.modules():
        if isinstance(part, torch.nn.BatchNorm2d):
            part.running_mean.normal_(0, 0.3)
            part.running_var.uniform_(0.5, 2)
            torch.nn.init.uniform_(part.weight, 0.5, 1.5)
            torch.nn.init.normal_(part.bias, 0, 0.2)
    return network.eval()


@pytest.fixture
def network() -> tuple[torch.nn.Module, torch.Tensor]:
    torch.manual_seed(0)
    return stirred(FaceNetwork(7, width=12, blocks=(2, 1, 2))), torch.rand(5, 1, 48, 48) * 255


def test_the_file_says_what_the_network_says(network: tuple[torch.nn.Module, torch.Tensor], tmp_path: Path):
    made, inputs = network
    with torch.inference_mode():
        wanted = made.both_ways(inputs).numpy()
    full = Shipped(made.write(tmp_path / "full.onnx", half=False)).scores(inputs.numpy())
    assert np.abs(full - wanted).max() < 1e-4 * max(1, np.abs(wanted).max())
    told = agreement(made.write(tmp_path / "half.onnx"), inputs.numpy(), wanted)
    assert told["same_choice"] == 1 and told["largest_gap_of_a_share"] < 0.01
    assert (tmp_path / "half.onnx").stat().st_size < 0.75 * (tmp_path / "full.onnx").stat().st_size


def test_a_face_and_its_mirror_image_are_read_alike(network: tuple[torch.nn.Module, torch.Tensor], tmp_path: Path):
    made, inputs = network
    lit = inputs * torch.linspace(0, 1, 48)  # from one side
    file = Shipped(made.write(tmp_path / "made.onnx"))
    one, other = file.scores(lit.numpy()), file.scores(lit.flip(3).contiguous().numpy())
    with torch.inference_mode():
        apart = (made(lit) - made(lit.flip(3))).abs().max().item()
    assert one.shape == (5, 7) and np.abs(one - other).max() < 0.01 * apart


def test_another_network_is_not_taken_for_this_one(network: tuple[torch.nn.Module, torch.Tensor], tmp_path: Path):
    made, inputs = network
    path = made.write(tmp_path / "made.onnx")
    with pytest.raises(EngineError, match="export it again"):
        agreement(path, inputs.numpy(), np.roll(Shipped(path).scores(inputs.numpy()), 1, 1) * 5)


def test_light_and_contrast_change_nothing_for_a_face():
    network, picture = stirred(FaceNetwork(7, width=12)), torch.rand(1, 1, 48, 48) * 255
    with torch.inference_mode():
        gap = (network(picture) - network(picture * 0.6 + 60)).abs().max()
    assert gap < 0.05


def test_the_shipped_size_is_small():
    face = FaceNetwork(7, width=FaceTraining.width, blocks=FaceTraining.blocks)
    assert sum(value.numel() for value in face.state_dict().values()) * 2 < 5e6
