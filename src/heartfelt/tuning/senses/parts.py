"""The parts that both networks are built of. Each can run, and can write itself into an ONNX graph."""

import torch
from torch import Tensor, nn

from heartfelt.tuning.senses.graph import TrainedGraph, Weights


class Convolution(nn.Module):
    """A convolution with its normalisation, which is folded into the weights when it is written down."""

    def __init__(self, inward: int, outward: int, kernel: int = 3, stride: tuple[int, int] = (1, 1)):
        super().__init__()
        self.stride, self.padding = stride, (kernel // 2, kernel // 2)
        self.kernel = nn.Conv2d(inward, outward, kernel, stride=stride, padding=kernel // 2, bias=False)
        self.norm = nn.BatchNorm2d(outward)

    def forward(self, x: Tensor) -> Tensor:
        return self.norm(self.kernel(x))

    def write(self, graph: TrainedGraph, x: str) -> str:
        scale = self.norm.weight / (self.norm.running_var + self.norm.eps).sqrt()
        bias = self.norm.bias - self.norm.running_mean * scale
        weight = self.kernel.weight * scale[:, None, None, None]
        return graph.convolution(x, numbers(weight), numbers(bias), stride=self.stride, padding=self.padding)


class SqueezeExcitation(nn.Module):
    """Squeeze and excitation (Hu et al., 2018): the whole picture decides how much each channel counts."""

    def __init__(self, width: int, narrow: int):
        super().__init__()
        self.down, self.up = nn.Linear(width, narrow), nn.Linear(narrow, width)

    def forward(self, x: Tensor) -> Tensor:
        return x * self.up(self.down(x.mean((2, 3))).relu()).sigmoid()[:, :, None, None]

    def write(self, graph: TrainedGraph, x: str) -> str:
        down = graph.convolution(graph.mean(x, 2, 3), *_pointwise(self.down), padding=(0, 0))
        up = graph.convolution(graph.add("Relu", down), *_pointwise(self.up), padding=(0, 0))
        return graph.add("Mul", x, graph.add("Sigmoid", up))


class Residual(nn.Module):
    """Two convolutions and a gate beside the way straight through. In training, the way around is left out now and then."""

    def __init__(self, inward: int, outward: int, *, stride: tuple[int, int] = (1, 1), skipped: float = 0.0):
        super().__init__()
        self.skipped = skipped
        self.first = Convolution(inward, outward, 3, stride)
        self.second = Convolution(outward, outward)
        self.gate = SqueezeExcitation(outward, max(8, outward // 8))
        self.through = Convolution(inward, outward, 1) if inward != outward or stride != (1, 1) else None
        self.halved = stride
        nn.init.zeros_(self.second.norm.weight)  # a new block changes nothing: deep networks then learn from the first step

    def forward(self, x: Tensor) -> Tensor:
        around = self.gate(self.second(self.first(x).relu()))
        if self.training and self.skipped:
            kept = torch.rand(len(x), 1, 1, 1, device=x.device, dtype=x.dtype) >= self.skipped
            around = around * kept / (1 - self.skipped)
        if self.through is not None:
            x = self.through(nn.functional.avg_pool2d(x, self.halved) if self.halved != (1, 1) else x)
        return (x + around).relu()

    def write(self, graph: TrainedGraph, x: str) -> str:
        around = self.gate.write(graph, self.second.write(graph, graph.add("Relu", self.first.write(graph, x))))
        if self.through is not None:
            if self.halved != (1, 1):
                x = graph.add("AveragePool", x, kernel_shape=list(self.halved), strides=list(self.halved))
            x = self.through.write(graph, x)
        return graph.add("Relu", graph.add("Add", x, around))


def numbers(value: Tensor) -> Weights:
    return value.detach().float().cpu().numpy()


def _pointwise(layer: nn.Linear) -> tuple[Weights, Weights]:
    return numbers(layer.weight)[:, :, None, None], numbers(layer.bias)
