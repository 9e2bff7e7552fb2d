"""The network that reads an expression: a small residual one, made for grey faces of 48 by 48.

It takes pictures as `light.equalised` gives them, and brings each to its own mean and spread.
"""

from itertools import pairwise
from pathlib import Path

import torch
from torch import Tensor, nn

from heartfelt.tuning.senses.graph import TrainedGraph
from heartfelt.tuning.senses.parts import Convolution, Residual, numbers
from heartfelt.tuning.senses.pictures import SIDE

FLAT = 4.0
"""Grey values that are added to the spread of a picture: an even one does not become noise."""
HALVED = (2, 2)


class FaceNetwork(nn.Module):
    """(n, 1, 48, 48) grey values from 0 to 255 → (n, classes) scores before the softmax.

    `blocks` are as many as stand at half, a quarter and an eighth of the size, each twice as wide as the one before.
    """

    def __init__(
        self,
        classes: int,
        *,
        width: int = 48,
        blocks: tuple[int, int, int] = (1, 2, 2),
        dropout: float = 0.3,
        skipped: float = 0.05,
    ):
        super().__init__()
        self.stem = Convolution(1, width * 2 // 3)
        self.down = Convolution(width * 2 // 3, width, stride=HALVED)
        widths = [width] * blocks[0] + [2 * width] * blocks[1] + [4 * width] * blocks[2]
        self.blocks = nn.ModuleList(
            Residual(inward, outward, stride=HALVED if outward > inward else (1, 1), skipped=skipped if number else 0.0)
            for number, (inward, outward) in enumerate(pairwise([width, *widths]))
        )
        self.dropout, self.head = nn.Dropout(dropout), nn.Linear(4 * width, classes)

    def forward(self, pictures: Tensor) -> Tensor:
        x = self.down(self.stem(evened(pictures)).relu()).relu()
        for block in self.blocks:
            x = block(x)
        return self.head(self.dropout(x.mean((2, 3))))

    def both_ways(self, pictures: Tensor) -> Tensor:
        """The mean of the scores of each picture and of its mirror image: what the file says."""
        return (self(pictures) + self(pictures.flip(3))) / 2

    def write(self, path: Path, *, half: bool = True) -> Path:
        """Write the network as an ONNX file that looks at each picture both ways."""
        graph = TrainedGraph("face", source=("pictures", ["n", 1, SIDE, SIDE]), half=half)
        x = graph.add("Relu", self.stem.write(graph, _and_mirrored(graph, _evened(graph, "pictures"))))
        x = graph.add("Relu", self.down.write(graph, x))
        for block in self.blocks:
            x = block.write(graph, x)
        pairs = graph.add("Reshape", graph.mean(x, 2, 3), graph.whole(2, -1, self.head.in_features))
        one = graph.add("ReduceMean", pairs, axes=[0], keepdims=0)  # the head is linear: a mean before it is one after it
        scores = graph.linear(one, numbers(self.head.weight), numbers(self.head.bias))
        return graph.save(path, scores, width=self.head.out_features)


def evened(pictures: Tensor) -> Tensor:
    centred = pictures - pictures.mean((1, 2, 3), keepdim=True)
    return centred / ((centred**2).mean((1, 2, 3), keepdim=True).sqrt() + FLAT)


def _and_mirrored(graph: TrainedGraph, x: str) -> str:
    """All pictures, and then all their mirror images."""
    ends = (graph.whole(value) for value in (-1, -SIDE - 1, 3, -1))  # from the last column to before the first, in axis 3
    return graph.add("Concat", x, graph.add("Slice", x, *ends), axis=0)


def _evened(graph: TrainedGraph, x: str) -> str:
    centred = graph.add("Sub", x, graph.mean(x, 1, 2, 3))
    spread = graph.add("Sqrt", graph.mean(graph.add("Mul", centred, centred), 1, 2, 3))
    return graph.add("Div", centred, graph.add("Add", spread, graph.weight(numbers(torch.tensor(FLAT)))))
