"""A vector for each token of a text, in its context. `HashTokens` is the double for tests: no weights, blind to context."""

import re
from collections.abc import Sequence
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from heartfelt.errors import MissingExtra
from heartfelt.memory.embed import _MAX_TOKENS, _padded, open_tokenizer
from heartfelt.memory.minilm_graph import build_graph, read_safetensors
from heartfelt.weights import Store
from heartfelt.weights.session import open_session

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

# A conversion is found by its name, so the number goes up whenever `_write_layers` changes what it writes.
_GRAPH = "minilm-layers-1.onnx"
_LAYERS, _THREADS, _BATCH = 6, 2, 32


class Encoded(NamedTuple):
    ids: NDArray[np.int64]
    """Without the marks that the encoder adds at both ends."""
    vectors: NDArray[np.float32]
    """(tokens, width), each of length one."""


class TokenEncoder(Protocol):
    @property
    def name(self) -> str:
        """Encoder and layer: vectors of two names are never compared."""
        ...

    def encode(self, texts: Sequence[str]) -> list[Encoded]: ...


class MiniLMTokens:
    """The states of all-MiniLM-L6-v2 after one of its six layers. Texts are cut after 256 tokens."""

    def __init__(self, layer: int = _LAYERS, store: Store | None = None):
        self.layer, self.store = layer, store or Store()

    @property
    def name(self) -> str:
        return f"all-MiniLM-L6-v2/layer={self.layer}"

    def encode(self, texts: Sequence[str]) -> list[Encoded]:
        tokenizer, session = self._parts
        tokens = tokenizer.encode_batch(list(texts))
        found: list[Encoded] = [_NOTHING] * len(texts)
        order = sorted(range(len(texts)), key=lambda row: len(tokens[row]))
        for start in range(0, len(order), _BATCH):
            rows = order[start : start + _BATCH]
            states: Any = session.run([f"layer{self.layer}"], _padded([tokens[row] for row in rows]))[0]
            for row, state in zip(rows, states, strict=True):
                real = np.flatnonzero(np.array(tokens[row].special_tokens_mask) == 0)
                found[row] = Encoded(np.array(tokens[row].ids, np.int64)[real], _unit(state[real]))
        return found

    @cached_property
    def _parts(self) -> "tuple[Tokenizer, InferenceSession]":
        weights, config = (self.store.path("minilm", name) for name in ("model.safetensors", "config.json"))
        graph = self.store.converted("minilm", _GRAPH, lambda target: _write_layers(weights, config, target))
        return open_tokenizer(self.store.path("minilm", "tokenizer.json"), _MAX_TOKENS), open_session(graph, _THREADS)


class HubTokens:
    """The states of a model of the hub after one of its layers; RoBERTa-large after its 17th is BERTScore as published."""

    def __init__(self, model: str = "roberta-large", layer: int = 17):
        self.model, self.layer = model, layer

    @property
    def name(self) -> str:
        return f"{self.model}/layer={self.layer}"

    def encode(self, texts: Sequence[str]) -> list[Encoded]:
        return [self._encoded(text) for text in texts]

    def _encoded(self, text: str) -> Encoded:
        import torch

        tokenizer, network = self._parts
        tokens = tokenizer(text, return_tensors="pt", truncation=True, max_length=512, return_special_tokens_mask=True)
        own = tokens.pop("special_tokens_mask")[0].numpy() == 0
        with torch.no_grad():
            states = network(**tokens, output_hidden_states=True).hidden_states[self.layer][0].numpy()
        vectors = states[own] / np.maximum(np.linalg.norm(states[own], axis=1, keepdims=True), 1e-12)
        return Encoded(tokens["input_ids"][0].numpy()[own].astype(np.int64), vectors.astype(np.float32))

    @cached_property
    def _parts(self) -> tuple[Any, Any]:
        try:
            from transformers import AutoModel, AutoTokenizer  # type: ignore[import-not-found]
        except ImportError as error:
            raise MissingExtra(f"BERTScore by {self.model}", "hub") from error
        return AutoTokenizer.from_pretrained(self.model), AutoModel.from_pretrained(self.model).eval()


class HashTokens:
    """The same vector for the same word, whatever stands around it."""

    name = "hashed-words"

    def encode(self, texts: Sequence[str]) -> list[Encoded]:
        return [self._one(re.findall(r"\w+", text.casefold())) for text in texts]

    def _one(self, words: list[str]) -> Encoded:
        seeds = [int.from_bytes(blake2b(word.encode(), digest_size=7).digest(), "little") for word in words]
        vectors = [np.random.default_rng(seed).standard_normal(64) for seed in seeds]
        return Encoded(np.array(seeds, np.int64), _unit(np.array(vectors, np.float32).reshape(-1, 64)))


def _write_layers(weights: Path, config: Path, target: Path) -> None:
    """The embedder's graph with the state after each layer as a further output.

    Normalisations come in the order of the network: one after the embeddings, then two a layer, the second of which ends it.
    """
    import json

    import onnx
    from onnx import TensorProto, helper

    settings = json.loads(config.read_text(encoding="utf-8"))
    model = build_graph(read_safetensors(weights), settings)
    states = [node.output[0] for node in model.graph.node if node.op_type == "LayerNormalization"][::2]
    for layer, state in enumerate(states):
        model.graph.node.append(helper.make_node("Identity", [state], [f"layer{layer}"]))
        shape = ["batch", "length", settings["hidden_size"]]
        model.graph.output.append(helper.make_tensor_value_info(f"layer{layer}", TensorProto.FLOAT, shape))
    onnx.save(model, target)


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)


_NOTHING = Encoded(np.zeros(0, np.int64), np.zeros((0, 1), np.float32))
