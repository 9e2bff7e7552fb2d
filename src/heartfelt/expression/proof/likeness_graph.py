"""Resemblyzer's speaker encoder as one ONNX graph, built from its checkpoint without torch: spectra go in, vectors come out.

The checkpoint is torch's old format: a run of pickles (a mark, a version, the sizes of numbers, the objects, the order of the
storages) and then the numbers of each storage, after their count. A pickle can name any function to be called, so this reader
knows three names, calls nothing of torch, and refuses every other one.
"""

import math
import pickle
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.errors import DamagedError
from heartfelt.weights.graph import Growing

if TYPE_CHECKING:
    import onnx

Tensors = dict[str, NDArray[np.float32]]

BANDS, WIDTH, LAYERS = 40, 256, 3
"""The bands of the spectra that go in, the numbers of every layer and of the vector, and the layers."""
SPECTRA, VECTOR = "spectra", "vector"

_MARK, _VERSION = 0x1950A86A20F9469CFC6C, 1001
# The oldest pair that takes the axes of a norm as an input: older runtimes can then read the file as well.
_OPSET, _IR = 18, 8
# What the standard library raises for a pickle that is cut short or scrambled.
_SCRAMBLED = (pickle.UnpicklingError, EOFError, AttributeError, IndexError, KeyError, TypeError, ValueError, OverflowError)


def write_graph(checkpoint: Path, target: Path) -> None:
    """Convert once; `Likeness` keeps the result in the store of weights."""
    import onnx

    onnx.save(build_graph(read_checkpoint(checkpoint)), target)


# ── the checkpoint ──────────────────────────────────────────────────────────────────────────────────────────────────


def read_checkpoint(path: Path) -> Tensors:
    """The float32 tensors of `model_state`, or DamagedError. What the optimiser left in the file is passed over."""
    with path.open("rb") as stream:
        try:
            return _tensors(stream, path.stat().st_size)
        except _SCRAMBLED as error:
            raise _damaged(f"{path} is not the checkpoint of a speaker encoder ({error})") from error


@dataclass(frozen=True)
class _Promise:
    """A tensor whose numbers come later in the file."""

    storage: str
    first: int
    shape: tuple[int, ...]

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    def kept(self, storages: dict[str, NDArray[np.float32]]) -> NDArray[np.float32]:
        numbers = storages[self.storage][self.first : self.first + self.size]
        return numbers.reshape(self.shape)


class _Reader(pickle.Unpickler):
    """Makes promises of tensors, dictionaries and plain values, and nothing else."""

    def find_class(self, module_name: str, global_name: str, /) -> Any:
        known: dict[str, Any] = {
            "collections.OrderedDict": OrderedDict,
            "torch._utils._rebuild_tensor_v2": _promised,
            "torch.FloatStorage": "float32",
        }
        name = f"{module_name}.{global_name}"
        if name not in known:
            raise pickle.UnpicklingError(f"it asks for {name}, and no checkpoint of numbers needs that")
        return known[name]

    def persistent_load(self, pid: Any, /) -> str:
        kind, numbers, key, _device, _count, _view = pid
        if kind != "storage" or numbers != "float32":
            raise pickle.UnpicklingError("it holds a storage that is not of 32-bit numbers")
        return str(key)


def _promised(storage: str, first: int, shape: tuple[int, ...], strides: tuple[int, ...], *_gradients: object) -> _Promise:
    dense = tuple(math.prod(shape[axis + 1 :]) for axis in range(len(shape)))
    if strides != dense or first < 0 or any(side < 1 for side in shape):
        raise pickle.UnpicklingError("it holds a tensor whose numbers do not lie in a row")
    return _Promise(storage, first, shape)


def _tensors(stream: IO[bytes], size: int) -> Tensors:
    mark, version, _sizes, content, order = (_Reader(stream).load() for _ in range(5))
    if mark != _MARK or version != _VERSION:
        raise pickle.UnpicklingError("its first bytes are not torch's mark")
    promises = {str(name): value for name, value in content["model_state"].items() if isinstance(value, _Promise)}
    wanted = {promise.storage for promise in promises.values()}
    storages: dict[str, NDArray[np.float32]] = {}
    for key in order:
        length = 4 * int.from_bytes(_exactly(stream, 8, size), "little")
        if key in wanted:
            storages[key] = np.frombuffer(_exactly(stream, length, size), "<f4")
        else:
            stream.seek(length, 1)
    return {name: promise.kept(storages) for name, promise in promises.items()}


def _exactly(stream: IO[bytes], length: int, size: int) -> bytes:
    if length > size - stream.tell():  # asked before reading: a wrong count must not claim the memory
        raise EOFError("it ends too early")
    return stream.read(length)


def _damaged(what: str) -> DamagedError:
    return DamagedError(
        f"{what}. Remove it and pull it again: heartfelt models remove resemblyzer, then heartfelt models pull resemblyzer."
    )


# ── the graph ───────────────────────────────────────────────────────────────────────────────────────────────────────


def build_graph(tensors: Tensors) -> "onnx.ModelProto":
    """[stretches, frames, 40] to [stretches, 256]: the last state of the last layer, made positive and of length one."""
    from onnx import TensorProto, helper

    _check(tensors)
    graph = _Graph(tensors)
    state, last = graph.add("Transpose", SPECTRA, perm=(1, 0, 2)), ""
    for layer in range(LAYERS):
        state, last = graph.recurrent(state, layer)
    raw = graph.add("Gemm", last, graph.constant(tensors["linear.weight"]), graph.constant(tensors["linear.bias"]), transB=1)
    positive = graph.add("Relu", raw)
    length = graph.add("ReduceL2", positive, graph.constant(np.array([1], np.int64)), keepdims=1)
    graph.add("Div", positive, length, output=VECTOR)
    spectra = helper.make_tensor_value_info(SPECTRA, TensorProto.FLOAT, ["stretches", "frames", BANDS])
    vector = helper.make_tensor_value_info(VECTOR, TensorProto.FLOAT, ["stretches", WIDTH])
    body = helper.make_graph(graph.nodes, "likeness", [spectra], [vector], graph.constants)
    return helper.make_model(body, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=_IR)


class _Graph(Growing):
    """Grows node by node."""

    def __init__(self, tensors: Tensors):
        super().__init__()
        self.tensors = tensors

    def recurrent(self, source: str, layer: int) -> tuple[str, str]:
        """All states of a layer, [frames, stretches, 256], and the last one, [stretches, 256]."""
        weight, inner = (_gates(self.tensors[f"lstm.weight_{part}_l{layer}"]) for part in ("ih", "hh"))
        bias = np.concatenate([_gates(self.tensors[f"lstm.bias_{part}_l{layer}"]) for part in ("ih", "hh")])
        inputs = [source, *(self.constant(values[None]) for values in (weight, inner, bias))]
        states, last = f"states{layer}", f"last{layer}"
        self.append("LSTM", inputs, [states, last], hidden_size=WIDTH)
        # ONNX has an axis for the directions, and there is one direction.
        return self.add("Squeeze", states, self.axis(1)), self.add("Squeeze", last, self.axis(0))

    def axis(self, number: int) -> str:
        return self.constant(np.array([number], np.int64))


def _gates(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """torch has the gates in the order input, forget, cell, output; ONNX in the order input, output, forget, cell."""
    return values.reshape(4, WIDTH, *values.shape[1:])[[0, 3, 1, 2]].reshape(values.shape)


def _check(tensors: Tensors) -> None:
    expected: dict[str, tuple[int, ...]] = {"linear.weight": (WIDTH, WIDTH), "linear.bias": (WIDTH,)}
    for layer in range(LAYERS):
        expected[f"lstm.weight_ih_l{layer}"] = (4 * WIDTH, WIDTH if layer else BANDS)
        expected[f"lstm.weight_hh_l{layer}"] = (4 * WIDTH, WIDTH)
        expected |= {f"lstm.bias_{part}_l{layer}": (4 * WIDTH,) for part in ("ih", "hh")}
    for name, shape in expected.items():
        if name not in tensors or tensors[name].shape != shape:
            raise _damaged(f"The speaker encoder's {name} is not {' × '.join(map(str, shape))}")
