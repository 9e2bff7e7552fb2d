"""The shipped weights made into the ones that run: an adapter merged in, and every matrix in the format that reads fastest.

Merging costs a few seconds once and nothing afterwards; applied at run time the same adapter would slow every token down by
a quarter. See docs/design/engine.md for the format.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.errors import EngineError

if TYPE_CHECKING:
    from gguf import GGUFReader, GGUFWriter

Matrices = dict[str, NDArray[np.float32]]


def convert(source: Path, target: Path, adapter: Path | None = None) -> None:
    """Write `source` again in Q8_0 with the adapter merged in."""
    from gguf import GGMLQuantizationType, GGUFReader, GGUFWriter
    from gguf.quants import dequantize, quantize

    added = _read_adapter(adapter) if adapter else {}
    reader = GGUFReader(source)
    writer = GGUFWriter(target, "llama")
    _copy_metadata(reader, writer)
    for tensor in reader.tensors:
        values = dequantize(tensor.data, tensor.tensor_type)
        if tensor.name in added:
            values = values + added.pop(tensor.name)
        matrix = values.ndim == 2 and values.shape[-1] % 32 == 0
        kind = GGMLQuantizationType.Q8_0 if matrix else GGMLQuantizationType.F32
        writer.add_tensor(tensor.name, quantize(values.astype(np.float32), kind), raw_dtype=kind)
    if added:
        raise EngineError(f"The adapter {adapter} is for another model: it changes '{next(iter(added))}'.")
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _read_adapter(path: Path) -> Matrices:
    """What an adapter adds to each matrix: (α / r) B A."""
    from gguf import GGUFReader
    from gguf.quants import dequantize

    try:
        reader = GGUFReader(path)
    except (ValueError, IndexError, OSError) as error:
        raise EngineError(f"The file {path} is no adapter in the GGUF format: {error}.") from error
    alpha = reader.get_field("adapter.lora.alpha")
    if alpha is None:
        raise EngineError(f"The file {path} is no LoRA adapter: it names no alpha.")
    parts = {tensor.name: dequantize(tensor.data, tensor.tensor_type).astype(np.float32) for tensor in reader.tensors}
    names = [name.removesuffix(".lora_a") for name in parts if name.endswith(".lora_a")]
    return {name: _product(parts, name, float(alpha.contents())) for name in names}


def _product(parts: Matrices, name: str, alpha: float) -> NDArray[np.float32]:
    a, b = parts[f"{name}.lora_a"], parts[f"{name}.lora_b"]
    return (alpha / a.shape[0]) * (b @ a)


def _copy_metadata(reader: "GGUFReader", writer: "GGUFWriter") -> None:
    from gguf import GGUFValueType

    written = {"general.architecture", "general.file_type"}
    for field in reader.fields.values():
        if field.name.startswith("GGUF.") or field.name in written:
            continue
        kind = field.types[0]
        inner: Any = field.types[-1] if kind == GGUFValueType.ARRAY else None
        writer.add_key_value(field.name, field.contents(), kind, inner)
