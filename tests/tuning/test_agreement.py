"""The network that is trained and the engine that runs decide alike; what is not the same adapter is found out."""

from pathlib import Path

import numpy as np
import pytest

from heartfelt.errors import EngineError
from heartfelt.models.embedded import EmbeddedModel, builds
from heartfelt.models.embedded.convert import convert
from heartfelt.models.embedded.engine import Engine
from heartfelt.tuning.base import LINEAR
from heartfelt.tuning.export import Tensors, export
from heartfelt.weights import Store

from . import tiny

torch = pytest.importorskip("torch", reason="torch is an extra; `make test` brings it")

from heartfelt.tuning.agreement import agreement, check, whole_options  # noqa: E402
from heartfelt.tuning.network import Network  # noqa: E402
from heartfelt.tuning.train import Training, load_network, seen_by  # noqa: E402

pytestmark = [pytest.mark.embedded, pytest.mark.xdist_group("embedded")]
OPTIONS = [[260, 261], [270, 271], [280, 281], [290, 291]]
"""Of one length: to random weights, a shorter one would always be the likelier one."""
CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def tensors(speaking_base: Path) -> Tensors:
    """A random adapter that changes a lot."""
    random = np.random.default_rng(1)
    network = load_network(speaking_base, Training(rank=32, alpha=64.0), CPU)
    return {name: random.normal(0, 0.15, value.shape).astype(np.float32) for name, value in network.adapter().items()}


@pytest.fixture(scope="module")
def engine(speaking_base: Path, tensors: Tensors, tmp_path_factory: pytest.TempPathFactory) -> Engine:
    folder = tmp_path_factory.mktemp("engine")
    adapter = export(tensors, 64.0, folder / "made-up.gguf", name="made-up", licence="CC0-1.0")
    convert(speaking_base, folder / "merged.gguf", adapter)
    store = Store()
    return Engine(builds.load("wheel", store), folder / "merged.gguf")


@pytest.fixture
def examples(tmp_path: Path) -> Path:
    """An evaluation set of eight prompts."""
    prompts = np.random.default_rng(2).integers(300, 40_000, (8, 24)).astype(np.uint16)
    flat = [token for option in OPTIONS for token in option]
    ends = np.cumsum([0, *map(len, OPTIONS)])
    np.savez(
        tmp_path / "eval_valid_ed32.npz",
        tokens=prompts.ravel(),
        offsets=np.arange(9) * 24,
        options=np.array(flat, np.uint16),
        option_offsets=ends,
    )
    return tmp_path


def test_options_read_as_branches_score_as_they_do_one_by_one(speaking_base: Path, tensors: Tensors):
    network = load_network(speaking_base, Training(rank=32, alpha=64.0, dropout=0.0), CPU)
    network.load_adapter(tensors)
    prompt, options = list(range(500, 520)), [*OPTIONS, [300], [310, 311, 312]]
    alone = [_log_probability(network, prompt, option) for option in options]
    assert np.allclose(whole_options(network, prompt, options), alone, atol=1e-3)


@torch.inference_mode()
def _log_probability(network: Network, prompt: list[int], option: list[int]) -> float:
    tokens = torch.tensor([prompt + option])
    hidden = network.eval()(tokens, torch.arange(tokens.shape[1])[None], seen_by(torch.zeros_like(tokens)))
    logs = network.scores(hidden[0, len(prompt) - 1 : -1]).log_softmax(-1)
    return float(logs.gather(1, torch.tensor(option)[:, None]).sum())


def test_engine_and_network_agree_on_the_same_adapter(engine: Engine, speaking_base: Path, tensors: Tensors, examples: Path):
    found = check(engine, speaking_base, tensors, 64.0, examples, count=4)
    assert found.fine and found.prompts == 4 and found.largest < 0.1


def test_another_adapter_is_found_out(engine: Engine, speaking_base: Path, tensors: Tensors, examples: Path):
    moved = {name: np.roll(value, 1, -1) for name, value in tensors.items()}
    with pytest.raises(EngineError, match="does not decide as the trained network: on 8 prompts"):
        check(engine, speaking_base, moved, 64.0, examples, count=8)


def test_the_real_base_gives_the_same_in_torch_and_in_the_engine():
    """The names, the layouts and the rotary embedding are the file's own."""
    model = EmbeddedModel(adapter=None)
    engine = model.load()
    network = load_network(Store().path("smollm2"), Training(rank=1, alpha=1.0, dropout=0.0), CPU)
    prompt = engine.tokens("My dog died last night, and I cried. I feel so")
    options = [engine.tokens(word) for word in (" sad", " proud", " happy about it")]
    found = agreement(engine, network, [prompt], options)
    engine.close()
    assert found.fine and found.same == 1 and found.largest < 0.1, found


def test_the_tiny_base_has_all_matrices(base: Path):
    from heartfelt.tuning.base import read_base

    shape, found = read_base(base)
    assert shape.layers == tiny.LAYERS and all(f"blk.0.{name}.weight" in found for name in LINEAR)
