"""An ONNX graph that grows node by node: for networks that come as numbers alone and are put together here."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import onnx


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
