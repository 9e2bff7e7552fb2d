"""Embeddings: texts become unit vectors of 384 numbers, near to each other where the meaning is near.

`MiniLM` is the real one. `HashEmbedder` is its double for tests: the same shape, no weights, and it knows words only.
"""

import re
import threading
from collections.abc import Sequence
from functools import cache, cached_property
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from heartfelt.memory.minilm_graph import write_graph
from heartfelt.weights import Store
from heartfelt.weights.session import open_session

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Encoding, Tokenizer

Vectors = NDArray[np.float32]
DIMENSIONS = 384

_MAX_TOKENS = 256
"""What the model was made for."""
_BATCH = 32
_THREADS = 2
# A conversion is found by its name, so the number goes up whenever `minilm_graph` changes what it writes.
_GRAPH = "minilm-2.onnx"


class Embedder(Protocol):
    @property
    def name(self) -> str:
        """Which space the vectors live in; vectors of two names are never compared."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row of length one for each text, as float32 [n, 384]."""
        ...


class MiniLM:
    """all-MiniLM-L6-v2 on two threads. Loaded at the first text; safe to share between threads."""

    name = "all-MiniLM-L6-v2"

    def __init__(self, store: Store | None = None):
        self.store = store or Store()
        self._loading = threading.Lock()

    def embed(self, texts: Sequence[str]) -> Vectors:
        vectors = np.zeros((len(texts), DIMENSIONS), np.float32)
        if not texts:
            return vectors
        tokenizer, session = self._loaded()
        tokens = tokenizer.encode_batch(list(texts))
        # Texts of like length go together, so that little of a batch is padding.
        order = sorted(range(len(texts)), key=lambda row: len(tokens[row]))
        for start in range(0, len(order), _BATCH):
            rows = order[start : start + _BATCH]
            vectors[rows] = cast(Vectors, session.run(["vector"], _padded([tokens[row] for row in rows]))[0])
        return vectors

    def _loaded(self) -> "tuple[Tokenizer, InferenceSession]":
        with self._loading:
            return self._parts

    @cached_property
    def _parts(self) -> "tuple[Tokenizer, InferenceSession]":
        tokenizer = open_tokenizer(self.store.path("minilm", "tokenizer.json"), _MAX_TOKENS)
        return tokenizer, open_session(self.graph(), _THREADS)

    def graph(self) -> Path:
        """The ONNX file, converted from the safetensors at the first call."""
        weights = self.store.path("minilm", "model.safetensors")
        config = self.store.path("minilm", "config.json")
        return self.store.converted("minilm", _GRAPH, lambda target: write_graph(weights, config, target))


@cache
def usual_embedder() -> MiniLM:
    """One for the whole process: whoever listens shares it."""
    return MiniLM()


class HashEmbedder:
    """A test double: each word adds ±1 in a place given by its hash. Deterministic, instant, blind to meaning.

    A text without a word has no direction: its vector is zero, and it is similar to nothing.
    """

    name = "hashed-words"

    def embed(self, texts: Sequence[str]) -> Vectors:
        vectors = np.zeros((len(texts), DIMENSIONS), np.float32)
        for row, text in enumerate(texts):
            for word in re.findall(r"\w+", text.casefold()):
                digest = int.from_bytes(blake2b(word.encode(), digest_size=4).digest(), "little")
                vectors[row, digest % DIMENSIONS] += 1 if digest >> 31 else -1
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.divide(vectors, lengths, out=vectors, where=lengths > 0)


@cache
def open_tokenizer(path: Path, longest: int | None = None) -> "Tokenizer":
    """The file pads everything to 128 tokens and cuts there. One for all: it takes ten megabytes."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    if longest is None:
        tokenizer.no_truncation()
    else:
        tokenizer.enable_truncation(longest)
    return tokenizer


def _padded(tokens: "Sequence[Encoding]") -> dict[str, NDArray[np.int64]]:
    shape = len(tokens), max(len(item) for item in tokens)
    ids, mask = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    for row, item in enumerate(tokens):
        ids[row, : len(item)] = item.ids
        mask[row, : len(item)] = 1
    return {"input_ids": ids, "mask": mask}
