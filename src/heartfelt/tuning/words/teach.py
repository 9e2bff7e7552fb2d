"""Training the adapter for the words: to write like the good replies, and to mark replies as raters do."""

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as F

from heartfelt.tuning.network import Network
from heartfelt.tuning.train import seen_by

MARKS = 5
APART, WIDEST, SHARPNESS = 0.5, 2.0, 2.0
"""Of two marks: from which difference on a pair counts, from which on it counts no more, and how steep its loss is."""


@dataclass(frozen=True)
class WordsTeaching:
    rank: int = 16
    alpha: float = 32.0
    dropout: float = 0.05
    rate: float = 2e-4
    epochs: float = 2.0
    rows: int = 32
    length: int = 512
    mark_weight: float = 0.3
    """What telling good from bad counts beside writing."""
    rank_weight: float = 0.5
    """What it counts to mark the better of two replies to the same message higher, whatever the marks: the runtime chooses
    among replies to one message."""
    seed: int = 7
    checks: int = 4
    """How often in a run the exchanges of the writers left out are looked at; the best look is kept."""


@dataclass(frozen=True)
class Packed:
    tokens: NDArray[np.uint32]
    offsets: NDArray[np.int64]
    asked: NDArray[np.int32]
    learnt: NDArray[np.bool_]
    """Token by token."""
    mark: NDArray[np.float32]

    @classmethod
    def load(cls, path: Path) -> "Packed":
        with np.load(path, allow_pickle=False) as data:
            return cls(*(data[name] for name in ("tokens", "offsets", "asked", "learnt", "mark")))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> NDArray[np.int64]:
        return np.diff(self.offsets)

    @cached_property
    def asks(self) -> NDArray[np.int64]:
        """A number for each lesson, the same for those that are asked the same."""
        known = dict[bytes, int]()
        ends = zip(self.offsets[:-1].tolist(), self.asked.tolist(), strict=True)
        prompts = (self.tokens[start : start + size].tobytes() for start, size in ends)
        return np.array([known.setdefault(prompt, len(known)) for prompt in prompts], np.int64)

    def shuffled(self, random: np.random.Generator) -> NDArray[np.int64]:
        """Lessons that are asked the same side by side, so that a step sees them together, and otherwise in any order."""
        places = random.permutation(len(self))
        return places[np.argsort(random.permutation(len(self))[self.asks[places]], kind="stable")]


@dataclass(frozen=True)
class LessonBatch:
    tokens: Tensor
    positions: Tensor
    inside: Tensor
    """Which lesson of the batch a token belongs to; -1: none."""
    learns: Tensor
    """Whether the token after this one is to be learnt."""
    lessons: list[int]
    ends: tuple[Tensor, Tensor]
    """Row and column of the last token of each lesson, in their order."""


def teach(
    network: Network, train: Packed, valid: Packed, teaching: WordsTeaching, digits: list[int], told: Callable[[str], object]
) -> None:
    """Learn to write and to mark; ends with the parameters that were best on `valid`."""
    random = np.random.default_rng(teaching.seed)
    size = teaching.rows * teaching.length * 0.95
    steps = max(1, math.ceil(teaching.epochs * float(train.lengths.sum()) / size))
    optimiser = torch.optim.AdamW(network.parameters(), lr=teaching.rate, weight_decay=0.01, betas=(0.9, 0.98))
    best, kept = math.inf, {}
    began, step = time.perf_counter(), 0
    looks = {round(steps * (i + 1) / teaching.checks) for i in range(teaching.checks)}
    while step < steps:
        for batch in batches(train, train.shuffled(random), teaching, network):
            set_rate(optimiser, teaching.rate, step / steps)
            network.train()
            parts = losses(network, train, batch, digits)
            weighed(parts, teaching).backward()
            take_step(network, optimiser)
            step += 1
            if step % 20 == 0:
                spent = time.perf_counter() - began
                written, marked, ranked = (part.item() for part in parts)
                heard = f"write {written:.3f} mark {marked:.3f} rank {ranked:.3f}"
                told(f"{step}/{steps} {heard} {spent:.0f} s")
            if step in looks:
                cost, apart = measure(network, valid, teaching, digits)
                told(f"{step}/{steps} left out: {cost:.4f}, told apart {apart:.3f}")
                if cost < best:
                    best = cost
                    kept = {name: value.detach().clone() for name, value in network.state_dict().items()}
            if step >= steps:
                break
    network.load_state_dict(kept, strict=False)


def losses(network: Network, data: Packed, batch: LessonBatch, digits: list[int]) -> tuple[Tensor, Tensor, Tensor]:
    """Of writing (mean over tokens), of marking (mean over the marked), and of ranking replies to the same message."""
    hidden = network(batch.tokens, batch.positions, seen_by(batch.inside))
    logits = network.scores(hidden[:, :-1][batch.learns[:, :-1]]).float()
    none = hidden.sum() * 0
    written = F.cross_entropy(logits, batch.tokens[:, 1:][batch.learns[:, :-1]]) if len(logits) else none
    marks = torch.from_numpy(data.mark[batch.lessons]).to(hidden.device)
    given = marks > 0
    ends = hidden[batch.ends][given]
    if not len(ends):
        return written, none, none
    found = F.log_softmax(network.scores(ends).float()[:, digits], -1)
    marked = -(spread(marks[given]) * found).sum(1).mean()
    return written, marked, ranking(found, marks[given], torch.from_numpy(data.asks[batch.lessons]).to(hidden.device)[given])


def ranking(found: Tensor, marks: Tensor, asks: Tensor) -> Tensor:
    """How badly replies to the same message are told apart whose marks are at least `APART` from each other. `found`: the
    log-probabilities of the marks."""
    expected = (found.exp() * torch.arange(1, MARKS + 1, device=found.device)).sum(1)
    by = (marks[:, None] - marks[None, :]).clamp(max=WIDEST)
    pairs = (asks[:, None] == asks[None, :]) & (by >= APART)
    if not pairs.any():
        return found.sum() * 0
    wrong = F.softplus(-SHARPNESS * (expected[:, None] - expected[None, :]))
    return (wrong * by)[pairs].sum() / by[pairs].sum()


def spread(marks: Tensor) -> Tensor:
    """A mark between two digits is a share of each."""
    low = marks.floor().clamp(1, MARKS)
    share = marks - low
    found = torch.zeros(len(marks), MARKS, device=marks.device)
    found.scatter_(1, (low - 1).long()[:, None], (1 - share)[:, None])
    return found.scatter_add_(1, low.long().clamp(max=MARKS - 1)[:, None], share[:, None])


@torch.no_grad()
def measure(network: Network, data: Packed, teaching: WordsTeaching, digits: list[int]) -> tuple[float, float]:
    """What all that is learnt costs, as it is weighed; and how often the better of two replies to the same message gets the
    better mark."""
    network.eval()
    cost, count = 0.0, 0
    for batch in batches(data, np.argsort(data.asks, kind="stable"), teaching, network):
        cost, count = cost + weighed(losses(network, data, batch, digits), teaching).item(), count + 1
    return cost / count, told_apart(marks_of(network, data, teaching, digits), data)


def weighed(parts: tuple[Tensor, Tensor, Tensor], teaching: WordsTeaching) -> Tensor:
    written, marked, ranked = parts
    return written + teaching.mark_weight * marked + teaching.rank_weight * ranked


def told_apart(found: NDArray[np.float32], data: Packed) -> float:
    """The share of pairs of replies to the same message that are marked in the raters' order; 0 without any."""
    right, pairs = 0, 0
    for asked in np.unique(data.asks[data.mark > 0]):
        own = np.flatnonzero((data.asks == asked) & (data.mark > 0))
        better = data.mark[own][:, None] - data.mark[own][None, :] >= APART
        right += int((better & (found[own][:, None] > found[own][None, :])).sum())
        pairs += int(better.sum())
    return right / max(1, pairs)


@torch.no_grad()
def marks_of(network: Network, data: Packed, teaching: WordsTeaching, digits: list[int]) -> NDArray[np.float32]:
    """The expected mark of every lesson's answer."""
    network.eval()
    found = np.zeros(len(data), np.float32)
    scale = torch.arange(1, MARKS + 1, device=network.device, dtype=torch.float32)
    for batch in batches(data, np.arange(len(data)), teaching, network):
        hidden = network(batch.tokens, batch.positions, seen_by(batch.inside))
        shares = F.softmax(network.scores(hidden[batch.ends]).float()[:, digits], -1)
        found[batch.lessons] = (shares * scale).sum(1).cpu().numpy()
    return found


def batches(data: Packed, order: NDArray[np.int64], teaching: WordsTeaching, network: Network) -> Iterator[LessonBatch]:
    """Rows filled one lesson after the other."""
    device = network.device
    rows: list[list[int]] = [[]]
    room = teaching.length
    for i, size in zip(order.tolist(), data.lengths[order].tolist(), strict=True):
        if size > teaching.length:
            continue
        if size > room:
            if len(rows) == teaching.rows:
                yield batch_of(data, rows, teaching, device)
                rows = []
            rows.append([])
            room = teaching.length
        rows[-1].append(i)
        room -= size
    if rows[-1]:
        yield batch_of(data, rows, teaching, device)


def batch_of(data: Packed, rows: list[list[int]], teaching: WordsTeaching, device: torch.device) -> LessonBatch:
    shape = (max(len(rows), 1), teaching.length)
    tokens, positions = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    inside = np.full(shape, -1, np.int64)
    learns = np.zeros(shape, np.bool_)
    lessons, ends = list[int](), list[tuple[int, int]]()
    for r, row in enumerate(rows):
        at = 0
        for i in row:
            a, b = int(data.offsets[i]), int(data.offsets[i + 1])
            size = b - a
            tokens[r, at : at + size] = data.tokens[a:b]
            positions[r, at : at + size] = np.arange(size)
            inside[r, at : at + size] = len(lessons)
            learns[r, at : at + size - 1] = data.learnt[a + 1 : b]  # the token before predicts it
            ends.append((r, at + size - 1))
            lessons.append(i)
            at += size
    places = (torch.tensor([r for r, _ in ends], device=device), torch.tensor([c for _, c in ends], device=device))
    tensors = [torch.from_numpy(x).to(device) for x in (tokens, positions, inside, learns)]
    return LessonBatch(*tensors, lessons=lessons, ends=places)


def take_step(network: Network, optimiser: torch.optim.Optimizer) -> None:
    torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimiser.step()
    optimiser.zero_grad(set_to_none=True)


def set_rate(optimiser: torch.optim.Optimizer, rate: float, done: float) -> None:
    for group in optimiser.param_groups:
        group["lr"] = rate * min(1.0, done / 0.05 + 0.02) * (0.1 + 0.9 * 0.5 * (1 + math.cos(math.pi * min(1.0, done))))
