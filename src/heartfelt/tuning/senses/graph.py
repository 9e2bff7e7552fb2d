"""An ONNX file, written node by node: weights in half precision, cast back once when the file is loaded.

The networks write themselves into it, with their normalisation folded into the weights. So the file holds a dozen kinds of
node that every runtime knows, and needs no exporter.
"""

from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from heartfelt.files import whole

Weights = NDArray[np.float32]

OPSET = 17
IR = 8
"""Old enough for every runtime of the last years."""


class TrainedGraph:
    def __init__(self, name: str, *, source: tuple[str, list[int | str]], half: bool = True):
        self.name, self.half = name, half
        self.source, self.shape = source
        self.nodes: list[onnx.NodeProto] = []
        self.kept: list[onnx.TensorProto] = []

    def add(self, kind: str, *inputs: str, **options: Any) -> str:
        """A node; the name of what comes out of it."""
        target = f"{kind}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [target], name=target, **options))
        return target

    def weight(self, values: Weights) -> str:
        name = f"weight_{len(self.kept)}"
        kind = np.float16 if self.half and values.size > 64 else np.float32
        self.kept.append(numpy_helper.from_array(np.ascontiguousarray(values, kind), name))
        return self.add("Cast", name, to=TensorProto.FLOAT) if kind is np.float16 else name

    def whole(self, *values: int) -> str:
        """Whole numbers, such as axes and shapes."""
        name = f"whole_{len(self.kept)}"
        self.kept.append(numpy_helper.from_array(np.array(values, np.int64), name))
        return name

    def convolution(
        self, source: str, weight: Weights, bias: Weights, *, stride: tuple[int, int] = (1, 1), padding: tuple[int, int]
    ) -> str:
        options = {"strides": list(stride), "pads": [*padding, *padding], "kernel_shape": list(weight.shape[2:])}
        return self.add("Conv", source, self.weight(weight), self.weight(bias), **options)

    def linear(self, source: str, weight: Weights, bias: Weights) -> str:
        return self.add("Gemm", source, self.weight(weight), self.weight(bias), transB=1)

    def mean(self, source: str, *axes: int) -> str:
        return self.add("ReduceMean", source, axes=list(axes), keepdims=1)

    def save(self, path: Path, target: str, *, width: int, told: dict[str, str] | None = None) -> Path:
        """Write the file. `target` is the node whose outcome, so many numbers a row, comes out as `scores`."""
        last = helper.make_node("Identity", [target], ["scores"])
        graph = helper.make_graph(
            [*self.nodes, last],
            self.name,
            [helper.make_tensor_value_info(self.source, TensorProto.FLOAT, self.shape)],
            [helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["n", width])],
            self.kept,
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR)
        helper.set_model_props(model, told or {})
        onnx.checker.check_model(model, full_check=True)
        with whole(path) as draft:
            onnx.save(model, str(draft))
        return path
