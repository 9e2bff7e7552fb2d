"""Weights converted once, with an adapter merged in, on a model of a few numbers and on the real one."""

from pathlib import Path

import numpy as np
import pytest
from gguf import GGMLQuantizationType, GGUFReader, GGUFWriter
from gguf.quants import dequantize, quantize

from heartfelt.errors import EngineError
from heartfelt.models import open_model
from heartfelt.models.embedded import builds
from heartfelt.models.embedded.convert import convert
from heartfelt.tuning.export import export
from heartfelt.weights import Store

NAME = "blk.0.attn_q.weight"


def write_base(path: Path, weight: np.ndarray) -> Path:
    writer = GGUFWriter(path, "llama")
    writer.add_string("general.name", "tiny")
    writer.add_array("tokenizer.ggml.tokens", ["a", "b", "ü"])
    writer.add_uint32("llama.block_count", 1)
    writer.add_tensor(NAME, quantize(weight, GGMLQuantizationType.Q4_1), raw_dtype=GGMLQuantizationType.Q4_1)
    writer.add_tensor("output_norm.weight", np.ones(64, np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def tensors(path: Path) -> dict[str, np.ndarray]:
    return {tensor.name: dequantize(tensor.data, tensor.tensor_type) for tensor in GGUFReader(path).tensors}


@pytest.fixture
def tiny(tmp_path: Path) -> tuple[Path, dict[str, np.ndarray]]:
    random = np.random.default_rng(0)
    base = write_base(tmp_path / "base.gguf", random.normal(size=(96, 64)).astype(np.float32))
    adapter = {
        f"{NAME}.lora_a": random.normal(size=(32, 64)).astype(np.float32),
        f"{NAME}.lora_b": random.normal(size=(96, 32)).astype(np.float32),
    }
    return base, adapter


def test_the_adapter_is_added_to_the_matrix(tmp_path: Path, tiny: tuple[Path, dict[str, np.ndarray]]):
    base, parts = tiny
    adapter = export(parts, 64.0, tmp_path / "a.gguf", name="a", licence="none")
    convert(base, tmp_path / "merged.gguf", adapter)
    expected = tensors(base)[NAME] + 2.0 * parts[f"{NAME}.lora_b"] @ parts[f"{NAME}.lora_a"]
    merged = tensors(tmp_path / "merged.gguf")
    assert np.abs(merged[NAME] - expected).max() < 0.02 * np.abs(expected).max()
    assert (merged["output_norm.weight"] == 1).all()


def test_without_an_adapter_only_the_format_changes(tmp_path: Path, tiny: tuple[Path, dict[str, np.ndarray]]):
    convert(tiny[0], tmp_path / "same.gguf")
    made = GGUFReader(tmp_path / "same.gguf")
    assert [t.tensor_type.name for t in made.tensors] == ["Q8_0", "F32"]
    assert np.abs(tensors(tmp_path / "same.gguf")[NAME] - tensors(tiny[0])[NAME]).max() < 0.02
    assert made.fields["tokenizer.ggml.tokens"].contents() == ["a", "b", "ü"]
    assert made.fields["general.name"].contents() == "tiny"


def test_an_adapter_for_another_model_is_refused(tmp_path: Path, tiny: tuple[Path, dict[str, np.ndarray]]):
    foreign = {name.replace("blk.0", "blk.9"): value for name, value in tiny[1].items()}
    adapter = export(foreign, 64.0, tmp_path / "a.gguf", name="a", licence="none")
    with pytest.raises(EngineError, match=r"is for another model: it changes 'blk\.9"):
        convert(tiny[0], tmp_path / "merged.gguf", adapter)


def test_the_shipped_adapter_is_small_and_the_default():
    assert builds.TUNED.stat().st_size < 12_000_000
    assert open_model("embedded:").name.startswith("embedded:heartfelt-3/")
    assert open_model("embedded:small").name == open_model("embedded:").name
    assert open_model("embedded:base").name.startswith("embedded:base/")


@pytest.mark.embedded
def test_the_converted_weights_differ_by_adapter():
    store = Store()
    assert builds.weights(store, builds.TUNED) != builds.weights(store, None)
