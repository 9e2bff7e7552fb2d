"""Teaching the reader of danger: an adapter beside the untuned embedded model that answers in one word how grave a message is.

Messages travel as tokens (`pack`), since the machine with the graphics card may lack the engine. `teach` trains and scores; run
it as `heartfelt tune danger`, or as a module.
"""

import csv
import json
import math
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as F

from heartfelt.safety.detect.frame import DANGER_WORDS, TIER_WORDS, prompt
from heartfelt.tuning.network import Network
from heartfelt.tuning.train import load_network, save_adapter

NONE = -1
LONGEST = 220
"""Tokens of a message with its frame; of a longer one the end is taken."""


@dataclass(frozen=True)
class Teaching:
    name: str = "danger"
    seed: int = 6
    rank: int = 32
    alpha: float = 64.0
    dropout: float = 0.25
    rate: float = 1.2e-3
    epochs: float = 10.0
    rows: int = 160
    blank: float = 0.2
    """The share of a message's tokens that are hidden, so that no single word is leant on."""
    smooth: float = 0.1
    taught: dict[str, float] = field(default_factory=lambda: {"lessons": 1.0, "ordinary": 0.07})
    """Sets to learn from, and the share of each that an epoch takes."""
    scored: tuple[str, ...] = ("validation",)
    save: bool = True


@dataclass(frozen=True)
class Packed:
    """Messages as tokens, with their labels and the set that each belongs to."""

    tokens: NDArray[np.uint16]
    offsets: NDArray[np.int64]
    tier: NDArray[np.int8]
    danger: NDArray[np.int8]
    part: NDArray[np.int8]
    parts: tuple[str, ...]
    answers: NDArray[np.int64]
    """The tokens of the tiers, then those of the dangers."""

    @classmethod
    def load(cls, path: Path) -> "Packed":
        with np.load(path, allow_pickle=False) as data:
            return cls(
                *(data[name] for name in ("tokens", "offsets", "tier", "danger", "part")),
                tuple(map(str, data["parts"])),
                data["answers"],
            )

    def of(self, name: str) -> NDArray[np.int64]:
        return np.flatnonzero(self.part == self.parts.index(name))


def pack(rows: dict[str, list[tuple[str, str, str]]], tokens: Callable[[str], list[int]], target: Path) -> None:
    """`rows`: by the name of the set, (text, tier, danger)."""
    tiers, dangers = list(TIER_WORDS), list(DANGER_WORDS)
    flat: list[int] = []
    offsets, tier, danger, part = [0], [], [], []
    for place, (_, messages) in enumerate(rows.items()):
        for text, how, what in messages:
            flat += prompt(text, tokens)[-LONGEST:]
            offsets.append(len(flat))
            tier.append(tiers.index(how))
            danger.append(dangers.index(what) if what in dangers else NONE)
            part.append(place)
    answers = [tokens(word)[0] for word in (*TIER_WORDS.values(), *DANGER_WORDS.values())]
    np.savez_compressed(
        target,
        tokens=np.array(flat, np.uint16),
        offsets=np.array(offsets, np.int64),
        tier=np.array(tier, np.int8),
        danger=np.array(danger, np.int8),
        part=np.array(part, np.int8),
        parts=np.array(list(rows)),
        answers=np.array(answers, np.int64),
    )


def read_messages(path: Path) -> list[tuple[str, str, str]]:
    """(text, tier, danger) of a CSV with those columns."""
    with path.open(encoding="utf-8", newline="") as file:
        return [(row["text"], row["tier"], row["danger"]) for row in csv.DictReader(file)]


def teach(base: Path, data: Packed, teaching: Teaching, folder: Path, *, told: Callable[[str], object] = print) -> Network:
    """Train, score and save."""
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(teaching.seed)
    network = load_network(base, teaching, device)  # type: ignore[arg-type]
    folder.mkdir(parents=True, exist_ok=True)
    _train(network, data, teaching, device, told)
    for name in teaching.scored:
        np.save(folder / f"{teaching.name}.{name}.npy", score(network, data, data.of(name)).astype(np.float16))
    if teaching.save:
        save_adapter(network, folder / f"{teaching.name}.npz")
    return network


def _train(network: Network, data: Packed, teaching: Teaching, device: torch.device, told: Callable[[str], object]) -> None:
    random = np.random.default_rng(teaching.seed)
    sets = [(data.of(name), share) for name, share in teaching.taught.items()]
    per_epoch = sum(round(len(rows) * share) for rows, share in sets)
    steps = round(teaching.epochs * per_epoch / teaching.rows)
    optimiser = torch.optim.AdamW(network.parameters(), lr=teaching.rate, weight_decay=0.01, betas=(0.9, 0.98))
    network.train()
    started = time.perf_counter()
    for step, rows in zip(range(steps), _drawn(sets, data, teaching, random), strict=False):
        done = step / steps
        rate = teaching.rate * min(1.0, done / 0.06 + 0.01) * (0.5 + 0.5 * math.cos(math.pi * done))
        for group in optimiser.param_groups:
            group["lr"] = rate
        loss = _loss(network, data, rows, teaching, device)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        if step % 100 == 0:
            told(f"{teaching.name} {step}/{steps} loss {loss.item():.3f} {time.perf_counter() - started:.0f} s")


def _drawn(
    sets: list[tuple[NDArray[np.int64], float]], data: Packed, teaching: Teaching, random: np.random.Generator
) -> Iterator[NDArray[np.int64]]:
    """Batches of messages of like length, without end."""
    lengths = np.diff(data.offsets)
    while True:
        epoch = np.concatenate([random.choice(rows, round(len(rows) * share), replace=share > 1) for rows, share in sets])
        epoch = epoch[np.argsort(lengths[epoch] + random.normal(0, 3, len(epoch)))]
        batches = [epoch[i : i + teaching.rows] for i in range(0, len(epoch), teaching.rows)]
        random.shuffle(batches)
        yield from batches


def _loss(network: Network, data: Packed, rows: NDArray[np.int64], teaching: Teaching, device: torch.device) -> Tensor:
    tier, danger = (torch.from_numpy(x[rows].astype(np.int64)).to(device) for x in (data.tier, data.danger))
    answers = torch.from_numpy(data.answers).to(device)
    tiers, dangers = answers[: len(TIER_WORDS)], answers[len(TIER_WORDS) :]
    tokens, ends = _padded(data, rows, answered=answers[tier].cpu().numpy())
    if teaching.blank:
        hidden = np.random.default_rng(int(rows[0])).random(tokens.shape) < teaching.blank
        inside = (np.arange(tokens.shape[1]) > 6) & (np.arange(tokens.shape[1]) < ends[:, None] - 8)
        tokens = np.where(hidden & inside, 0, tokens)
    hidden = _run(network, tokens, device)
    index = torch.arange(len(rows), device=device)
    at = torch.from_numpy(ends).to(device)
    graver = network.scores(hidden[index, at - 1])[:, tiers].float()
    loss = F.cross_entropy(graver, tier, label_smoothing=teaching.smooth)
    known = (danger >= 0) & (tier > 0)
    if known.any():
        kinds = network.scores(hidden[index, at])[:, dangers].float()
        loss = loss + 0.3 * F.cross_entropy(kinds[known], danger[known], label_smoothing=teaching.smooth)
    return loss


@torch.inference_mode()
def score(network: Network, data: Packed, rows: NDArray[np.int64], *, size: int = 256) -> NDArray[np.float32]:
    """(messages, tiers and dangers): how likely each is."""
    network.eval()
    device = next(network.parameters()).device
    answers = torch.from_numpy(data.answers).to(device)
    count = len(TIER_WORDS)
    found = np.zeros((len(rows), len(data.answers)), np.float32)
    order = np.argsort(np.diff(data.offsets)[rows])
    for start in range(0, len(rows), size):
        places = order[start : start + size]
        chosen = rows[places]
        tokens, ends = _padded(data, chosen, answered=np.full(len(chosen), int(data.answers[2])))
        hidden = _run(network, tokens, device)
        index, at = torch.arange(len(chosen), device=device), torch.from_numpy(ends).to(device)
        tiers = network.scores(hidden[index, at - 1])[:, answers[:count]].float().softmax(-1)
        dangers = network.scores(hidden[index, at])[:, answers[count:]].float().softmax(-1)
        found[places] = torch.cat((tiers, dangers), -1).cpu().numpy()
    return found


def _padded(
    data: Packed, rows: NDArray[np.int64], *, answered: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Messages, each with its answer after it, and where that answer stands."""
    ends = (data.offsets[rows + 1] - data.offsets[rows]).astype(np.int64)
    width = -(-(int(ends.max()) + 1) // 16) * 16
    tokens = np.zeros((len(rows), width), np.int64)
    for i, row in enumerate(rows):
        tokens[i, : ends[i]] = data.tokens[data.offsets[row] : data.offsets[row + 1]]
        tokens[i, ends[i]] = answered[i]
    return tokens, ends


def _run(network: Network, tokens: NDArray[np.int64], device: torch.device) -> Tensor:
    rows, width = tokens.shape
    mask = torch.ones(width, width, dtype=torch.bool, device=device).tril()[None, None]
    places = torch.arange(width, device=device).expand(rows, -1)
    return network(torch.from_numpy(tokens).to(device), places, mask)


def main() -> None:
    """base.gguf messages.npz folder, and the fields of `Teaching` that differ, as JSON."""
    base, data, folder = map(Path, sys.argv[1:4])
    teaching = Teaching(**json.loads(sys.argv[4] if len(sys.argv) > 4 else "{}"))
    print(json.dumps(asdict(teaching)))
    teach(base, Packed.load(data), teaching, folder)


if __name__ == "__main__":
    main()
