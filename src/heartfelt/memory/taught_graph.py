"""A taught encoder as one ONNX graph: the sentence encoder with layers taught again, and a head of scores.

The shipped file holds the taught tensors in eight bits, a scale for each row. The table of words is the encoder's own. A head
is one matrix over what the last layer found, or, where the file has a hidden layer, two over what several layers found: the
last one knows best what it was taught on, the ones below it carry over better to what others write.
"""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from heartfelt.errors import DamagedError
from heartfelt.memory.minilm_graph import IR, OPSET, EncoderGraph, Tensors, read_safetensors
from heartfelt.weights.graph import save

if TYPE_CHECKING:
    import onnx

WORDS = "embeddings.word_embeddings.weight"
TYPES = "embeddings.token_type_embeddings.weight"
PLACES = "embeddings.position_embeddings.weight"
HEAD, BIAS = "head.weight", "head.bias"
HIDDEN, HIDDEN_BIAS = "hidden.weight", "hidden.bias"
FORM = 2
"""A conversion is found by its name: this goes up whenever what is written here changes."""
_SCALE = "/scale"


def write_taught(tensors: Tensors, target: Path) -> None:
    """Matrices in eight bits, the rest as half precision."""
    stored: dict[str, NDArray[np.generic]] = {}
    for name, tensor in tensors.items():
        if tensor.ndim == 2 and min(tensor.shape) > 16:
            scale = np.abs(tensor).max(1, keepdims=True) / 127 + 1e-12
            stored[name], stored[name + _SCALE] = np.round(tensor / scale).astype(np.int8), scale.astype(np.float32)
        else:
            stored[name] = tensor.astype(np.float32)
    np.savez_compressed(target, **stored)  # pyright: ignore[reportArgumentType]


def read_taught(path: Path) -> Tensors:
    try:
        with np.load(path, allow_pickle=False) as data:
            scales = {name.removesuffix(_SCALE): data[name] for name in data.files if name.endswith(_SCALE)}
            names = [name for name in data.files if not name.endswith(_SCALE)]
            return {name: data[name].astype(np.float32) * scales.get(name, np.float32(1)) for name in names}
    except (OSError, ValueError, KeyError) as error:
        raise DamagedError(f"{path} does not hold a taught encoder: {error}") from None


def write_graph(weights: Path, config: Path, taught: tuple[Path, ...], target: Path, *, eight_bits: bool = False) -> None:
    """What a later file teaches stands for what an earlier one does. `eight_bits`: quicker, and rounded while it runs."""
    tensors: Tensors = {WORDS: read_safetensors(weights)[WORDS]}
    for path in taught:
        tensors |= read_taught(path)
    graph = (EightBitGraph if eight_bits else TaughtGraph)(tensors, json.loads(config.read_text(encoding="utf-8")))
    save(build_graph(graph), target)


def build_graph(graph: "TaughtGraph") -> "onnx.ModelProto":
    from onnx import TensorProto, helper

    graph.embeddings()
    states: list[str] = []
    for layer in range(graph.layers):
        graph.attention(f"encoder.layer.{layer}.")
        graph.feed_forward(f"encoder.layer.{layer}.")
        states.append(graph.state)
    graph.head(states)
    names = ("input_ids", "mask", "types")
    whole = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"]) for name in names]
    scores = helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["batch", len(graph.tensors[BIAS])])
    body = helper.make_graph(graph.nodes, "taught", whole, [scores], graph.constants)
    return helper.make_model(body, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR)


class TaughtGraph(EncoderGraph):
    """Tokens of type 0 are what is scored, such as a message, those of type 1 what stands around it."""

    def places(self) -> str:
        length = self.add("Shape", "input_ids", start=1, end=2)
        along = self.add("Slice", self.constant(self.tensors[PLACES]), self.integers(0), length, self.integers(0))
        return self.add("Add", along, self.add("Gather", self.constant(self.tensors[TYPES]), "types"))

    def head(self, states: list[str]) -> None:
        """The means over the tokens of type 0, which have seen the others, and one matrix or two."""
        own = self.add("Cast", self.add("Mul", "mask", self.add("Sub", self.integers(1), "types")), to=1)
        weights, count = self.add("Unsqueeze", own, self.integers(1)), self.add("ReduceSum", own, self.integers(1), keepdims=1)

        def mean(state: str) -> str:
            return self.add("Div", self.add("Squeeze", self.add("MatMul", weights, state), self.integers(1)), count)

        found = mean(states[-1])
        if HIDDEN in self.tensors:
            layers = self.tensors[HIDDEN].shape[1] // self.width
            found = self.add("Concat", *map(mean, states[-layers:]), axis=-1)
            found = self.add("Gelu", self.matrix(found, HIDDEN, HIDDEN_BIAS))
        self.matrix(found, HEAD, BIAS, output="scores")

    def matrix(self, source: str, weight: str, bias: str, output: str = "") -> str:
        """In whole numbers nowhere: it is small, and decides."""
        product = self.add("MatMul", source, self.constant(self.tensors[weight].T))
        return self.add("Add", product, self.constant(self.tensors[bias]), output=output)


class EightBitGraph(TaughtGraph):
    """Reckons with whole numbers of eight bits, as the shipped weights are; what goes in is rounded to 256 steps each time."""

    def linear(self, source: str, weight: NDArray[np.float32], bias: NDArray[np.float32]) -> str:
        scale = np.abs(weight).max(1) / 127 + np.float32(1e-12)
        whole = self.constant(np.round(weight / scale[:, None]).astype(np.int8).T)
        rounded, step, zero = (f"{source}/{part}{len(self.nodes)}" for part in ("rounded", "step", "zero"))
        self.append("DynamicQuantizeLinear", [source], [rounded, step, zero])
        product = self.add("Cast", self.add("MatMulInteger", rounded, whole, zero), to=1)
        return self.add("Add", self.add("Mul", product, self.add("Mul", step, self.constant(scale))), self.constant(bias))
