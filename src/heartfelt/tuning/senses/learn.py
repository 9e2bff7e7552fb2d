"""The loop in which a network learns: soft labels, a rate that falls as a cosine, a running mean of the weights.

A run that is killed goes on from its last checkpoint; the draw of every step follows from the seed and its number alone.
A small network keeps a GPU waiting for its next kernel, so there a whole step is recorded once and then played back: four
times as many steps in the same time.
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
STEEPEST = 5.0
"""The length to which all slopes together are cut."""
AS_IT_IS = 3
"""Steps before a GPU's recording."""


@dataclass(frozen=True)
class LearningPace:
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


class Learner:
    def __init__(
        self,
        network: nn.Module,
        draw: Draw,
        pace: LearningPace,
        folder: Path,
        *,
        part: str,
        seed: int,
        progress: Progress = print,
        offset: Tensor | None = None,
    ):
        """`offset` is added to the scores while the network learns, and is no part of it: see `balance`."""
        self.network, self.draw, self.pace, self.folder, self.part = network, draw, pace, folder, part
        self.seed, self.progress = seed, progress
        self.device = next(network.parameters()).device
        self._offset = torch.zeros((), device=self.device) if offset is None else offset.to(self.device)
        self.averaged = copy.deepcopy(network).eval().requires_grad_(False)
        self._old, self._new = _floats(self.averaged), _floats(network)  # they share their memory with the networks
        self._weights = list(network.parameters())
        self._decayed = [value for value in self._weights if value.dim() > 1]  # scales and biases may be as large as they like
        self._momenta = [torch.zeros_like(value) for value in self._weights]
        self._rate, self._taken = (torch.zeros((), device=self.device) for _ in range(2))
        self._recorded: _Recorded | None = None
        self.step, self._spent = 0, 0.0
        self._resume()

    def go(self) -> nn.Module:
        """Learn to the end. Returns the running mean of the network, which is better than its last step."""
        began, kept = time.perf_counter() - self._spent, time.perf_counter()
        with (self.folder / "log.jsonl").open("a", encoding="utf-8") as log:
            while (done := self._done(began)) < 1:
                loss = self._learn(done)
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

    def _learn(self, done: float) -> Tensor:
        self._rate.fill_(self.pace.rate * schedule(done, self.pace.warm_up))
        self.step += 1
        # The first steps are soon forgotten.
        self._taken.fill_(1 - min(self.pace.average, (1 + self.step) / (10 + self.step)))
        inputs, shares = self.draw(self.step - 1)
        torch.manual_seed(self.seed * 1_000_003 + self.step)  # a resumed run drops what an unbroken one would drop
        self.network.train()
        if self.device.type != "cuda":
            return self._advance(inputs, shares)
        self._recorded = self._recorded or _Recorded(self._advance)
        return self._recorded(inputs, shares)

    def _advance(self, inputs: Tensor, shares: Tensor) -> Tensor:
        """One step, in kernels alone: nothing in it asks the device for a number, so that it can be recorded."""
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda", cache_enabled=False):
            scores = self.network(inputs)
        loss = -(shares * (scores.float() + self._offset).log_softmax(-1)).sum(1).mean()
        slopes = list(torch.autograd.grad(loss, self._weights))
        with torch.no_grad():
            self._follow(slopes)
            moved = torch._foreach_sub(self._new, self._old)
            torch._foreach_mul_(moved, self._taken)
            torch._foreach_add_(self._old, moved)
        return loss.detach()

    def _follow(self, slopes: list[Tensor]) -> None:
        """Gradient descent with Nesterov's momentum. The rate lies on the device: a recorded step reads it again each time."""
        length = torch.stack(torch._foreach_norm(slopes)).norm()
        torch._foreach_mul_(slopes, (STEEPEST / (length + 1e-6)).clamp(max=1))
        steep = [slope for slope, value in zip(slopes, self._weights, strict=True) if value.dim() > 1]
        torch._foreach_add_(steep, self._decayed, alpha=self.pace.decay)
        torch._foreach_mul_(self._momenta, self.pace.momentum)
        torch._foreach_add_(self._momenta, slopes)
        torch._foreach_add_(slopes, self._momenta, alpha=self.pace.momentum)
        torch._foreach_mul_(slopes, self._rate)
        torch._foreach_sub_(self._weights, slopes)

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
            "momenta": [] if ended else self._momenta,
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
                torch._foreach_copy_(self._momenta, state["momenta"])


class _Recorded:
    """A function of tensors on a GPU that is run a few times as it is, then recorded, and played back from there on."""

    def __init__(self, function: Callable[[Tensor, Tensor], Tensor]):
        self._function, self._calls = function, 0
        self._aside = torch.cuda.Stream()
        self._graph = torch.cuda.CUDAGraph()
        self._inputs: tuple[Tensor, Tensor]
        self._result: Tensor

    def __call__(self, first: Tensor, second: Tensor) -> Tensor:
        self._calls += 1
        if self._calls <= AS_IT_IS:  # libraries choose their kernels and take their memory now, which no recording may do
            self._aside.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(self._aside):
                result = self._function(first, second)
            torch.cuda.current_stream().wait_stream(self._aside)
            return result
        if self._calls == AS_IT_IS + 1:
            self._inputs = first.clone(), second.clone()
            with torch.cuda.graph(self._graph):
                self._result = self._function(*self._inputs)
        for kept, new in zip(self._inputs, (first, second), strict=True):
            kept.copy_(new)
        self._graph.replay()
        return self._result


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


def softened(labels: Tensor, spread: Tensor, smoothing: float) -> Tensor:
    """The share of each label, a little of it given to all as they are in `spread`: some of the labels are wrong."""
    return nn.functional.one_hot(labels, len(spread)).float() * (1 - smoothing) + smoothing * spread


def _floats(network: nn.Module) -> list[Tensor]:
    return [value for value in network.state_dict().values() if value.is_floating_point()]
