"""Reads what is needed of a TFLite file: its tensors with their constants, and its operators in the order of their running.

The file is a FlatBuffer: tables whose fields are found through small tables of offsets. The numbers of the fields below are
those of TensorFlow's published schema; reading them here spares a package of 10 MB that would be used once.
"""

import struct
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heartfelt.errors import DamagedError

_TYPES = {0: np.float32, 1: np.float16, 2: np.int32}


@dataclass(frozen=True)
class Tensor:
    shape: tuple[int, ...]
    constant: NDArray[np.generic] | None
    """Its values where they are part of the file."""


@dataclass(frozen=True)
class Options:
    """The settings of one operator, by the numbers of their fields."""

    table: "_Table | None"

    def byte(self, field: int) -> int:
        return self.table.scalar(field, "<b") if self.table else 0

    def integer(self, field: int) -> int:
        return self.table.scalar(field, "<i") if self.table else 0


@dataclass(frozen=True)
class Operator:
    code: int
    """Its number in the schema; 32 for one that has a name of its own."""
    name: str
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    options: Options


@dataclass(frozen=True)
class FlatbufferModel:
    tensors: tuple[Tensor, ...]
    operators: tuple[Operator, ...]
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]


def read_model(data: bytes) -> FlatbufferModel:
    """The first graph of the file, or DamagedError where it is no TFLite file."""
    if data[4:8] != b"TFL3":
        raise DamagedError("This is no TFLite file. Fetch the weights again: heartfelt models pull face")
    root = _Table(data, _follow(data, 0))
    codes = [(max(code.scalar(0, "<b"), code.scalar(3, "<i")), code.text(1)) for code in root.tables(1)]
    buffers = [buffer.raw(0) for buffer in root.tables(4)]
    graph = root.tables(2)[0]
    return FlatbufferModel(
        tensors=tuple(_tensor(table, buffers) for table in graph.tables(0)),
        operators=tuple(_operator(table, codes) for table in graph.tables(3)),
        inputs=graph.integers(1),
        outputs=graph.integers(2),
    )


def _tensor(table: "_Table", buffers: list[bytes]) -> Tensor:
    shape = table.integers(0)
    raw = buffers[table.scalar(2, "<I")]
    kind = _TYPES.get(table.scalar(1, "<b"))
    return Tensor(shape, np.frombuffer(raw, kind).reshape(shape) if raw and kind else None)


def _operator(table: "_Table", codes: list[tuple[int, str]]) -> Operator:
    code, name = codes[table.scalar(0, "<I")]
    return Operator(code, name, table.integers(1), table.integers(2), Options(table.table(4)))


def _follow(data: bytes, at: int) -> int:
    return at + struct.unpack_from("<I", data, at)[0]


@dataclass(frozen=True)
class _Table:
    data: bytes
    at: int

    def _field(self, field: int) -> int | None:
        """Where the field lies, or None where the file leaves it at its default."""
        offsets = self.at - struct.unpack_from("<i", self.data, self.at)[0]
        slot = 4 + 2 * field
        if slot >= struct.unpack_from("<H", self.data, offsets)[0]:
            return None
        offset = struct.unpack_from("<H", self.data, offsets + slot)[0]
        return self.at + offset if offset else None

    def scalar(self, field: int, kind: str) -> int:
        place = self._field(field)
        return 0 if place is None else struct.unpack_from(kind, self.data, place)[0]

    def table(self, field: int) -> "_Table | None":
        place = self._field(field)
        return None if place is None else _Table(self.data, _follow(self.data, place))

    def tables(self, field: int) -> "list[_Table]":
        start, length = self._vector(field)
        return [_Table(self.data, _follow(self.data, start + 4 * row)) for row in range(length)]

    def integers(self, field: int) -> tuple[int, ...]:
        start, length = self._vector(field)
        return struct.unpack_from(f"<{length}i", self.data, start)

    def raw(self, field: int) -> bytes:
        start, length = self._vector(field)
        return self.data[start : start + length]

    def text(self, field: int) -> str:
        return self.raw(field).decode()

    def _vector(self, field: int) -> tuple[int, int]:
        place = self._field(field)
        if place is None:
            return 0, 0
        start = _follow(self.data, place)
        return start + 4, struct.unpack_from("<I", self.data, start)[0]
