"""ONNX graphs that are made here: they grow node by node, and are written so that their numbers need no copy in memory."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import onnx

_SMALL = 1024
"""Bytes of a tensor that may as well stay in the graph."""


class Growing:
    """Nodes and constants, each with a name of its own."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def add(self, kind: str, *inputs: str, output: str = "", **attributes: Any) -> str:
        """A node with one output; gives the name of that."""
        name = output or f"n{len(self.nodes)}"
        self.append(kind, list(inputs), [name], **attributes)
        return name

    def append(self, kind: str, inputs: list[str], outputs: list[str], **attributes: Any) -> None:
        from onnx import helper

        self.nodes.append(helper.make_node(kind, inputs, outputs, **attributes))

    def constant(self, values: NDArray[np.float32] | NDArray[np.int64] | NDArray[np.int8]) -> str:
        from onnx import numpy_helper

        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name


def save(model: "onnx.ModelProto", target: Path) -> None:
    """The graph, and its numbers in a file beside it.

    The runtime maps that file instead of reading it: what is not used takes no memory, and all processes of a machine share it.
    """
    import onnx

    onnx.save(model, target, save_as_external_data=True, location=f"{target.name}.data", size_threshold=_SMALL)
