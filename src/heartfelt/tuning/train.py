"""Training the adapter: one run folder with its log, its checkpoints and its adapter; resumable."""

import json
import math
import signal
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from heartfelt.errors import InputError
from heartfelt.tuning.base import read_base
from heartfelt.tuning.batches import ExampleBatch, Examples, TeacherShares, batches
from heartfelt.tuning.network import Network

SHARE = {
    "recognise_ed32": 0.42,
    "forecast_ed32": 0.25,
    "recognise_situation": 0.6,
    "recognise_goemotions": 0.3,
    "recognise_meld": 0.2,
    "forecast_meld": 0.06,
    "recognise_mead": 0.25,
    "recognise_ekman": 0.25,
    "recognise_iemocap": 0.2,
    "audit": 0.3,
    "respond": 0.33,
    "plan": 0.5,
    "perceive": 0.4,
    "cause": 0.4,
    "revise": 0.35,
    "strategy": 0.35,
    "scenario": 0.4,
    "goal": 0.4,
    "strategy_esconv": 0.7,
}
"""How much of each task an epoch takes. A dialogue's emotion is taught in several tasks; too often, it is learnt by heart."""
WEIGHTS = {
    "recognise_ed32": 12.0,
    "forecast_ed32": 8.0,
    "recognise_situation": 12.0,
    "recognise_meld": 10.0,
    "forecast_meld": 4.0,
    "recognise_goemotions": 5.0,
    "recognise_mead": 3.0,
    "recognise_ekman": 3.0,
    "recognise_iemocap": 3.0,
    "audit": 2.0,
}
"""The choice of a label is one token beside the dozens of a reply: what it counts for more than each of them."""


@dataclass(frozen=True)
class Training:
    """How to train. Everything that decides the result is here, and is written into the run's folder."""

    rank: int = 32
    alpha: float = 64.0
    dropout: float = 0.1
    rows: int = 96
    length: int = 512
    epochs: float = 6.5
    rate: float = 5e-4
    decay: float = 0.01
    warm_up: float = 0.03
    seed: int = 7
    share: tuple[tuple[str, float], ...] = tuple(SHARE.items())
    """The share of a task's examples that an epoch takes, other ones each time; all where nothing is said."""
    weights: tuple[tuple[str, float], ...] = tuple(WEIGHTS.items())
    """How much an example of a task counts, where it is not 1."""
    seconds: float | None = None
    """Stop the clock here: the learning rate then falls with the time instead of with the steps."""
    blank: float = 0.1
    """The share of the tokens before the choice of a label that are hidden, so that no single word is leant on."""
    taught: float = 0.8
    """How much the teachers' shares count beside the label of the corpus, where there are any."""
    leaves: tuple[int, int] = (0, 0)
    """(first, how many) of the folds that are left out, of `FOLDS`: a teacher judges what it has not seen."""


SAYS_NOTHING = 0
"""SmolLM2's end of text, which stands in no prompt."""
FOLDS = 6
"""Talks are dealt out to so many, by their number."""
KEPT_EVERY = 180.0
"""Seconds between two checkpoints: what a killed run loses at most. An interrupted one loses nothing."""

Row = dict[str, Any]
"""A line of the log: `step` of `steps`, `loss`, the share that is `done`, seconds `s`, `tokens` a second."""
Progress = Callable[[Row], object]


def train(
    base: Path,
    data: Path,
    folder: Path,
    recipe: Training,
    *,
    shares: TeacherShares | None = None,
    progress: Progress = print,
) -> Path:
    """Train on `data`/train.npz and write the adapter into `folder`. Returns the adapter's path."""
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    folder.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(recipe.seed)
    network = load_network(base, recipe, device)
    examples = Examples.load(data / "train.npz")
    (folder / "recipe.json").write_text(json.dumps(asdict(recipe), indent=2))
    TrainingRun(network, recipe, examples, folder, device, shares, progress).go()
    return save_adapter(network, folder / "adapter.npz")


def load_network(base: Path, recipe: Training, device: torch.device) -> Network:
    shape, tensors = read_base(base)
    kind = torch.bfloat16 if device.type == "cuda" else torch.float32
    loaded = {name: torch.from_numpy(value).to(device, kind) for name, value in tensors.items()}
    return Network(shape, loaded, rank=recipe.rank, alpha=recipe.alpha, dropout=recipe.dropout).to(device)


def save_adapter(network: Network, path: Path) -> Path:
    tensors = {name: value.float().cpu().numpy().astype(np.float16) for name, value in network.adapter().items()}
    np.savez(path, **tensors, rank=np.int64(network.rank), alpha=np.float64(network.alpha))  # type: ignore[arg-type]
    return path


class TrainingRun:
    def __init__(
        self,
        network: Network,
        recipe: Training,
        examples: Examples,
        folder: Path,
        device: torch.device,
        shares: TeacherShares | None = None,
        progress: Progress = print,
    ):
        self.progress = progress
        self.network, self.recipe, self.examples, self.folder, self.device = network, recipe, examples, folder, device
        self._taken = ~np.isin(examples.talk % FOLDS, left_out(recipe))
        self._taught = _Taught(examples, shares, device) if shares and recipe.taught else None
        if device.type == "cuda":  # layer by layer: all thirty share one compiled graph
            for layer in network.layers:
                layer.compile()
        self.optimizer = torch.optim.AdamW(network.parameters(), lr=recipe.rate, weight_decay=recipe.decay, betas=(0.9, 0.98))
        kept = np.array([dict(recipe.share).get(name, 1.0) for name in examples.tasks])[examples.task]
        tokens = int((examples.lengths * kept * self._taken)[examples.lengths <= recipe.length].sum())
        self.steps = max(1, math.ceil(recipe.epochs * tokens / (recipe.rows * recipe.length * 0.97)))
        self.step, self._spent = 0, 0.0
        self._resume()

    def go(self) -> None:
        """Train to the end. Interrupted, it keeps what was learnt."""
        began = time.perf_counter() - self._spent
        kept, first = time.perf_counter(), self.step
        with (self.folder / "log.jsonl").open("a") as log, self._kept_at_interrupt(began):
            for batch in self._stream():
                done = self._progress(began)
                if done >= 1:
                    break
                loss = self._learn(batch, done)
                if self.step % min(20, max(1, self.steps // 100)) == 0 or self.step == 1:
                    row = self._row(loss, done, began, first)
                    log.write(json.dumps(row) + "\n")
                    log.flush()
                    self.progress(row | {"steps": self.steps})
                if time.perf_counter() - kept > KEPT_EVERY:
                    self._keep(began)
                    kept = time.perf_counter()
        self._keep(began)

    def _row(self, loss: Tensor, done: float, began: float, first: int) -> Row:
        spent = time.perf_counter() - began
        read = (self.step - first) * self.recipe.rows * self.recipe.length
        return {
            "step": self.step,
            "loss": round(float(loss), 4),
            "done": round(done, 4),
            "s": round(spent, 1),
            "tokens": round(read / max(1e-9, spent - self._spent)),
        }

    @contextmanager
    def _kept_at_interrupt(self, began: float) -> Generator[None, None, None]:
        try:
            yield
        except KeyboardInterrupt:  # between two steps or before the end of one: the parameters are those of whole steps
            self._keep(began)
            raise

    def _progress(self, began: float) -> float:
        by_time = (time.perf_counter() - began) / self.recipe.seconds if self.recipe.seconds else 0.0
        return max(self.step / self.steps, by_time)

    def _stream(self) -> Iterator[ExampleBatch]:
        """Epoch after epoch, going on where a resumed run stopped."""
        recipe, epoch, seen = self.recipe, 0, 0
        while True:
            for batch in batches(
                self.examples,
                rows=recipe.rows,
                length=recipe.length,
                seed=recipe.seed + epoch,
                weights=dict(recipe.weights),
                share=dict(recipe.share),
                taken=self._taken,
            ):
                seen += 1
                if seen > self.step:
                    yield batch
            if not seen:
                raise InputError(
                    f"The examples fill less than the {recipe.rows} rows of {recipe.length} tokens that one step takes. "
                    "Give fewer rows, or more data."
                )
            epoch += 1

    def _learn(self, batch: ExampleBatch, done: float) -> Tensor:
        for group in self.optimizer.param_groups:
            group["lr"] = self.recipe.rate * _schedule(done, self.recipe.warm_up)
        self.network.train()
        torch.manual_seed(self.recipe.seed * 1_000_003 + self.step)  # a resumed run drops what an unbroken one would drop
        self.optimizer.zero_grad(set_to_none=True)
        loss = self._loss(batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        with _uninterrupted():
            self.optimizer.step()
            self.step += 1
        return loss.detach()

    def _loss(self, batch: ExampleBatch) -> Tensor:
        tokens, positions, example = (
            torch.from_numpy(x).to(self.device) for x in (batch.tokens, batch.positions, batch.example)
        )
        weight = torch.from_numpy(batch.weight).to(self.device)
        hidden = self.network(self._hidden(tokens, batch), positions, seen_by(example))
        counted = weight[:, :-1] > 0
        logits = self.network.scores(hidden[:, :-1][counted]).float()
        losses = F.cross_entropy(logits, tokens[:, 1:][counted], reduction="none")
        if self._taught:
            chooses = torch.from_numpy(batch.chooses).to(self.device)[:, :-1][counted]
            losses = self._taught.mixed(losses, logits, chooses, self.recipe.taught)
        shares = weight[:, :-1][counted]
        return (losses * shares).sum() / shares.sum()

    def _hidden(self, tokens: Tensor, batch: ExampleBatch) -> Tensor:
        """The tokens, a few of them replaced by the one that says nothing. (Nothing at all, a zero, has no gradient.)"""
        if not self.recipe.blank:
            return tokens
        asks = torch.from_numpy(batch.asks).to(self.device)
        return tokens.masked_fill(asks & (torch.rand(asks.shape, device=self.device) < self.recipe.blank), SAYS_NOTHING)

    def _keep(self, began: float) -> None:
        state = {"step": self.step, "network": self.network.state_dict(), "optimizer": self.optimizer.state_dict()}
        torch.save(state | {"seconds": time.perf_counter() - began}, self.folder / "state.tmp")
        (self.folder / "state.tmp").replace(self.folder / "state.pt")

    def _resume(self) -> None:
        path = self.folder / "state.pt"
        if path.exists():
            state = torch.load(path, map_location=self.device, weights_only=True)
            self.network.load_state_dict(state["network"], strict=False)
            self.optimizer.load_state_dict(state["optimizer"])
            self.step, self._spent = state["step"], state.get("seconds", 0.0)


class _Taught:
    """The teachers' shares, where the loss finds them."""

    def __init__(self, examples: Examples, shares: TeacherShares, device: torch.device):
        row = np.full(len(examples), -1, np.int64)
        row[shares.example] = np.arange(len(shares.example))
        self._row, self._task = torch.from_numpy(row).to(device), torch.from_numpy(examples.task.astype(np.int64)).to(device)
        self._options, self._share = (
            torch.from_numpy(examples.option_table[0]).to(device),
            torch.from_numpy(shares.share).to(device),
        )

    def mixed(self, losses: Tensor, logits: Tensor, chooses: Tensor, part: float) -> Tensor:
        """The loss against the label of the corpus, in part replaced by the one against the teachers' shares."""
        place = (chooses >= 0).nonzero()[:, 0]
        place = place[self._row[chooses[place]] >= 0]
        example = chooses[place]
        found = F.log_softmax(logits[place], -1).gather(1, self._options[self._task[example]])
        against = -(self._share[self._row[example]].float() * found).sum(1)
        return losses.index_put((place,), (1 - part) * losses[place] + part * against)


@contextmanager
def _uninterrupted() -> Generator[None, None, None]:
    """An interrupt waits until the block is done. Only the main thread is ever interrupted."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    asked: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _frame: asked.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if asked:
        raise KeyboardInterrupt


def left_out(recipe: Training) -> list[int]:
    first, count = recipe.leaves
    return [(first + i) % FOLDS for i in range(count)]


def seen_by(example: Tensor) -> Tensor:
    """(rows, 1, length, length): a token sees itself and the earlier tokens of its own example."""
    same = example[:, None, :, None] == example[:, None, None, :]
    return same & torch.ones(example.shape[1], example.shape[1], dtype=torch.bool, device=example.device).tril()


def _schedule(done: float, warm_up: float) -> float:
    if done < warm_up:
        return max(0.02, done / warm_up)
    return 0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * min(1.0, (done - warm_up) / (1 - warm_up))))
