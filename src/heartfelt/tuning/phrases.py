"""Weighing phrases of danger: a linear model over runs of words, trained in a minute on any processor."""

from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

from heartfelt.safety.detect.phrases import PLACES, runs
from heartfelt.safety.tiers import ALARMS, DANGERS, TIERS
from heartfelt.tuning.danger import DangerLesson


def weigh(
    lessons: list[DangerLesson], target: Path, *, epochs: int = 15, rate: float = 0.3, decay: float = 2e-5, seed: int = 1
) -> None:
    """Writes the table to `target`."""
    torch.manual_seed(seed)
    found = [torch.from_numpy(runs(lesson.message.text)) for lesson in lessons]
    alarm = torch.tensor([TIERS[lesson.tier] in ALARMS for lesson in lessons], dtype=torch.float32)
    danger = torch.tensor([lesson.danger for lesson in lessons])
    table = torch.nn.EmbeddingBag(PLACES, 1 + len(DANGERS), mode="sum")
    torch.nn.init.zeros_(table.weight)
    start = torch.nn.Parameter(torch.zeros(1 + len(DANGERS)))
    optimiser = torch.optim.Adagrad([table.weight, start], lr=rate)
    for _ in range(epochs):
        for rows in torch.randperm(len(lessons)).split(64):
            lengths = torch.tensor([len(found[int(row)]) for row in rows])
            offsets = torch.cat((torch.zeros(1, dtype=torch.long), lengths.cumsum(0)[:-1]))
            sums = start + table(torch.cat([found[int(row)] for row in rows]), offsets) / lengths.sqrt()[:, None]
            loss = F.binary_cross_entropy_with_logits(sums[:, 0], alarm[rows])
            known = danger[rows] >= 0
            if known.any():
                loss = loss + 0.3 * F.cross_entropy(sums[known, 1:], danger[rows][known])
            loss = loss + decay * table.weight.square().sum() / len(rows)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
    _write(table.weight.detach().numpy(), start.detach().numpy(), target)


def _write(table: np.ndarray, start: np.ndarray, target: Path) -> None:
    scale = np.abs(table).max(0) / 127 + 1e-9
    np.savez_compressed(target, table=np.round(table / scale).astype(np.int8), scale=scale.astype(np.float32), start=start)
