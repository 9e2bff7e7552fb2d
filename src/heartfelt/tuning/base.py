"""The base weights, read out of the very GGUF file that the embedded model runs."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.errors import InputError, MissingExtra

if TYPE_CHECKING:
    from gguf import GGUFReader


@dataclass(frozen=True)
class ModelShape:
    """The numbers that fix a model."""

    layers: int
    width: int
    inner: int
    heads: int
    kv_heads: int
    vocabulary: int
    rope_base: float
    epsilon: float
    architecture: str = "llama"
    """The family's name in the file: `llama`, or `qwen2`, which adds biases and turns halves of a head together."""

    @property
    def head_width(self) -> int:
        return self.width // self.heads


FAMILIES = ("llama", "qwen2")

LINEAR = ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down")
"""The matrices of a layer, by their names in the file."""
LIST_HEAD = 4 + 8
"""Bytes before the items of a list in a file: of what type they are, and how many."""


def read_base(path: Path) -> tuple[ModelShape, dict[str, NDArray[np.float32]]]:
    """Shape and tensors, by the file's own names. Matrices are (out, in)."""
    try:
        from gguf import GGUFReader, GGUFValueType
        from gguf.quants import dequantize
    except ImportError:
        raise MissingExtra("Tuning", "tune") from None

    class TensorReader(GGUFReader):
        """Passes over lists: taking a vocabulary apart word by word takes longer than everything else."""

        def _get_field_parts(
            self, orig_offs: int, raw_type: int
        ) -> tuple[int, list[NDArray[Any]], list[int], list[GGUFValueType]]:
            if raw_type != GGUFValueType.ARRAY:
                return super()._get_field_parts(orig_offs, raw_type)
            kind, count = GGUFValueType(self._get(orig_offs, np.uint32)[0]), int(self._get(orig_offs + 4, np.uint64)[0])
            at = orig_offs + LIST_HEAD
            if kind == GGUFValueType.STRING:
                data = memoryview(self.data)  # pyright: ignore[reportArgumentType]  # an array is a buffer
                for _ in range(count):
                    at += 8 + int.from_bytes(data[at : at + 8], "little")
            else:
                at += count * np.dtype(self.gguf_scalar_to_np[kind]).itemsize
            return at - orig_offs, [], [], [GGUFValueType.ARRAY, kind]

    reader = TensorReader(str(path))
    tensors = {tensor.name: dequantize(tensor.data, tensor.tensor_type).astype(np.float32) for tensor in reader.tensors}
    return _shape(reader, tensors), tensors


def _shape(reader: "GGUFReader", tensors: dict[str, NDArray[np.float32]]) -> ModelShape:
    architecture = str(_value(reader, "general.architecture"))
    if architecture not in FAMILIES:
        raise InputError(f"The base model is of the kind '{architecture}'; only {' and '.join(FAMILIES)} can be tuned.")
    return ModelShape(
        layers=int(_value(reader, f"{architecture}.block_count")),
        width=int(_value(reader, f"{architecture}.embedding_length")),
        inner=int(_value(reader, f"{architecture}.feed_forward_length")),
        heads=int(_value(reader, f"{architecture}.attention.head_count")),
        kv_heads=int(_value(reader, f"{architecture}.attention.head_count_kv")),
        vocabulary=tensors["token_embd.weight"].shape[0],
        rope_base=float(_value(reader, f"{architecture}.rope.freq_base")),
        epsilon=float(_value(reader, f"{architecture}.attention.layer_norm_rms_epsilon")),
        architecture=architecture,
    )


def _value(reader: "GGUFReader", name: str):
    field = reader.get_field(name)
    if field is None:
        raise InputError(f"The base model's file lacks '{name}'.")
    return field.contents()
