"""The large embedded model, to be given an adapter: its tokens, its network, and the file that comes out."""

from pathlib import Path

import torch

from heartfelt.models.embedded import builds
from heartfelt.models.embedded.engine import Engine
from heartfelt.tuning import export
from heartfelt.tuning.base import read_base
from heartfelt.tuning.network import Network
from heartfelt.weights import Store

MODEL = "qwen"


def tokenizer() -> Engine:
    store = Store()
    return Engine(builds.load(builds.choose(store), store), store.path(MODEL), context=512)


def network(*, rank: int, alpha: float, dropout: float, start: Path | None = None) -> Network:
    """On the graphics card if there is one. `start`: an adapter to go on from."""
    device, kind = ("cuda", torch.bfloat16) if torch.cuda.is_available() else ("cpu", torch.float32)
    shape, tensors = read_base(Store().path(MODEL))
    base = {name: torch.from_numpy(tensor).to(device, kind) for name, tensor in tensors.items()}
    made = Network(shape, base, rank=rank, alpha=alpha, dropout=dropout).to(device)
    if start:
        made.load_adapter(export.read_exported(start)[0])
    return made


def exported(network: Network, alpha: float, target: Path, licence: str) -> float:
    """Writes the adapter down; how far the file is off at most."""
    adapter = {name: tensor.float().cpu().numpy() for name, tensor in network.adapter().items()}
    export.export(adapter, alpha, target, name=target.stem, licence=licence, family=network.shape.architecture)
    return export.compared(target, adapter, alpha)
