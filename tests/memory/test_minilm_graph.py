"""The graph against a plain forward pass of the same weights, written as the paper writes it."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from heartfelt.errors import DamagedError
from heartfelt.memory import MiniLM
from heartfelt.memory.minilm_graph import Tensors, build_graph, read_safetensors, write_graph

WIDTH, HEADS, LAYERS = 8, 2, 2
CONFIG = {"hidden_size": WIDTH, "num_attention_heads": HEADS, "num_hidden_layers": LAYERS, "layer_norm_eps": 1e-12}
erf = np.vectorize(math.erf)


def forward(t: Tensors, ids: list[int], *, heads: int, layers: int) -> NDArray[np.float64]:
    """BERT, one sentence, no batch, no mask, in double precision."""
    places = t["embeddings.position_embeddings.weight"][: len(ids)]
    x = t["embeddings.word_embeddings.weight"][ids] + places + t["embeddings.token_type_embeddings.weight"][0]
    x = norm(t, x.astype(np.float64), "embeddings.LayerNorm")
    for layer in range(layers):
        prefix = f"encoder.layer.{layer}."
        q, k, v = (
            np.stack(np.split(dense(t, x, f"{prefix}attention.self.{name}"), heads, axis=1))
            for name in ("query", "key", "value")
        )
        scores = q @ k.transpose(0, 2, 1) / math.sqrt(q.shape[-1])
        shares = np.exp(scores - scores.max(-1, keepdims=True))
        shares /= shares.sum(-1, keepdims=True)
        mixed = np.concatenate(list(shares @ v), axis=1)
        x = norm(t, x + dense(t, mixed, f"{prefix}attention.output.dense"), f"{prefix}attention.output.LayerNorm")
        wide = dense(t, x, f"{prefix}intermediate.dense")
        wide = wide * 0.5 * (1 + erf(wide / math.sqrt(2)))
        x = norm(t, x + dense(t, wide, f"{prefix}output.dense"), f"{prefix}output.LayerNorm")
    mean = x.mean(axis=0)
    return mean / np.linalg.norm(mean)


def dense(t: Tensors, x: NDArray[np.float64], name: str) -> NDArray[np.float64]:
    return x @ t[f"{name}.weight"].T.astype(np.float64) + t[f"{name}.bias"]


def norm(t: Tensors, x: NDArray[np.float64], name: str) -> NDArray[np.float64]:
    centred = x - x.mean(-1, keepdims=True)
    scaled = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-12)
    return scaled * t[f"{name}.weight"] + t[f"{name}.bias"]


def small_weights() -> Tensors:
    shapes = {f"embeddings.{name}_embeddings.weight": (rows, WIDTH) for name, rows in
              (("word", 20), ("position", 12), ("token_type", 2))}  # fmt: skip
    norms = ["embeddings"]
    for layer in range(LAYERS):
        prefix = f"encoder.layer.{layer}."
        norms += [f"{prefix}attention.output", f"{prefix}output"]
        for name in ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"):
            shapes |= {f"{prefix}{name}.weight": (WIDTH, WIDTH), f"{prefix}{name}.bias": (WIDTH,)}
        shapes |= {f"{prefix}intermediate.dense.weight": (16, WIDTH), f"{prefix}intermediate.dense.bias": (16,)}
        shapes |= {f"{prefix}output.dense.weight": (WIDTH, 16), f"{prefix}output.dense.bias": (WIDTH,)}
    shapes |= {f"{name}.LayerNorm.{part}": (WIDTH,) for name in norms for part in ("weight", "bias")}
    random = np.random.default_rng(7)
    return {name: random.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()}


def write_safetensors(path: Path, tensors: Tensors) -> None:
    header: dict[str, object] = {"__metadata__": {"format": "pt"}}
    body = b""
    for name, values in tensors.items():
        place = [len(body), len(body) + values.nbytes]
        header[name] = {"dtype": "F32", "shape": list(values.shape), "data_offsets": place}
        body += values.tobytes()
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(len(text).to_bytes(8, "little") + text + body)


def test_a_small_model_gives_the_same_numbers_padded_or_not():
    from onnxruntime import InferenceSession

    tensors = small_weights()
    session = InferenceSession(build_graph(tensors, CONFIG).SerializeToString(), providers=["CPUExecutionProvider"])
    ids, mask = np.array([[3, 1, 4, 1, 5], [9, 2, 6, 0, 0]]), np.array([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]])
    (found,) = session.run(["vector"], {"input_ids": ids, "mask": mask})
    expected = [forward(tensors, words, heads=HEADS, layers=LAYERS) for words in ([3, 1, 4, 1, 5], [9, 2, 6])]
    assert np.abs(found - expected).max() < 1e-5


def test_a_file_is_converted_whole(tmp_path: Path):
    import onnx

    write_safetensors(tmp_path / "model.safetensors", small_weights())
    (tmp_path / "config.json").write_text(json.dumps(CONFIG))
    write_graph(tmp_path / "model.safetensors", tmp_path / "config.json", tmp_path / "small.onnx")
    onnx.checker.check_model(onnx.load(tmp_path / "small.onnx"), full_check=True)


def test_safetensors_are_read_by_hand(tmp_path: Path):
    tensors = small_weights()
    write_safetensors(tmp_path / "model.safetensors", tensors)
    read = read_safetensors(tmp_path / "model.safetensors")
    assert read.keys() == tensors.keys()
    assert all(np.array_equal(read[name], tensors[name]) for name in tensors)


def test_a_cut_off_file_is_refused(tmp_path: Path):
    (tmp_path / "model.safetensors").write_bytes((10**6).to_bytes(8, "little") + b"{}")
    with pytest.raises(DamagedError, match="models pull minilm"):
        read_safetensors(tmp_path / "model.safetensors")


@pytest.mark.embedded
def test_the_real_weights_give_the_same_numbers(minilm: MiniLM):
    from tokenizers import Tokenizer

    texts = ["My cat sleeps on the radiator all day long.", "So?"]
    tensors = read_safetensors(minilm.store.path("minilm", "model.safetensors"))
    tokenizer = Tokenizer.from_file(str(minilm.store.path("minilm", "tokenizer.json")))
    tokenizer.no_padding()
    expected = [forward(tensors, tokenizer.encode(text).ids, heads=12, layers=6) for text in texts]
    assert np.abs(minilm.embed(texts) - expected).max() < 1e-4
