"""The head that hears a feeling: one linear layer over what the speech recogniser's inner layers heard.

With fourteen voices to learn from, anything larger learns the voices.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from heartfelt.senses.voice.layers import WIDTH
from heartfelt.tuning.senses.graph import TrainedGraph

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class VoiceHead:
    weight: Floats
    """(classes, WIDTH)"""
    bias: Floats

    def scores(self, heard: Floats) -> Floats:
        return heard @ self.weight.T + self.bias

    def write(self, path: Path, *, half: bool = False) -> Path:
        graph = TrainedGraph("voice", source=("heard", ["n", WIDTH]), half=half)
        return graph.save(path, graph.linear("heard", self.weight, self.bias), width=len(self.bias))


def learnt(
    heard: Floats, labels: NDArray[np.int64], classes: int, *, decay: float, smoothing: float, turns: int = 40
) -> VoiceHead:
    """Fitted to its end by L-BFGS: there is one best head, so no seed and no luck. A rare label counts for more."""
    mean, spread = heard.mean(0), heard.std(0) + 1e-3
    rows, gold = torch.from_numpy((heard - mean) / spread), torch.from_numpy(labels)
    counts = torch.bincount(gold, minlength=classes).clamp(min=1)
    loss = torch.nn.CrossEntropyLoss(weight=counts.max() / counts.float(), label_smoothing=smoothing)
    weight, bias = torch.zeros(classes, heard.shape[1], requires_grad=True), torch.zeros(classes, requires_grad=True)
    descent = torch.optim.LBFGS([weight, bias], max_iter=turns, line_search_fn="strong_wolfe")

    def uphill() -> torch.Tensor:
        descent.zero_grad()
        found = loss(rows @ weight.T + bias, gold) + decay * (weight**2).sum()
        found.backward()
        return found

    descent.step(uphill)
    plain = weight.detach().numpy() / spread  # what was centred for the fit is folded in: the head takes what was heard
    return VoiceHead(plain.astype(np.float32), (bias.detach().numpy() - plain @ mean).astype(np.float32))
