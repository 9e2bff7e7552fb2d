"""Makes Whisper quick on short sound: an encoder that reads no more than there is, a decoder that does not unpack its words.

As published, the encoder reads 30 seconds whatever they hold, and the decoder unpacks the table of its 51,865 tokens for every
one that it writes: on two cores most of the time would go there.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from heartfelt.errors import DamagedError
from heartfelt.weights.graph import save

if TYPE_CHECKING:
    from onnx import GraphProto, ModelProto, NodeProto

LAYERS = (1, 2)
"""Of the encoder's 6 layers, those that know best how something was said, whoever says it; the later ones forget it."""
_POSITIONS = "embed_positions.weight"
_TABLE = "model.decoder.embed_tokens.weight_merged_0"
_UNPACKED = "model.decoder.embed_tokens.weight_transposed"
_LAST_LAYER = "/model/decoder/layer_norm/Add_1_output_0"


def write_encoder(source: Path, target: Path) -> None:
    """The encoder with its positions cut to the length of the sound."""
    model = _shortened(source)
    _keep(model.graph, lambda name: name == "last_hidden_state")
    save(model, target)


def write_layers(source: Path, target: Path) -> None:
    """The same, up to the last of `LAYERS`, with what each of these hears: [1, frames, 512]."""
    from onnx import TensorProto, helper

    model = _shortened(source)
    heard = [f"/layers.{layer}/Add_1_output_0" for layer in LAYERS]
    for name in heard:
        _node(model.graph, source, lambda node, name=name: name in node.output)
    del model.graph.output[:]
    model.graph.output.extend(helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in heard)
    _prune(model.graph)
    save(model, target)


def _shortened(source: Path) -> "ModelProto":
    import onnx
    from onnx import helper

    model = onnx.load(source)
    graph = model.graph
    adding = _node(graph, source, lambda node: _POSITIONS in node.input)
    sound = next(name for name in adding.input if name != _POSITIONS)
    adding.input[:] = [sound, "positions"]
    _constants(graph, zero=0, one=1, two=2)
    cutting = (
        helper.make_node("Shape", [sound], ["sizes"]),
        helper.make_node("Slice", ["sizes", "one", "two", "zero"], ["length"]),
        helper.make_node("Slice", [_POSITIONS, "zero", "length", "zero"], ["positions"]),
    )
    place = list(graph.node).index(adding)
    for node in reversed(cutting):
        graph.node.insert(place, node)
    return model


def _prune(graph: "GraphProto") -> None:
    """Leave out what nothing that is given out was made of. Nodes stand in the order in which they run."""
    needed = {output.name for output in graph.output}
    kept: list[NodeProto] = []
    for node in reversed(graph.node):
        if needed.intersection(node.output):
            kept.append(node)
            needed.update(node.input)
    weights = [weight for weight in graph.initializer if weight.name in needed]
    del graph.node[:], graph.initializer[:], graph.value_info[:]
    graph.node.extend(reversed(kept))
    graph.initializer.extend(weights)


def write_decoder(source: Path, target: Path) -> None:
    """The decoder, which scores the tokens once behind its two branches, for the last place only and in whole numbers."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    model = onnx.load(source)
    graph = model.graph
    branching = _node(graph, source, lambda node: node.op_type == "If")
    for branch in branching.attribute:
        _end_early(branch.g)
    branching.output[0] = "written"
    table = next(weight for weight in graph.initializer if weight.name == f"{_TABLE}_quantized")
    graph.initializer.append(numpy_helper.from_array(np.ascontiguousarray(numpy_helper.to_array(table).T), "tokens"))
    _constants(graph, last=-1, end=np.iinfo(np.int64).max, along=1)
    graph.node.extend(
        (
            helper.make_node("Slice", ["written", "last", "end", "along"], ["last_written"]),
            helper.make_node("DynamicQuantizeLinear", ["last_written"], ["whole", "whole_scale", "whole_zero"]),
            helper.make_node("MatMulInteger", ["whole", "tokens", "whole_zero", f"{_TABLE}_zero_point"], ["counted"]),
            helper.make_node("Cast", ["counted"], ["product"], to=TensorProto.FLOAT),
            helper.make_node("Mul", ["whole_scale", f"{_TABLE}_scale"], ["scale"]),
            helper.make_node("Mul", ["product", "scale"], ["logits"]),
        )
    )
    _keep(graph, lambda name: not name.startswith("decoder_attentions"))
    save(model, target)


def _end_early(branch: "GraphProto") -> None:
    """Before the tokens are scored: the table is neither turned round nor unpacked here."""
    from onnx import TensorProto, helper

    scoring = {"logits", _UNPACKED, f"{_UNPACKED}_quantized"}
    before = [node for node in branch.node if not scoring & set(node.output)]
    del branch.node[:]
    branch.node.extend(before)
    branch.output[0].CopyFrom(helper.make_tensor_value_info(_LAST_LAYER, TensorProto.FLOAT, None))


def _node(graph: "GraphProto", source: Path, wanted: "Callable[[NodeProto], bool]") -> "NodeProto":
    found = next(filter(wanted, graph.node), None)
    if found is None:
        raise DamagedError(f"{source.name} is not Whisper's, or in another form. Remove it and pull it again.")
    return found


def _constants(graph: "GraphProto", **values: int) -> None:
    from onnx import numpy_helper

    graph.initializer.extend(numpy_helper.from_array(np.array([value], np.int64), name) for name, value in values.items())


def _keep(graph: "GraphProto", wanted: Callable[[str], bool]) -> None:
    kept = [output for output in graph.output if wanted(output.name)]
    del graph.output[:]
    graph.output.extend(kept)
