"""all-MiniLM-L6-v2 as one ONNX graph, built from its safetensors: token ids go in, unit vectors come out.

Pooling and normalisation are part of the graph, so nothing that uses it can forget them. Query, key and value are
multiplied as one matrix, and the constant row of token types is folded into the positions: same numbers, fewer steps.
"""

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from heartfelt.errors import DamagedError
from heartfelt.weights.graph import Growing, save

if TYPE_CHECKING:
    import onnx

Tensors = dict[str, NDArray[np.float32]]

# The oldest pair that knows LayerNormalization and Gelu: older runtimes can then read the file as well.
OPSET, IR = 20, 9
# Far below any attention score, and still finite: a row of nothing but padding must not become NaN.
_MASKED = -1e9


def read_safetensors(path: Path) -> Tensors:
    """The float32 tensors of a file: eight bytes of length, a JSON header, then the raw numbers."""
    raw = np.memmap(path, dtype=np.uint8, mode="r")
    length = int.from_bytes(raw[:8].tobytes(), "little")
    if length > len(raw) - 8:
        raise DamagedError(f"{path} is not a whole safetensors file. Fetch it again: heartfelt models pull minilm")
    header = json.loads(raw[8 : 8 + length].tobytes())
    body = raw[8 + length :]
    return {
        name: body[slice(*entry["data_offsets"])].view(np.float32).reshape(entry["shape"])
        for name, entry in header.items()
        if name != "__metadata__" and entry["dtype"] == "F32"
    }


def write_graph(weights: Path, config: Path, target: Path) -> None:
    """Convert once; `embed.MiniLM` keeps the result in the store of weights."""
    save(build_graph(read_safetensors(weights), json.loads(config.read_text(encoding="utf-8"))), target)


def build_graph(tensors: Tensors, config: dict[str, float]) -> "onnx.ModelProto":
    from onnx import TensorProto, helper

    graph = EncoderGraph(tensors, config)
    graph.embeddings()
    for layer in range(graph.layers):
        graph.attention(f"encoder.layer.{layer}.")
        graph.feed_forward(f"encoder.layer.{layer}.")
    graph.pooling()
    whole = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"]) for name in ("input_ids", "mask")]
    vector = helper.make_tensor_value_info("vector", TensorProto.FLOAT, ["batch", graph.width])
    body = helper.make_graph(graph.nodes, "minilm", whole, [vector], graph.constants)
    return helper.make_model(body, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR)


class EncoderGraph(Growing):
    """Grows node by node. `state` names the tensor [batch, length, width] that the next layer reads."""

    def __init__(self, tensors: Tensors, config: dict[str, float]):
        super().__init__()
        self.tensors = tensors
        self.width, self.heads = int(config["hidden_size"]), int(config["num_attention_heads"])
        self.epsilon = float(config["layer_norm_eps"])
        self.layers = int(config["num_hidden_layers"])
        self.state = ""

    def embeddings(self) -> None:
        words = self.add("Gather", self.constant(self.tensors["embeddings.word_embeddings.weight"]), "input_ids")
        self.state = self.normalised(self.add("Add", words, self.places()), "embeddings.LayerNorm")
        self.weight = self.add("Cast", "mask", to=1)
        hidden = self.add("Mul", self.add("Sub", self.number(1.0), self.weight), self.number(_MASKED))
        self.bias = self.add("Unsqueeze", hidden, self.integers(1, 2))

    def places(self) -> str:
        """Every token of a single sentence is of type 0."""
        t = self.tensors
        position = t["embeddings.position_embeddings.weight"] + t["embeddings.token_type_embeddings.weight"][0]
        length = self.add("Shape", "input_ids", start=1, end=2)
        return self.add("Slice", self.constant(position), self.integers(0), length, self.integers(0))

    def attention(self, prefix: str) -> None:
        parts = [f"{prefix}attention.self.{name}" for name in ("query", "key", "value")]
        weight = np.concatenate([self.tensors[f"{part}.weight"] for part in parts])
        bias = np.concatenate([self.tensors[f"{part}.bias"] for part in parts])
        joined = self.linear(self.state, weight, bias)
        query, key, value = self.split(joined, 3)
        scale = self.number(1 / math.sqrt(self.width // self.heads))
        scores = self.add("MatMul", self.add("Mul", self.by_head(query), scale), self.by_head(key, (0, 2, 3, 1)))
        shares = self.add("Softmax", self.add("Add", scores, self.bias), axis=-1)
        mixed = self.add("Transpose", self.add("MatMul", shares, self.by_head(value)), perm=(0, 2, 1, 3))
        merged = self.add("Reshape", mixed, self.integers(0, 0, self.width))
        self.residual(merged, f"{prefix}attention.output")

    def feed_forward(self, prefix: str) -> None:
        wide = self.add("Gelu", self.dense(self.state, f"{prefix}intermediate.dense"))
        self.residual(wide, f"{prefix}output")

    def pooling(self) -> None:
        """The mean over real tokens, then length one. The mean's divisor cancels out in the norm, so it is left out."""
        weights = self.add("Unsqueeze", self.weight, self.integers(1))
        total = self.add("Squeeze", self.add("MatMul", weights, self.state), self.integers(1))
        norm = self.add("ReduceL2", total, self.integers(1), keepdims=1)
        self.add("Div", total, norm, output="vector")

    def residual(self, source: str, prefix: str) -> None:
        summed = self.add("Add", self.dense(source, f"{prefix}.dense"), self.state)
        self.state = self.normalised(summed, f"{prefix}.LayerNorm")

    def dense(self, source: str, name: str) -> str:
        return self.linear(source, self.tensors[f"{name}.weight"], self.tensors[f"{name}.bias"])

    def linear(self, source: str, weight: NDArray[np.float32], bias: NDArray[np.float32]) -> str:
        return self.add("Add", self.add("MatMul", source, self.constant(weight.T)), self.constant(bias))

    def normalised(self, source: str, name: str) -> str:
        scale, shift = (self.constant(self.tensors[f"{name}.{part}"]) for part in ("weight", "bias"))
        return self.add("LayerNormalization", source, scale, shift, axis=-1, epsilon=self.epsilon)

    def split(self, source: str, parts: int) -> list[str]:
        names = [f"{source}.{part}" for part in range(parts)]
        self.append("Split", [source], names, axis=-1, num_outputs=parts)
        return names

    def by_head(self, source: str, order: tuple[int, ...] = (0, 2, 1, 3)) -> str:
        shape = self.integers(0, 0, self.heads, self.width // self.heads)
        return self.add("Transpose", self.add("Reshape", source, shape), perm=order)

    def integers(self, *values: int) -> str:
        return self.constant(np.array(values, np.int64))

    def number(self, value: float) -> str:
        return self.constant(np.array(value, np.float32))
