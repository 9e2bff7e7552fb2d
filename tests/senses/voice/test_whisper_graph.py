from itertools import pairwise
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

from heartfelt.errors import DamagedError
from heartfelt.senses.voice.whisper_graph import write_decoder, write_encoder, write_layers

POSITIONS = np.arange(12, dtype=np.float32).reshape(6, 2)
TABLE = np.array([[120, 136, 128], [128, 160, 100], [0, 255, 128], [128, 128, 200]], np.uint8)
"""Four tokens of three channels: 128 stands for nothing, a step for a quarter."""
LAST = "/model/decoder/layer_norm/Add_1_output_0"
TOKENS = "model.decoder.embed_tokens.weight"


def save(graph: onnx.GraphProto, path: Path) -> Path:
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 11)], ir_version=7), path)
    return path


def floats(name: str, shape: list[int | str]) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)


def encoder(path: Path) -> Path:
    nodes = [
        helper.make_node("Add", ["input_features", "embed_positions.weight"], ["last_hidden_state"]),
        helper.make_node("Neg", ["last_hidden_state"], ["encoder_attentions.0"]),
    ]
    weights = [numpy_helper.from_array(POSITIONS, "embed_positions.weight")]
    outputs = [floats("last_hidden_state", [1, "n", 2]), floats("encoder_attentions.0", [1, "n", 2])]
    return save(helper.make_graph(nodes, "encoder", [floats("input_features", [1, "n", 2])], outputs, weights), path)


def deep_encoder(path: Path) -> Path:
    """Four layers, each of which adds what the first one is told."""
    places = ["x", *(f"/layers.{layer}/Add_1_output_0" for layer in range(4))]
    nodes = [helper.make_node("Add", ["input_features", "embed_positions.weight"], ["x"])]
    nodes += [helper.make_node("Add", [before, "x"], [after]) for before, after in pairwise(places)]
    nodes.append(helper.make_node("Mul", [places[-1], "last"], ["last_hidden_state"]))
    weights = [numpy_helper.from_array(POSITIONS, "embed_positions.weight"), numpy_helper.from_array(POSITIONS[:1], "last")]
    outputs = [floats("last_hidden_state", [1, "n", 2])]
    return save(helper.make_graph(nodes, "encoder", [floats("input_features", [1, "n", 2])], outputs, weights), path)


def branch(name: str, how: str) -> onnx.GraphProto:
    nodes = [
        helper.make_node(how, ["encoder_hidden_states"], [LAST]),
        helper.make_node("Transpose", [f"{TOKENS}_merged_0_quantized"], [f"{TOKENS}_transposed_quantized"], perm=[1, 0]),
        helper.make_node(
            "DequantizeLinear",
            [f"{TOKENS}_transposed_quantized", f"{TOKENS}_merged_0_scale", f"{TOKENS}_merged_0_zero_point"],
            [f"{TOKENS}_transposed"],
        ),
        helper.make_node("MatMul", [LAST, f"{TOKENS}_transposed"], ["logits"]),
        helper.make_node("Abs", ["encoder_hidden_states"], ["decoder_attentions.0"]),
    ]
    outputs = [floats("logits", ["b", "n", 4]), floats("decoder_attentions.0", ["b", "n", 3])]
    return helper.make_graph(nodes, name, [], outputs)


def decoder(path: Path) -> Path:
    node = helper.make_node(
        "If",
        ["use_cache_branch"],
        ["logits", "decoder_attentions.0"],
        then_branch=branch("then", "Identity"),
        else_branch=branch("other", "Neg"),
    )
    weights = [
        numpy_helper.from_array(TABLE, f"{TOKENS}_merged_0_quantized"),
        numpy_helper.from_array(np.array(0.25, np.float32), f"{TOKENS}_merged_0_scale"),
        numpy_helper.from_array(np.array(128, np.uint8), f"{TOKENS}_merged_0_zero_point"),
    ]
    inputs = [floats("encoder_hidden_states", [1, "n", 3])]
    inputs.append(helper.make_tensor_value_info("use_cache_branch", TensorProto.BOOL, [1]))
    outputs = [floats("logits", [1, "n", 4]), floats("decoder_attentions.0", [1, "n", 3])]
    return save(helper.make_graph([node], "merged", inputs, outputs, weights), path)


def run(path: Path, **inputs: np.ndarray) -> list[np.ndarray]:
    return onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"]).run(None, inputs)


@pytest.mark.parametrize("length", [1, 4, 6])
def test_the_encoder_takes_sound_of_any_length(tmp_path: Path, length: int):
    write_encoder(encoder(tmp_path / "plain.onnx"), tmp_path / "encoder.onnx")
    (hidden,) = run(tmp_path / "encoder.onnx", input_features=np.ones((1, length, 2), np.float32))
    assert np.array_equal(hidden[0], 1 + POSITIONS[:length])


def test_the_encoder_ends_with_the_layers_that_are_listened_to(tmp_path: Path):
    """What comes after them is not even in the file."""
    write_layers(deep_encoder(tmp_path / "plain.onnx"), tmp_path / "layers.onnx")
    first, second = run(tmp_path / "layers.onnx", input_features=np.ones((1, 4, 2), np.float32))
    assert np.array_equal(first[0], 3 * (1 + POSITIONS[:4])) and np.array_equal(second[0], 4 * (1 + POSITIONS[:4]))
    made = onnx.load(tmp_path / "layers.onnx").graph
    assert {weight.name for weight in made.initializer} == {"embed_positions.weight", "zero", "one", "two"}
    assert "/layers.3/Add_1_output_0" not in {name for node in made.node for name in node.output}


@pytest.mark.parametrize("cached", [True, False])
def test_the_decoder_scores_the_last_place(tmp_path: Path, cached: bool):
    write_decoder(decoder(tmp_path / "plain.onnx"), tmp_path / "decoder.onnx")
    last = np.array([1, -2, 0.5], np.float32)
    hidden = np.stack([np.full(3, 9, np.float32), last])[None]
    (logits,) = run(tmp_path / "decoder.onnx", encoder_hidden_states=hidden, use_cache_branch=np.array([cached]))
    scores = (TABLE.astype(float) - 128) / 4 @ last
    assert logits.shape == (1, 1, 4)
    assert logits[0, 0] == pytest.approx(scores if cached else -scores, abs=0.3)


@pytest.mark.parametrize("write", [write_encoder, write_layers, write_decoder])
def test_another_graph_is_refused(tmp_path: Path, write: object):
    plain = helper.make_graph([helper.make_node("Neg", ["x"], ["y"])], "plain", [floats("x", [1])], [floats("y", [1])])
    with pytest.raises(DamagedError, match="not Whisper's"):
        write(save(plain, tmp_path / "plain.onnx"), tmp_path / "made.onnx")  # pyright: ignore[reportCallIssue]
