"""MediaPipe's own three operators in plain ONNX: find a level crop around some points, cut it out, put its points back.

They let the face mesh look a second time, more closely, at the lips and at each eye.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from heartfelt.senses.face.graph import GraphBuilder

_SIDE = 16
# A crop is this much larger than the points that it is made for.
_MARGIN = 1.5


def crop_matrix(graph: "GraphBuilder", landmarks: str, points: Sequence[int], level: tuple[int, int]) -> str:
    """The 4 × 4 matrix from a pixel of the crop to the picture: centre · turn · scale · minus half a crop."""
    flat = _columns(graph, landmarks, (0, 1))
    left, right = (graph.add("Gather", flat, graph.constant(np.array([row], np.int64)), axis=1) for row in level)
    along = graph.add("Sub", right, left)
    length = graph.add("ReduceL2", along, graph.constant(np.array([2], np.int64)), keepdims=1)
    # The unit vector along the level line and the one across it are the columns of the turn.
    along = graph.add("Reshape", graph.add("Div", along, length), graph.constant(np.array([1, 2], np.int64)))
    across = graph.add("Mul", _columns(graph, along, (1, 0)), graph.numbers(-1, 1))
    turn = graph.add("Transpose", graph.add("Concat", along, across, axis=0), perm=[1, 0])
    subset = graph.add("Gather", flat, graph.constant(np.array(points, np.int64)), axis=1)
    upright = graph.add("MatMul", subset, turn)
    axis = graph.constant(np.array([1], np.int64))
    high, low = graph.add("ReduceMax", upright, axis, keepdims=0), graph.add("ReduceMin", upright, axis, keepdims=0)
    middle = graph.add("Mul", graph.add("Add", high, low), graph.numbers(0.5))
    scale = graph.add("Mul", graph.add("Sub", high, low), graph.numbers(_MARGIN / _SIDE))
    corner = graph.add("Sub", middle, graph.add("Mul", scale, graph.numbers(_SIDE / 2)))
    shift = graph.add("MatMul", turn, graph.add("Transpose", corner, perm=[1, 0]))
    scaled = graph.add("Mul", turn, scale)
    upper = graph.add("Concat", scaled, graph.constant(np.zeros((2, 1), np.float32)), shift, axis=1)
    lower = graph.constant(np.eye(4, dtype=np.float32)[2:])
    return graph.add("Unsqueeze", graph.add("Concat", upper, lower, axis=0), graph.constant(np.array([0], np.int64)))


def cropped(graph: "GraphBuilder", picture: str, matrix: str, side: int) -> str:
    """A crop of 16 × 16, sampled at the centres of its pixels."""
    rows, columns = np.mgrid[:_SIDE, :_SIDE].astype(np.float32) + 0.5
    pixels = np.stack([columns, rows, np.zeros_like(rows), np.ones_like(rows)], axis=-1).reshape(1, -1, 4)
    where = _transformed(graph, graph.constant(pixels), matrix)
    # From pixels of the picture to GridSample's -1 … 1 between the centres of the outermost pixels.
    grid = graph.add("Mul", graph.add("Sub", where, graph.numbers(0.5)), graph.numbers(2 / (side - 1)))
    grid = graph.add("Sub", grid, graph.numbers(1))
    grid = graph.add("Reshape", grid, graph.constant(np.array([1, _SIDE, _SIDE, 2], np.int64)))
    return graph.add("GridSample", picture, grid, align_corners=1, mode="linear", padding_mode="zeros")


def placed(graph: "GraphBuilder", points: str, matrix: str) -> str:
    """Points of a crop, where they are in the picture."""
    count = graph.add("Shape", points)
    one = graph.add("Gather", count, graph.constant(np.array([0, 1], np.int64)))
    tail = graph.add("Concat", one, graph.constant(np.array([2], np.int64)), axis=0)
    rest = graph.add("Expand", graph.constant(np.array([[[0, 1]]], np.float32)), tail)
    return _transformed(graph, graph.add("Concat", points, rest, axis=2), matrix)


def _transformed(graph: "GraphBuilder", points: str, matrix: str) -> str:
    turned = graph.add("MatMul", points, graph.add("Transpose", matrix, perm=[0, 2, 1]))
    return _columns(graph, turned, (0, 1))


def _columns(graph: "GraphBuilder", tensor: str, columns: tuple[int, int]) -> str:
    return graph.add("Gather", tensor, graph.constant(np.array(columns, np.int64)), axis=-1)
