"""Another family of models than llama: what is trained is what the engine runs, also with an adapter applied while running."""

from pathlib import Path

import numpy as np
import pytest

from heartfelt.errors import EngineError, InputError
from heartfelt.models.embedded import builds
from heartfelt.models.embedded.engine import Engine
from heartfelt.tuning.base import read_base
from heartfelt.tuning.export import Tensors, export
from heartfelt.weights import Store

from . import tiny

torch = pytest.importorskip("torch", reason="torch is an extra; `make test` brings it")

from heartfelt.tuning.network import Network  # noqa: E402
from heartfelt.tuning.train import Training, load_network, seen_by  # noqa: E402
from heartfelt.tuning.words.write import AnswerForm, BatchWriter  # noqa: E402

pytestmark = [pytest.mark.embedded, pytest.mark.xdist_group("embedded")]
CPU = torch.device("cpu")
PROMPT = [300, 4021, 977, 15_000, 2222, 31, 8000]


@pytest.fixture(scope="module")
def qwen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("qwen") / "qwen.gguf"
    return tiny.write_base(path, tokenizer=Store().path("smollm2"), family="qwen2")


@pytest.fixture(scope="module")
def tensors(qwen: Path) -> Tensors:
    random = np.random.default_rng(1)
    network = load_network(qwen, Training(rank=32, alpha=64.0), CPU)
    return {name: random.normal(0, 0.1, value.shape).astype(np.float32) for name, value in network.adapter().items()}


def network(qwen: Path, tensors: Tensors | None = None) -> Network:
    made = load_network(qwen, Training(rank=32, alpha=64.0), CPU)
    if tensors:
        made.load_adapter(tensors)
    return made.eval()


def logits(made: Network, tokens: list[int]) -> np.ndarray:
    with torch.no_grad():
        row = torch.tensor([tokens])
        hidden = made(row, torch.arange(len(tokens))[None], seen_by(torch.zeros_like(row)))
        return made.scores(hidden[0, -1]).numpy()


def test_the_biases_are_read(qwen: Path):
    shape, found = read_base(qwen)
    assert shape.architecture == "qwen2" and found["blk.0.attn_q.bias"].shape == (tiny.WIDTH,)


def test_the_network_and_the_engine_agree_without_and_with_an_adapter(qwen: Path, tensors: Tensors, tmp_path: Path):
    adapter = export(tensors, 64.0, tmp_path / "a.gguf", name="a", licence="CC0-1.0", family="qwen2")
    library = builds.load("wheel", Store())
    for applied in (None, adapter):
        engine = Engine(library, qwen, adapter=applied)
        ours, theirs = logits(network(qwen, tensors if applied else None), PROMPT), engine.read(PROMPT).next
        engine.close()
        assert np.corrcoef(ours, theirs)[0, 1] > 0.999


def test_an_adapter_of_another_model_is_refused(qwen: Path, tmp_path: Path):
    odd = {
        "blk.9.attn_q.weight.lora_a": np.zeros((32, 64), np.float32),
        "blk.9.attn_q.weight.lora_b": np.zeros((64, 32), np.float32),
    }
    adapter = export(odd, 64.0, tmp_path / "odd.gguf", name="odd", licence="CC0-1.0", family="qwen2")
    with pytest.raises(EngineError, match="does not fit the weights"):
        Engine(builds.load("wheel", Store()), qwen, adapter=adapter)


def test_many_answers_at_once_are_those_of_the_network_one_by_one(qwen: Path, tensors: Tensors):
    made = network(qwen, tensors)
    prompts = [PROMPT, PROMPT[:3]]
    wrote = BatchWriter(made).write(prompts, AnswerForm(end=2, digits=[5, 6, 7, 8, 9]), most=5)
    for prompt, answer in zip(prompts, wrote, strict=True):
        said = list(prompt)
        for token in answer.tokens:
            assert int(logits(made, said).argmax()) == token
            said.append(token)


def test_what_comes_after_a_text_is_what_reading_it_gives(qwen: Path):
    engine = Engine(builds.load("wheel", Store()), qwen)
    cursor = engine.read(PROMPT)
    texts = [[40, 50, 60], [70]]
    seen = cursor.after(texts)
    for text, found in zip(texts, seen, strict=True):
        assert np.corrcoef(engine.read([*PROMPT, *text]).next, found)[0, 1] > 0.999
    engine.close()


def test_another_family_is_named(tmp_path: Path):
    path = tiny.write_base(tmp_path / "odd.gguf", family="mamba")
    with pytest.raises(InputError, match="of the kind 'mamba'; only llama and qwen2"):
        read_base(path)
