from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper

from heartfelt.errors import DamagedError
from heartfelt.senses.voice.moonshine_graph import write_decoder

INSIDE = "/model/decoder/layers.4/encoder_attn/Softmax_output_0"


def branch(name: str, factor: str) -> onnx.GraphProto:
    nodes = [helper.make_node("Mul", ["x", factor], ["scaled"]), helper.make_node("Softmax", ["scaled"], [INSIDE])]
    nodes.append(helper.make_node("Neg", [INSIDE], ["logits"]))
    return helper.make_graph(nodes, name, [], [helper.make_tensor_value_info("logits", TensorProto.FLOAT, None)])


def decoder() -> onnx.ModelProto:
    then, other = branch("then", "one"), branch("other", "two")
    node = helper.make_node("If", ["use_cache_branch"], ["logits"], then_branch=then, else_branch=other)
    inputs = [
        helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 8]),
        helper.make_tensor_value_info("use_cache_branch", TensorProto.BOOL, [1]),
    ]
    factors = [helper.make_tensor(name, TensorProto.FLOAT, [1], [value]) for name, value in (("one", 1.0), ("two", 2.0))]
    outputs = [helper.make_tensor_value_info("logits", TensorProto.FLOAT, None)]
    return model(helper.make_graph([node], "merged", inputs, outputs, factors))


def model(graph: onnx.GraphProto) -> onnx.ModelProto:
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)


def as_ort(made: onnx.ModelProto, path: Path) -> Path:
    """As the package ships it: in onnxruntime's own format."""
    options = onnxruntime.SessionOptions()
    options.optimized_model_filepath = str(path)
    options.add_session_config_entry("session.save_model_format", "ORT")
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    onnxruntime.InferenceSession(made.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return path


@pytest.mark.parametrize("cached", [True, False])
def test_the_attention_comes_out_of_both_branches(tmp_path: Path, cached: bool):
    target = tmp_path / "decoder.onnx"
    write_decoder(as_ort(decoder(), tmp_path / "decoder.ort"), target)
    session = onnxruntime.InferenceSession(str(target), providers=["CPUExecutionProvider"])
    inputs = {"x": np.arange(8, dtype=np.float32)[None], "use_cache_branch": np.array([cached])}
    logits, attention = session.run(["logits", "attention"], inputs)
    assert np.array_equal(attention, -logits)
    assert attention.sum() == pytest.approx(1)


def test_another_graph_is_refused(tmp_path: Path):
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1])]
    outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1])]
    plain = model(helper.make_graph([helper.make_node("Neg", ["x"], ["y"])], "plain", inputs, outputs))
    with pytest.raises(DamagedError, match="not Moonshine's merged decoder"):
        write_decoder(as_ort(plain, tmp_path / "plain.ort"), tmp_path / "decoder.onnx")
