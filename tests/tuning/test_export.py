"""An exported adapter holds what was trained, and one that does not is refused."""

from pathlib import Path

import numpy as np
import pytest

from heartfelt.errors import EngineError, InputError
from heartfelt.tuning.export import Tensors, compared, export, read_adapter, read_exported


@pytest.fixture
def tensors() -> Tensors:
    """The sizes of numbers that a short training leaves: A as it was drawn, B near zero; a rank that fills no block."""
    random = np.random.default_rng(0)
    a, b = random.normal(0, 0.1, (8, 64)), random.normal(0, 1e-4, (96, 8))
    wide = random.normal(0, 1e-3, (96, 32))
    made = {"blk.0.ffn_up.weight.lora_a": a, "blk.0.ffn_up.weight.lora_b": b, "blk.0.ffn_up.weight.lora_c": wide}
    return {name: value.astype(np.float32) for name, value in made.items()}


def written(tensors: Tensors, path: Path, alpha: float = 16.0) -> Path:
    return export(tensors, alpha, path / "made-up.gguf", name="made-up", licence="CC0-1.0")


def test_it_is_read_back_as_it_was(tensors: Tensors, tmp_path: Path):
    path = written(tensors, tmp_path)
    assert compared(path, tensors, 16.0) < 0.002 and read_exported(path)[1] == 16.0
    assert [entry.name for entry in tmp_path.iterdir()] == ["made-up.gguf"]


def test_what_training_saved_is_read_in_one_file_or_in_parts(tensors: Tensors, tmp_path: Path):
    names = sorted(tensors)
    np.savez(tmp_path / "one.npz", **{names[0]: tensors[names[0]]}, rank=8, alpha=16.0)  # type: ignore[arg-type]
    np.savez(tmp_path / "two.npz", **{name: tensors[name] for name in names[1:]})  # type: ignore[arg-type]
    read, alpha = read_adapter([tmp_path / "one.npz", tmp_path / "two.npz"])
    assert alpha == 16.0 and all(np.array_equal(read[name], tensors[name]) for name in names)
    with pytest.raises(InputError, match="holds no adapter"):
        read_adapter([tmp_path / "two.npz"])


def test_another_alpha_name_shape_or_number_is_refused(tensors: Tensors, tmp_path: Path):
    path = written(tensors, tmp_path)
    name = "blk.0.ffn_up.weight.lora_a"
    off = tensors[name].copy()
    off[3, 5] += 0.01
    for wrong, alpha, message in (
        (tensors, 32.0, "its α is 16.0, not 32.0"),
        ({name: tensors[name]}, 16.0, "is only in the file"),
        (tensors | {"blk.1": tensors[name]}, 16.0, "is only in what was trained"),
        (tensors | {name: tensors[name].T.copy()}, 16.0, "has the shape"),
        (tensors | {name: off}, 16.0, "is off by up to 0.0"),
    ):
        with pytest.raises(EngineError, match=message):
            compared(path, wrong, alpha)


def test_a_training_that_blew_up_is_told(tensors: Tensors, tmp_path: Path):
    spoilt = tensors | {"blk.0.ffn_up.weight.lora_b": np.full((96, 8), np.nan, np.float32)}
    with pytest.raises(EngineError, match="lower --rate"):
        compared(written(spoilt, tmp_path), spoilt, 16.0)
