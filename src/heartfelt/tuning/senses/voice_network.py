"""The network that hears a feeling: a small residual one over log-mel bands, with a mean over time that it weighs itself.

Several members, trained from other beginnings, are heard together: with so few voices to learn from, one alone is a matter of
luck.
"""

from pathlib import Path

import torch
from torch import Tensor, nn

from heartfelt.tuning.senses.features import BANDS
from heartfelt.tuning.senses.graph import Graph
from heartfelt.tuning.senses.parts import Convolution, Residual, numbers

SPREAD = 3.0
"""What the bands are divided by: about their spread in speech."""
TINY = 1e-5
HALVED = (2, 2)


class VoiceNetwork(nn.Module):
    """(n, 1, bands, frames), the frames a multiple of 16 → (n, classes) scores before the softmax."""

    def __init__(self, classes: int, *, width: int = 24, dropout: float = 0.4, skipped: float = 0.1):
        super().__init__()
        self.stem = Convolution(2, width, 5, HALVED)
        self.blocks = nn.ModuleList(
            [
                Residual(width, 2 * width, stride=HALVED),
                Residual(2 * width, 3 * width, stride=HALVED, skipped=skipped),
                Residual(3 * width, 4 * width, stride=HALVED, skipped=skipped),
            ]
        )
        wide = 4 * width * (BANDS // 16)
        self.joined = nn.Sequential(nn.Conv1d(wide, 4 * width, 1, bias=False), nn.BatchNorm1d(4 * width))
        self.heeded = nn.Conv1d(4 * width, 4 * width, 1)
        self.dropout, self.head = nn.Dropout(dropout), nn.Linear(8 * width, classes)

    def forward(self, bands: Tensor) -> Tensor:
        x = self.stem(_centred(bands)).relu()
        for block in self.blocks:
            x = nn.functional.dropout2d(block(x), 0.1, self.training)
        x = self.joined(x.flatten(1, 2)).relu()
        share = self.heeded(x).softmax(-1)
        mean = (share * x).sum(-1)
        spread = ((share * (x - mean[:, :, None]) ** 2).sum(-1) + TINY).sqrt()
        return self.head(self.dropout(torch.cat([mean, spread], 1)))

    def written(self, graph: Graph, x: str) -> str:
        """Write the network into a graph; the name of its scores."""
        x = graph.add("Relu", self.stem.write(graph, _written_centred(graph, x)))
        for block in self.blocks:
            x = block.write(graph, x)
        width = self.joined[0].in_channels
        x = graph.add("Reshape", x, graph.whole(0, width, 1, -1))
        norm = self.joined[1]
        scale = norm.weight / (norm.running_var + norm.eps).sqrt()
        weight = (self.joined[0].weight * scale[:, None, None])[:, :, None]
        bias = norm.bias - norm.running_mean * scale
        x = graph.add("Relu", graph.convolution(x, numbers(weight), numbers(bias), padding=(0, 0)))
        heeded = graph.convolution(x, numbers(self.heeded.weight[:, :, None]), numbers(self.heeded.bias), padding=(0, 0))
        share = graph.add("Softmax", heeded, axis=3)
        mean = _total(graph, graph.add("Mul", share, x))
        away = graph.add("Sub", x, mean)
        spread = _total(graph, graph.add("Mul", share, graph.add("Mul", away, away)))
        spread = graph.add("Sqrt", graph.add("Add", spread, graph.weight(numbers(torch.tensor(TINY)))))
        flat = graph.add("Flatten", graph.add("Concat", mean, spread, axis=1))
        return graph.linear(flat, numbers(self.head.weight), numbers(self.head.bias))


class Chorus(nn.Module):
    """Several networks; the mean of their scores."""

    def __init__(self, members: list[VoiceNetwork]):
        super().__init__()
        self.members = nn.ModuleList(members)

    def forward(self, bands: Tensor) -> Tensor:
        return torch.stack([member(bands) for member in self.members]).mean(0)

    def write(self, path: Path, *, half: bool = True) -> Path:
        """Write them all as one ONNX file."""
        graph = Graph("voice", source=("bands", ["n", 1, BANDS, "frames"]), half=half)
        scores = [member.written(graph, "bands") for member in self.members]
        mean = graph.add("Mean", *scores)
        return graph.save(path, mean, width=self.members[0].head.out_features)


def _centred(bands: Tensor) -> Tensor:
    """Twice the bands: against the mean of the whole, which keeps the colour of the voice, and each against its own mean,
    which keeps what changes and leaves the speaker and the microphone out."""
    own = bands.mean(3, keepdim=True)
    return torch.cat([bands - own.mean(2, keepdim=True), bands - own], 1) / SPREAD


def _written_centred(graph: Graph, x: str) -> str:
    own = graph.mean(x, 3)
    both = graph.add("Concat", graph.add("Sub", x, graph.mean(own, 2)), graph.add("Sub", x, own), axis=1)
    return graph.add("Div", both, graph.weight(numbers(torch.tensor(SPREAD))))


def _total(graph: Graph, x: str) -> str:
    return graph.add("ReduceSum", x, graph.whole(3), keepdims=1)
