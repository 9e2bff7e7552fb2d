"""The loop in which both networks learn: soft labels, a rate that falls as a cosine, a running mean of the weights.

A run that is killed goes on from its last checkpoint; the draw of every step follows from the seed and its number alone.
"""

import copy
import json
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

Draw = Callable[[int], tuple[Tensor, Tensor]]
"""From the number of a step to its inputs and the share of each label."""
Row = dict[str, Any]
"""A line of the log: the `part` that learns, its `step` of `steps`, `loss`, the share `done`, seconds `s`."""
Progress = Callable[[Row], object]

KEPT_EVERY = 60.0
"""Seconds between two checkpoints: what a killed run loses at most."""
LOGGED = 25
"""Steps between two lines of the log. Each line waits for the device, and so keeps the clock honest."""


@dataclass(frozen=True)
class Pace:
    """How fast and how long."""

    steps: int
    rate: float = 0.1
    decay: float = 5e-4
    momentum: float = 0.9
    warm_up: float = 0.05
    average: float = 0.998
    """How much of the running mean of the weights each step keeps."""
    seconds: float | None = None
    """Stop the clock here: the rate then falls with the time where that is faster than with the steps."""
    compiled: bool = False
    """Whether to fuse the network's kernels first, on a GPU. It takes most of a minute, which a short run does not win back."""


class Learner:
    def __init__(
        self, network: nn.Module, draw: Draw, pace: Pace, folder: Path, *, part: str, seed: int, progress: Progress = print
    ):
        self.network, self.draw, self.pace, self.folder, self.part = network, draw, pace, folder, part
        self.seed, self.progress = seed, progress
        self.device = next(network.parameters()).device
        self.averaged = copy.deepcopy(network).eval().requires_grad_(False)
        self.optimizer = torch.optim.SGD(_groups(network, pace.decay), pace.rate, momentum=pace.momentum, nesterov=True)
        self._old, self._new = _floats(self.averaged), _floats(network)  # they share their memory with the networks
        self.step, self._spent = 0, 0.0
        self._resume()

    def go(self) -> nn.Module:
        """Learn to the end. Returns the running mean of the network, which is better than its last step."""
        fast = self.device.type == "cuda"
        shown = torch.compile(self.network) if self.pace.compiled and fast else self.network
        began, kept = time.perf_counter() - self._spent, time.perf_counter()
        with (self.folder / "log.jsonl").open("a", encoding="utf-8") as log:
            while (done := self._done(began)) < 1:
                loss = self._learn(shown, done)
                if self.step % LOGGED == 0 or self.step == 1:
                    row = self._row(loss, done, began)
                    log.write(json.dumps(row) + "\n")
                    log.flush()
                    self.progress(row)
                if time.perf_counter() - kept > KEPT_EVERY:
                    self._keep(began)
                    kept = time.perf_counter()
        self._keep(began, ended=True)
        return self.averaged

    def _learn(self, shown: Callable[[Tensor], Tensor], done: float) -> Tensor:
        for group in self.optimizer.param_groups:
            group["lr"] = self.pace.rate * schedule(done, self.pace.warm_up)
        self.network.train()
        torch.manual_seed(self.seed * 1_000_003 + self.step)  # a resumed run drops what an unbroken one would drop
        inputs, shares = self.draw(self.step)
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
            scores = shown(inputs)
        loss = -(shares * scores.float().log_softmax(-1)).sum(1).mean()
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), 5.0)
        self.optimizer.step()
        self.step += 1
        self._average()
        return loss.detach()

    @torch.no_grad()
    def _average(self) -> None:
        keep = min(self.pace.average, (1 + self.step) / (10 + self.step))  # the first steps are soon forgotten
        torch._foreach_lerp_(self._old, self._new, 1 - keep)

    def _done(self, began: float) -> float:
        by_time = (time.perf_counter() - began) / self.pace.seconds if self.pace.seconds else 0.0
        return max(self.step / self.pace.steps, by_time, 1.0 if self._ended else 0.0)

    def _row(self, loss: Tensor, done: float, began: float) -> Row:
        value, spent = round(float(loss), 4), time.perf_counter() - began
        told = {"part": self.part, "step": self.step, "steps": self.pace.steps, "loss": value}
        return told | {"done": round(done, 4), "s": round(spent, 1)}

    @property
    def _state(self) -> Path:
        return self.folder / "state" / f"{self.part}.pt"

    def _keep(self, began: float, *, ended: bool = False) -> None:
        state = {
            "step": self.step,
            "ended": ended,
            "seconds": time.perf_counter() - began,
            "network": self.network.state_dict(),
            "averaged": self.averaged.state_dict(),
            "optimizer": {} if ended else self.optimizer.state_dict(),
        }
        self._state.parent.mkdir(parents=True, exist_ok=True)
        torch.save(state, self._state.with_suffix(".tmp"))
        self._state.with_suffix(".tmp").replace(self._state)

    def _resume(self) -> None:
        self._ended = False
        if self._state.exists():
            state = torch.load(self._state, map_location=self.device, weights_only=True)
            self.network.load_state_dict(state["network"])
            self.averaged.load_state_dict(state["averaged"])
            self.step, self._spent, self._ended = state["step"], state["seconds"], state["ended"]
            if not self._ended:
                self.optimizer.load_state_dict(state["optimizer"])


def device_here() -> torch.device:
    if torch.cuda.is_available():
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = torch.backends.cudnn.benchmark = True
        return torch.device("cuda")
    return torch.device("cpu")


def schedule(done: float, warm_up: float) -> float:
    if done < warm_up:
        return max(0.02, done / warm_up)
    return 0.002 + 0.998 * 0.5 * (1 + math.cos(math.pi * min(1.0, (done - warm_up) / (1 - warm_up))))


def order(step: int, *, batch: int, count: int, seed: int) -> Tensor:
    """The rows of one step: every epoch shows each row once, in another order."""
    size = min(batch, count)
    each = count // size
    chance = torch.Generator().manual_seed(seed * 7_919 + step // each)
    at = step % each * size
    return torch.randperm(count, generator=chance)[at : at + size]


def mixed(inputs: Tensor, shares: Tensor, strength: float, chance: torch.Generator) -> tuple[Tensor, Tensor]:
    """Mixup (Zhang et al., 2018): half of the rows are laid over another row, and so are their labels."""
    if not strength:
        return inputs, shares
    count, device = len(inputs), inputs.device
    part = torch.rand(count, device=device, generator=chance) * strength
    part = torch.where(torch.rand(count, device=device, generator=chance) < 0.5, part, 0.0)
    other = torch.randperm(count, device=device, generator=chance)
    wide = part.reshape(-1, *[1] * (inputs.dim() - 1))
    return inputs * (1 - wide) + inputs[other] * wide, shares * (1 - part[:, None]) + shares[other] * part[:, None]


def softened(labels: Tensor, classes: int, smoothing: float) -> Tensor:
    """The share of each label, a little of it given to all others: some of the labels are wrong."""
    return nn.functional.one_hot(labels, classes).float() * (1 - smoothing) + smoothing / classes


def _groups(network: nn.Module, decay: float) -> list[dict[str, Any]]:
    """Only matrices and kernels decay; scales and biases may be as large as they like."""
    wide = [value for value in network.parameters() if value.dim() > 1]
    flat = [value for value in network.parameters() if value.dim() <= 1]
    return [{"params": wide, "weight_decay": decay}, {"params": flat, "weight_decay": 0.0}]


def _floats(network: nn.Module) -> list[Tensor]:
    return [value for value in network.state_dict().values() if value.is_floating_point()]
