"""A TFLite network as one ONNX graph, so that the runtime that Heartfelt has anyway can run it.

The face mesh looks twice at the lips and at the eyes through three operators that only MediaPipe itself has; LiteRT refuses the
file for their sake. Here `crops` writes them in plain ONNX. Pictures go in as uint8 [1, height, width, 3].
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from heartfelt.errors import DamagedError
from heartfelt.senses.face.crops import crop_matrix, cropped, placed
from heartfelt.senses.face.flatbuffer import FlatbufferModel, Operator, read_model
from heartfelt.senses.face.regions import LEFT_EYE, LIPS, RIGHT_EYE

if TYPE_CHECKING:
    import onnx

# The oldest pair that knows GridSample with four dimensions under its present name.
_OPSET, _IR = 20, 9
_SAME = 0
_CUSTOM = 32
# In the order in which the network asks for its three crops; with the corners whose line is to lie level.
_CROPS = ((LIPS, (61, 291)), (RIGHT_EYE, (33, 133)), (LEFT_EYE, (362, 263)))


def write_graph(source: Path, target: Path, *, scale: float, shift: float, outputs: Sequence[str]) -> None:
    """Convert once. Pixels become `pixel * scale + shift`, which is what the network was taught with."""
    import onnx

    onnx.save(build_graph(read_model(source.read_bytes()), scale=scale, shift=shift, outputs=outputs), target)


def build_graph(model: FlatbufferModel, *, scale: float, shift: float, outputs: Sequence[str]) -> "onnx.ModelProto":
    from onnx import TensorProto, helper

    graph = GraphBuilder(model)
    graph.picture(scale, shift)
    for operator in model.operators:
        graph.operator(operator)
    for number, name in zip(model.outputs, outputs, strict=True):
        shape = model.tensors[number].shape
        graph.add("Reshape", graph.tall(number), graph.constant(np.array([-1, shape[-1]], np.int64)), output=name)
    picture = helper.make_tensor_value_info("picture", TensorProto.UINT8, model.tensors[model.inputs[0]].shape)
    results = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [None, None]) for name in outputs]
    body = helper.make_graph(graph.nodes, "face", [picture], results, graph.constants)
    return helper.make_model(body, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=_IR)


class GraphBuilder:
    """Grows operator by operator. Pictures within are [1, channels, height, width], as ONNX wants them and TFLite does not."""

    def __init__(self, model: FlatbufferModel):
        self.model = model
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []
        self.names: dict[int, str] = {}
        self.values: dict[int, NDArray[np.generic]] = {
            number: tensor.constant for number, tensor in enumerate(model.tensors) if tensor.constant is not None
        }
        self.crops = 0

    def add(self, kind: str, *inputs: str, output: str = "", **attributes: Any) -> str:
        from onnx import helper

        name = output or f"{kind}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def constant(self, value: NDArray[np.generic]) -> str:
        from onnx import numpy_helper

        name = f"constant_{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def numbers(self, *values: float) -> str:
        return self.constant(np.array(values, np.float32))

    def picture(self, scale: float, shift: float) -> None:
        from onnx import TensorProto

        plain = self.add("Cast", "picture", to=TensorProto.FLOAT)
        scaled = self.add("Add", self.add("Mul", plain, self.numbers(scale)), self.numbers(shift))
        self.names[self.model.inputs[0]] = self.add("Transpose", scaled, perm=[0, 3, 1, 2])

    def tall(self, number: int) -> str:
        """The tensor with its dimensions in TFLite's order, for what reads it as a row of numbers."""
        name = self.names[number]
        return self.add("Transpose", name, perm=[0, 2, 3, 1]) if len(self.shape(number)) == 4 else name

    def shape(self, number: int) -> tuple[int, ...]:
        return self.model.tensors[number].shape

    def operator(self, operator: Operator) -> None:
        kind = operator.name if operator.code == _CUSTOM else operator.code
        if kind not in _WRITERS:
            raise DamagedError(
                f"The face network holds an operator ({kind}) that Heartfelt does not know. Pull its pinned version."
            )
        _WRITERS[kind](self, operator)

    def read(self, number: int) -> str:
        """A tensor that was computed, or a constant in ONNX's order."""
        if number not in self.values:
            return self.names[number]
        value = self.values[number].astype(np.float32)
        return self.constant(value.transpose(0, 3, 1, 2) if value.ndim == 4 else value)


def _dequantize(graph: GraphBuilder, operator: Operator) -> None:
    graph.values[operator.outputs[0]] = graph.values[operator.inputs[0]].astype(np.float32)


def _convolution(graph: GraphBuilder, operator: Operator) -> None:
    weights = graph.values[operator.inputs[1]]
    _convolve(graph, operator, weights.transpose(0, 3, 1, 2), groups=1)


def _depthwise(graph: GraphBuilder, operator: Operator) -> None:
    weights = graph.values[operator.inputs[1]]
    _convolve(graph, operator, weights.transpose(3, 0, 1, 2), groups=weights.shape[3])


def _convolve(graph: GraphBuilder, operator: Operator, weights: NDArray[np.generic], groups: int) -> None:
    kernel = weights.shape[2:]
    bias = graph.values[operator.inputs[2]]
    graph.names[operator.outputs[0]] = graph.add(
        "Conv",
        graph.names[operator.inputs[0]],
        graph.constant(weights),
        graph.constant(bias),
        group=groups,
        **_window(graph, operator, kernel),
    )


def _max_pool(graph: GraphBuilder, operator: Operator) -> None:
    kernel = operator.options.integer(4), operator.options.integer(3)
    window = _window(graph, operator, kernel)
    graph.names[operator.outputs[0]] = graph.add("MaxPool", graph.names[operator.inputs[0]], kernel_shape=kernel, **window)


def _window(graph: GraphBuilder, operator: Operator, kernel: Sequence[int]) -> dict[str, Any]:
    """The strides, and the padding that keeps TensorFlow's «same» size: the odd pixel goes to the bottom and to the right."""
    strides = operator.options.integer(2), operator.options.integer(1)
    if operator.options.byte(0) != _SAME:
        return {"strides": strides}
    before, after = [], []
    for size, width, stride in zip(graph.shape(operator.inputs[0])[1:3], kernel, strides, strict=True):
        missing = max((-(-size // stride) - 1) * stride + width - size, 0)
        before.append(missing // 2)
        after.append(missing - missing // 2)
    return {"strides": strides, "pads": [*before, *after]}


def _elementwise(kind: str) -> Any:
    def write(graph: GraphBuilder, operator: Operator) -> None:
        graph.names[operator.outputs[0]] = graph.add(kind, *(graph.read(number) for number in operator.inputs))

    return write


def _prelu(graph: GraphBuilder, operator: Operator) -> None:
    slope = graph.values[operator.inputs[1]].reshape(-1, 1, 1)
    graph.names[operator.outputs[0]] = graph.add("PRelu", graph.names[operator.inputs[0]], graph.constant(slope))


def _pad(graph: GraphBuilder, operator: Operator) -> None:
    pads = cast(NDArray[np.int32], graph.values[operator.inputs[1]])[[0, 3, 1, 2]].T.reshape(-1).astype(np.int64)
    graph.names[operator.outputs[0]] = graph.add("Pad", graph.names[operator.inputs[0]], graph.constant(pads))


def _reshape(graph: GraphBuilder, operator: Operator) -> None:
    shape = graph.shape(operator.outputs[0])
    flat = graph.add("Reshape", graph.tall(operator.inputs[0]), graph.constant(np.array(shape, np.int64)))
    graph.names[operator.outputs[0]] = graph.add("Transpose", flat, perm=[0, 3, 1, 2]) if len(shape) == 4 else flat


def _concatenate(graph: GraphBuilder, operator: Operator) -> None:
    # Only rows of boxes are put together, and those are the same in both orders.
    names = [graph.names[number] for number in operator.inputs]
    graph.names[operator.outputs[0]] = graph.add("Concat", *names, axis=1)


def _whole_slice(graph: GraphBuilder, operator: Operator) -> None:
    # The network slices once, from the start to the end.
    graph.names[operator.outputs[0]] = graph.names[operator.inputs[0]]


def _crop_matrix(graph: GraphBuilder, operator: Operator) -> None:
    points, level = _CROPS[graph.crops]
    graph.crops += 1
    graph.names[operator.outputs[0]] = crop_matrix(graph, graph.names[operator.inputs[0]], points, level)


def _crop(graph: GraphBuilder, operator: Operator) -> None:
    picture, matrix = operator.inputs
    side = graph.shape(picture)[1]
    graph.names[operator.outputs[0]] = cropped(graph, graph.names[picture], graph.names[matrix], side)


def _place(graph: GraphBuilder, operator: Operator) -> None:
    points, matrix = operator.inputs
    graph.names[operator.outputs[0]] = placed(graph, graph.names[points], graph.names[matrix])


_WRITERS: dict[int | str, Any] = {
    0: _elementwise("Add"),
    2: _concatenate,
    3: _convolution,
    4: _depthwise,
    6: _dequantize,
    17: _max_pool,
    18: _elementwise("Mul"),
    19: _elementwise("Relu"),
    22: _reshape,
    34: _pad,
    45: _whole_slice,
    54: _prelu,
    "Landmarks2TransformMatrix": _crop_matrix,
    "TransformTensorBilinear": _crop,
    "TransformLandmarks": _place,
}
"""By the operator's number in TensorFlow's schema, or by its name where MediaPipe added it."""
