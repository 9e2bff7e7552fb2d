"""Examples packed into rows of one length, so that every step of the training has the same shape."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

CHOOSING = ("recognise", "forecast")
"""What the names of the tasks begin with whose answer is one choice from a label set."""
HIDING = ("ed32", "situation")
"""What the names of the tasks end with in which words may be hidden. In a one-line remark the hidden word is the feeling."""


@dataclass(frozen=True)
class Examples:
    """All examples end to end: tokens, which of them the model decides, where each example begins, its task and its talk."""

    tokens: NDArray[np.uint16]
    decided: NDArray[np.uint8]
    offsets: NDArray[np.int64]
    task: NDArray[np.uint8]
    talk: NDArray[np.uint32]
    tasks: tuple[str, ...]

    @classmethod
    def load(cls, path: Path) -> "Examples":
        with np.load(path, allow_pickle=False) as data:
            names = tuple(str(name) for name in data["tasks"])
            return cls(data["tokens"], data["mask"], data["offsets"], data["task"], data["talk"], names)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> NDArray[np.int64]:
        return np.diff(self.offsets)

    @cached_property
    def first(self) -> NDArray[np.int64]:
        """Where in all tokens the first decided one of each example stands."""
        places = np.flatnonzero(self.decided)
        return places[np.searchsorted(places, self.offsets[:-1])]

    @cached_property
    def chooses(self) -> NDArray[np.bool_]:
        """Which examples choose one label."""
        return np.array([name.startswith(CHOOSING) for name in self.tasks])[self.task]

    @cached_property
    def options(self) -> list[NDArray[np.uint16]]:
        """By task: the tokens with which its labels begin, empty where no label is chosen."""
        firsts = self.tokens[self.first]
        found = [np.unique(firsts[(self.task == place) & self.chooses]) for place in range(len(self.tasks))]
        return [tokens.astype(np.uint16) for tokens in found]

    @cached_property
    def option_table(self) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """`options` as (tasks, the most options), and which of the places are filled."""
        table = np.zeros((len(self.tasks), max(len(tokens) for tokens in self.options)), np.int64)
        filled = np.zeros(table.shape, np.bool_)
        for task, tokens in enumerate(self.options):
            table[task, : len(tokens)], filled[task, : len(tokens)] = tokens, True
        return table, filled


@dataclass(frozen=True)
class TeacherShares:
    """How likely the teachers hold each label to be: a row for an example, over the first tokens of its task's labels."""

    example: NDArray[np.int64]
    share: NDArray[np.float16]
    """(examples, the most options), 0 past a task's own."""

    @classmethod
    def load(cls, path: Path) -> "TeacherShares":
        with np.load(path, allow_pickle=False) as data:
            return cls(data["example"], data["share"])

    def save(self, path: Path) -> None:
        np.savez_compressed(path, allow_pickle=False, example=self.example, share=self.share)


@dataclass(frozen=True)
class ExampleBatch:
    tokens: NDArray[np.int64]
    """(rows, length), as all of them."""
    positions: NDArray[np.int64]
    example: NDArray[np.int64]
    """Which example of its row a token belongs to; tokens see only their own example."""
    weight: NDArray[np.float32]
    """How much the next token after each one counts; 0 where the model does not decide it."""
    chooses: NDArray[np.int64]
    """Which example, of all, begins to choose its label after this token; -1 elsewhere."""
    asks: NDArray[np.bool_]
    """What stands before the choice of a label, where words of it may be hidden."""


def batches(
    examples: Examples,
    *,
    rows: int,
    length: int,
    seed: int,
    weights: dict[str, float] | None = None,
    share: dict[str, float] | None = None,
    taken: NDArray[np.bool_] | None = None,
) -> Iterator[ExampleBatch]:
    """One epoch in random order. An example counts the same whatever its answer's length, up to a square root."""
    random = np.random.default_rng(seed)
    order = random.permutation(len(examples))
    if taken is not None:
        order = order[taken[order]]
    if share:
        kept = np.array([share.get(name, 1.0) for name in examples.tasks])[examples.task[order]]
        order = order[random.random(len(order)) < kept]
    for batch in in_order(examples, order, rows=rows, length=length, weights=weights or {}):
        if len(batch.tokens) == rows:
            yield batch


def in_order(
    examples: Examples, order: NDArray[np.int64], *, rows: int, length: int, weights: dict[str, float] | None = None
) -> Iterator[ExampleBatch]:
    """Batches of these examples; the last one may have fewer rows."""
    packed: list[list[int]] = []
    for row in _packed(order, examples.lengths, length):
        packed.append(row)
        if len(packed) == rows:
            yield _batch(examples, packed, length, weights or {})
            packed = []
    if packed:
        yield _batch(examples, packed, length, weights or {})


def cut(flat: NDArray[np.uint16], offsets: NDArray[np.int64]) -> list[list[int]]:
    """Lists that were stored end to end."""
    return [flat[a:b].astype(int).tolist() for a, b in pairwise(offsets)]


def _packed(order: NDArray[np.int64], lengths: NDArray[np.int64], length: int) -> Iterator[list[int]]:
    """Rows of examples that fit, filled from a small window so that little room is wasted."""
    open_rows: list[tuple[int, list[int]]] = []
    for index in order:
        size = int(lengths[index])
        if size > length:
            continue
        fits = [i for i, (room, _) in enumerate(open_rows) if room >= size]
        best = min(fits, key=lambda i: open_rows[i][0]) if fits else None
        if best is None:
            if len(open_rows) >= 32:
                fullest = min(range(len(open_rows)), key=lambda i: open_rows[i][0])
                yield open_rows.pop(fullest)[1]
            open_rows.append((length - size, [int(index)]))
        else:
            room, row = open_rows[best]
            open_rows[best] = (room - size, [*row, int(index)])
    yield from (row for _, row in open_rows)


def _batch(examples: Examples, packed: list[list[int]], length: int, weights: dict[str, float]) -> ExampleBatch:
    shape = (len(packed), length)
    tokens, positions = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    example, weight = np.full(shape, -1, np.int64), np.zeros(shape, np.float32)
    chooses, asks = np.full(shape, -1, np.int64), np.zeros(shape, np.bool_)
    hiding = [name.endswith(HIDING) for name in examples.tasks]
    by_task = np.array([weights.get(name, 1.0) for name in examples.tasks], np.float32)
    for r, row in enumerate(packed):
        at = 0
        for number, index in enumerate(row):
            start, end = examples.offsets[index], examples.offsets[index + 1]
            size = int(end - start)
            decided = examples.decided[start:end].astype(np.float32)
            tokens[r, at : at + size] = examples.tokens[start:end]
            positions[r, at : at + size] = np.arange(size)
            example[r, at : at + size] = number
            # the token before a decided one is the one that predicts it
            weight[r, at : at + size - 1] = decided[1:] * by_task[examples.task[index]] / max(1.0, decided.sum()) ** 0.5
            if examples.chooses[index]:
                place = at + int(examples.first[index] - start) - 1
                chooses[r, place] = index
                asks[r, at:place] = hiding[examples.task[index]]
            at += size
    return ExampleBatch(tokens, positions, example, weight, chooses, asks)
