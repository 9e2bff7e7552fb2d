"""Training the adapter: one run folder with its log, its checkpoints and its adapter; resumable."""

import argparse
import json
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from heartfelt.tuning.base import read_base
from heartfelt.tuning.batches import Batch, Examples, batches
from heartfelt.tuning.network import Network


@dataclass(frozen=True)
class Recipe:
    """How to train. Everything that decides the result is here, and is written into the run's folder."""

    rank: int = 32
    alpha: float = 64.0
    dropout: float = 0.05
    rows: int = 96
    length: int = 512
    epochs: float = 3.0
    rate: float = 8e-4
    decay: float = 0.01
    warm_up: float = 0.03
    seed: int = 7
    share: tuple[tuple[str, float], ...] = ()
    """The share of a task's examples that an epoch takes, other ones each time; all where nothing is said."""
    seconds: float | None = None
    """Stop the clock here: the learning rate then falls with the time instead of with the steps."""


def train(base: Path, data: Path, folder: Path, recipe: Recipe, *, weights: dict[str, float] | None = None) -> Path:
    """Train on `data`/train.npz and write the adapter into `folder`. Returns the adapter's path."""
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    folder.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(recipe.seed)
    network = load_network(base, recipe, device)
    examples = Examples.load(data / "train.npz")
    (folder / "recipe.json").write_text(json.dumps(asdict(recipe) | {"weights": weights or {}}, indent=2))
    _Run(network, recipe, examples, folder, device, weights or {}).go()
    return save_adapter(network, folder / "adapter.npz")


def load_network(base: Path, recipe: Recipe, device: torch.device) -> Network:
    shape, tensors = read_base(base)
    kind = torch.bfloat16 if device.type == "cuda" else torch.float32
    loaded = {name: torch.from_numpy(value).to(device, kind) for name, value in tensors.items()}
    return Network(shape, loaded, rank=recipe.rank, alpha=recipe.alpha, dropout=recipe.dropout).to(device)


def save_adapter(network: Network, path: Path) -> Path:
    tensors = {name: value.float().cpu().numpy().astype(np.float16) for name, value in network.adapter().items()}
    np.savez(path, **tensors, rank=np.int64(network.rank), alpha=np.float64(network.alpha))  # type: ignore[arg-type]
    return path


class _Run:
    def __init__(
        self,
        network: Network,
        recipe: Recipe,
        examples: Examples,
        folder: Path,
        device: torch.device,
        weights: dict[str, float],
    ):
        self.network, self.recipe, self.examples, self.folder, self.device = network, recipe, examples, folder, device
        self._weights = weights
        if device.type == "cuda":  # layer by layer: all thirty share one compiled graph
            for layer in network.layers:
                layer.compile()
        self.optimizer = torch.optim.AdamW(network.parameters(), lr=recipe.rate, weight_decay=recipe.decay, betas=(0.9, 0.98))
        kept = np.array([dict(recipe.share).get(name, 1.0) for name in examples.tasks])[examples.task]
        tokens = int((examples.lengths * kept)[examples.lengths <= recipe.length].sum())
        self.steps = max(1, math.ceil(recipe.epochs * tokens / (recipe.rows * recipe.length * 0.97)))
        self.step = 0
        self._resume()

    def go(self, looks: int = 0, look: Callable[[Network], object] = lambda _network: None) -> None:
        """Train to the end. `look` sees the network so many times on the way."""
        began, looked = time.perf_counter(), 0
        log = (self.folder / "log.jsonl").open("a")
        for batch in self._stream():
            done = self._progress(began)
            if done >= 1:
                break
            if looks and done >= (looked + 1) / (looks + 1):
                looked, paused = looked + 1, time.perf_counter()
                log.write(json.dumps({"step": self.step, "look": look(self.network)}) + "\n")
                began += time.perf_counter() - paused
            loss = self._learn(batch, done)
            self.step += 1
            if self.step % 20 == 0 or self.step == 1:
                row = {
                    "step": self.step,
                    "loss": round(float(loss), 4),
                    "done": round(done, 4),
                    "s": round(time.perf_counter() - began, 1),
                }
                log.write(json.dumps(row) + "\n")
                log.flush()
                print(row, flush=True)
        self._keep()

    def _progress(self, began: float) -> float:
        by_time = (time.perf_counter() - began) / self.recipe.seconds if self.recipe.seconds else 0.0
        return max(self.step / self.steps, by_time)

    def _stream(self) -> Iterator[Batch]:
        """Epoch after epoch, going on where a resumed run stopped."""
        recipe, epoch, seen = self.recipe, 0, 0
        while True:
            for batch in batches(
                self.examples,
                rows=recipe.rows,
                length=recipe.length,
                seed=recipe.seed + epoch,
                weights=self._weights,
                share=dict(recipe.share),
            ):
                seen += 1
                if seen > self.step:
                    yield batch
            epoch += 1

    def _learn(self, batch: Batch, done: float) -> Tensor:
        for group in self.optimizer.param_groups:
            group["lr"] = self.recipe.rate * _schedule(done, self.recipe.warm_up)
        self.network.train()
        loss = self._loss(batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        return loss.detach()

    def _loss(self, batch: Batch) -> Tensor:
        tokens, positions, example = (
            torch.from_numpy(x).to(self.device) for x in (batch.tokens, batch.positions, batch.example)
        )
        weight = torch.from_numpy(batch.weight).to(self.device)
        hidden = self.network(tokens, positions, seen_by(example))
        counted = weight[:, :-1] > 0
        logits = self.network.scores(hidden[:, :-1][counted]).float()
        losses = F.cross_entropy(logits, tokens[:, 1:][counted], reduction="none")
        shares = weight[:, :-1][counted]
        return (losses * shares).sum() / shares.sum()

    def _keep(self) -> None:
        torch.save(
            {"step": self.step, "network": self.network.state_dict(), "optimizer": self.optimizer.state_dict()},
            self.folder / "state.tmp",
        )
        (self.folder / "state.tmp").replace(self.folder / "state.pt")

    def _resume(self) -> None:
        path = self.folder / "state.pt"
        if path.exists():
            state = torch.load(path, map_location=self.device, weights_only=True)
            self.network.load_state_dict(state["network"], strict=False)
            self.optimizer.load_state_dict(state["optimizer"])
            self.step = state["step"]


def seen_by(example: Tensor) -> Tensor:
    """(rows, 1, length, length): a token sees itself and the earlier tokens of its own example."""
    same = example[:, None, :, None] == example[:, None, None, :]
    return same & torch.ones(example.shape[1], example.shape[1], dtype=torch.bool, device=example.device).tril()


def _schedule(done: float, warm_up: float) -> float:
    if done < warm_up:
        return max(0.02, done / warm_up)
    return 0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * min(1.0, (done - warm_up) / (1 - warm_up))))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--weights", default="{}", help="task → weight, as JSON")
    parser.add_argument("--share", default="{}", help="task → share of its examples an epoch, as JSON")
    for name, value in asdict(Recipe()).items():
        if name == "share":
            continue
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(value) if value is not None else float, default=value)
    options = vars(parser.parse_args())
    base, data, out, weights, share = (options.pop(name) for name in ("base", "data", "out", "weights", "share"))
    recipe = Recipe(**options, share=tuple(json.loads(share).items()))
    print(train(base, data, out, recipe, weights=json.loads(weights)))


if __name__ == "__main__":
    main()
