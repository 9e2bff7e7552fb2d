"""The form of an avatar's file, whole under gzip. All numbers are little-endian.

    4 bytes   «HFAV»
    uint32    the version of this form
    uint32    the length of the header
    header    JSON: the person's own entries, then «arrays» and «pictures» with where each lies after the header

An array is a table of `shape` rows and columns of i8, u8, i16 or u16; times its `scale`, if it has one, it is what is meant.
It is stored column by column, each value as its difference from the one above (which wraps round), and of 16 bits first all
low bytes and then all high ones: neighbours are alike, so gzip finds long runs. A picture is a WebP file.
"""

import gzip
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from heartfelt.errors import InputError

MAGIC, FORM = b"HFAV", 1
_KINDS = {"i8": np.int8, "u8": np.uint8, "i16": np.int16, "u16": np.uint16}
_NAMES = {np.dtype(kind): name for name, kind in _KINDS.items()}

Array = NDArray[Any]


@dataclass(frozen=True)
class NumberTable:
    """Whole numbers, and what one of them stands for."""

    values: Array
    scale: float | None = None

    @property
    def meant(self) -> Array:
        return self.values if self.scale is None else self.values.astype(np.float32) * np.float32(self.scale)


@dataclass(frozen=True)
class Avatar:
    """What a file holds."""

    entries: dict[str, Any]
    arrays: dict[str, NumberTable]
    pictures: dict[str, bytes]


def scaled(values: Array, kind: type[np.integer[Any]] = np.int16, most: float | None = None) -> NumberTable:
    """Fractions as whole numbers, evenly from 0 to the largest, or to `most` where what is beyond does not matter."""
    limit = float(np.abs(values).max(initial=0)) if most is None else most
    top = np.iinfo(kind).max
    scale = max(limit, 1e-9) / top
    return NumberTable(np.clip(np.rint(values / scale), np.iinfo(kind).min, top).astype(kind), scale)


def whole(values: Array) -> NumberTable:
    """Indices and counts, in two bytes."""
    if values.size and (values.min() < 0 or values.max() > np.iinfo(np.uint16).max):
        raise ValueError("an index does not fit into two bytes")
    return NumberTable(values.astype(np.uint16))


def packed(entries: Mapping[str, Any], arrays: Mapping[str, NumberTable], pictures: Mapping[str, bytes]) -> bytes:
    body, places, images = bytearray(), dict[str, Any](), dict[str, Any]()
    for name, table in arrays.items():
        values = table.values.reshape(len(table.values), -1)
        place = {"kind": _NAMES[values.dtype], "shape": list(values.shape), "at": len(body)}
        places[name] = place if table.scale is None else {**place, "scale": table.scale}
        body += _coded(values)
    for name, picture in pictures.items():
        images[name] = {"at": len(body), "bytes": len(picture)}
        body += picture
    header = json.dumps({**entries, "arrays": places, "pictures": images}, separators=(",", ":")).encode()
    start = MAGIC + np.array([FORM, len(header)], "<u4").tobytes()
    return gzip.compress(start + header + bytes(body), compresslevel=9, mtime=0)


def unpacked(data: bytes) -> Avatar:
    """The other way, for tests and for whoever wants to look inside."""
    plain = gzip.decompress(data)
    if plain[:4] != MAGIC or int.from_bytes(plain[4:8], "little") != FORM:
        raise InputError(f"This is no avatar's file of form {FORM}.")
    start = 12 + int.from_bytes(plain[8:12], "little")
    header = cast(dict[str, Any], json.loads(plain[12:start]))
    arrays, pictures, body = header.pop("arrays"), header.pop("pictures"), plain[start:]
    return Avatar(
        header,
        {name: _decoded(body, place) for name, place in arrays.items()},
        {name: body[place["at"] : place["at"] + place["bytes"]] for name, place in pictures.items()},
    )


def _coded(values: Array) -> bytes:
    unsigned = values.view(f"u{values.dtype.itemsize}")
    steps = np.diff(unsigned, axis=0, prepend=np.zeros((1, values.shape[1]), unsigned.dtype))
    planes = np.ascontiguousarray(steps.T).astype(f"<u{values.dtype.itemsize}").view(np.uint8)
    return planes.reshape(-1, values.dtype.itemsize).T.tobytes()


def _decoded(body: bytes, place: Mapping[str, Any]) -> NumberTable:
    kind, (rows, columns) = np.dtype(_KINDS[place["kind"]]), place["shape"]
    size = rows * columns * kind.itemsize
    planes = np.frombuffer(body, np.uint8, size, place["at"]).reshape(kind.itemsize, -1)
    steps = np.ascontiguousarray(planes.T).view(f"<u{kind.itemsize}").reshape(columns, rows)
    return NumberTable(np.ascontiguousarray(steps.cumsum(axis=1, dtype=steps.dtype).T).view(kind), place.get("scale"))
