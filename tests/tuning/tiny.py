"""A base model of two thin layers with random weights, and examples that it can learn in seconds."""

from pathlib import Path
from typing import Any

import numpy as np
from gguf import GGMLQuantizationType, GGUFReader, GGUFWriter
from gguf.quants import quantize
from numpy.typing import NDArray

from heartfelt.models.embedded.convert import _copy_metadata
from heartfelt.tuning.base import LINEAR

LAYERS, WIDTH, INNER, HEADS, KV_HEADS = 2, 64, 96, 4, 2
VOCABULARY = 288


def write_base(path: Path, *, tokenizer: Path | None = None, seed: int = 0, family: str = "llama") -> Path:
    """A model of the least size. With a `tokenizer`, that of another model, it runs in the engine too."""
    writer = GGUFWriter(path, family)
    reader = GGUFReader(tokenizer) if tokenizer else None
    if reader is not None:
        _copy_metadata(reader, _Without(writer))  # type: ignore[arg-type]
    vocabulary = next(int(t.shape[1]) for t in reader.tensors if t.name == "token_embd.weight") if reader else VOCABULARY
    writer.add_block_count(LAYERS)
    writer.add_embedding_length(WIDTH)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KV_HEADS)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_rope_freq_base(10_000.0)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_context_length(4096)
    for name, values in _tensors(vocabulary, seed, biased=family == "qwen2").items():
        kind = GGMLQuantizationType.Q8_0 if values.ndim == 2 else GGMLQuantizationType.F32
        writer.add_tensor(name, quantize(values, kind), raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


class _Without:
    """Takes another model's metadata, but for the numbers that fix its shape."""

    OWN = ("block_count", "embedding_length", "feed_forward_length", "head_count", "head_count_kv", "dimension_count",
           "freq_base", "layer_norm_rms_epsilon", "context_length")  # fmt: skip

    def __init__(self, writer: GGUFWriter):
        self._writer = writer

    def add_key_value(self, name: str, *values: Any) -> None:
        if not name.endswith(self.OWN):
            self._writer.add_key_value(name, *values)


def _tensors(vocabulary: int, seed: int, *, biased: bool = False) -> dict[str, NDArray[np.float32]]:
    random = np.random.default_rng(seed)
    keys = WIDTH // HEADS * KV_HEADS
    shapes = dict(zip(LINEAR, ((WIDTH, WIDTH), (keys, WIDTH), (keys, WIDTH), (WIDTH, WIDTH), (INNER, WIDTH), (INNER, WIDTH),
                               (WIDTH, INNER)), strict=True))  # fmt: skip
    tensors = {"token_embd.weight": random.normal(0, 0.3, (vocabulary, WIDTH)), "output_norm.weight": np.ones(WIDTH)}
    for layer in range(LAYERS):
        tensors |= {f"blk.{layer}.{name}.weight": random.normal(0, s[1] ** -0.5, s) for name, s in shapes.items()}
        tensors |= {f"blk.{layer}.{name}.weight": np.ones(WIDTH) for name in ("attn_norm", "ffn_norm")}
        if biased:
            tensors |= {f"blk.{layer}.{name}.bias": random.normal(0, 0.5, shapes[name][0]) for name in LINEAR[:3]}
    return {name: values.astype(np.float32) for name, values in tensors.items()}


TASKS = ("forecast_ed32", "recognise_ed32", "respond")


def write_examples(folder: Path, *, count: int = 240, seed: int = 0) -> Path:
    """Five tokens that all say the same number, and the answer that belongs to it: a label, and a token after it."""
    random = np.random.default_rng(seed)
    label = random.integers(0, 4, count)
    tokens = np.stack([*[10 + label * 5 + random.integers(0, 5, count) for _ in range(5)], 100 + label, 200 + label], 1)
    mask = np.tile(np.array([0, 0, 0, 0, 0, 1, 1], np.uint8), count)
    folder.mkdir(parents=True, exist_ok=True)
    np.savez(
        folder / "train.npz",
        tokens=tokens.astype(np.uint16).ravel(),
        mask=mask,
        offsets=np.arange(count + 1, dtype=np.int64) * 7,
        task=random.integers(0, len(TASKS), count).astype(np.uint8),
        talk=np.arange(count, dtype=np.uint32),
        tasks=np.array(TASKS),
    )
    return folder
