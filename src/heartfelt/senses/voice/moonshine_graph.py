"""Makes Moonshine tell more than words: where its decoder listens.

The package ships it in onnxruntime's own format, which only onnxruntime reads. It can write it as ONNX again, and there what
lies inside is one name away.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from heartfelt.errors import DamagedError

LAYER = 4
"""Of 6 layers with 8 heads, head 6 of layer 4 points best at where a token begins: a median error of 22 ms."""
HEAD = 6
ATTENTION = "attention"
_INSIDE = f"/model/decoder/layers.{LAYER}/encoder_attn/Softmax_output_0"


def write_decoder(source: Path, target: Path) -> None:
    """Convert the decoder at `source` (ORT format) to ONNX with the further output `attention`, [1, 8, tokens, frames]."""
    import onnx
    from onnx import TensorProto, helper

    with TemporaryDirectory() as folder:
        plain = Path(folder) / "plain.onnx"
        _save_as_onnx(source, plain)
        model = onnx.load(plain)
    branching = next((node for node in model.graph.node if node.op_type == "If"), None)
    if branching is None:
        raise DamagedError(f"{source.name} is not Moonshine's merged decoder. Remove it and pull it again.")
    # The format keeps no names of graphs, and ONNX insists on them.
    model.graph.name = "decoder"
    for branch in branching.attribute:
        branch.g.name = branch.name
        branch.g.output.append(helper.make_tensor_value_info(_INSIDE, TensorProto.FLOAT, None))
    branching.output.append(ATTENTION)
    model.graph.output.append(helper.make_tensor_value_info(ATTENTION, TensorProto.FLOAT, None))
    onnx.save(model, target)


def _save_as_onnx(source: Path, target: Path) -> None:
    import onnxruntime

    options = onnxruntime.SessionOptions()  # pyright: ignore[reportAttributeAccessIssue]
    options.optimized_model_filepath = str(target)
    options.add_session_config_entry("session.save_model_format", "ONNX")
    # Nothing may be fused for this very processor: the file is to run on any.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL  # pyright: ignore[reportAttributeAccessIssue]
    options.log_severity_level = 3
    onnxruntime.InferenceSession(str(source), options, providers=["CPUExecutionProvider"])
