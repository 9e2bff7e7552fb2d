"""How the teachers read a turn, found again by the question that they were asked.

The forecast comes after the cues, and the cues say how someone read them. If training wrote the true emotion there, the
forecast would learn to copy it, and be sure of it where the reading is wrong. So the cues are read as the teachers read them:
from the words alone, and as often wrong as the model itself will be.
"""

from collections.abc import Callable, Sequence
from hashlib import sha1
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from heartfelt.labels import label_set
from heartfelt.tuning.batches import Examples, TeacherShares

SURER = 1.5
"""The power to which shares are raised before one is drawn: a step that reads cues takes the likeliest."""


class TeacherReadings:
    def __init__(self, examples: Examples, shares: TeacherShares):
        self._share, self._task_of, self._options = shares.share, examples.task[shares.example], examples.options
        names = [examples.tasks[task] for task in examples.task[shares.example]]
        self._rows = {
            _key(name, examples.tokens[examples.offsets[at] : examples.first[at]].tolist()): row
            for row, (name, at) in enumerate(zip(names, shares.example, strict=True))
        }
        options = dict(zip(examples.tasks, examples.options, strict=True)).get("recognise_ed32", [])
        self._firsts = [int(token) for token in options]
        self._labels: dict[int, list[str]] = {}

    @classmethod
    def load(cls, examples: Path, shares: Path) -> "TeacherReadings":
        return cls(Examples.load(examples), TeacherShares.load(shares))

    def row(self, task: str, asked: Sequence[int]) -> int:
        """The row of `share` for a question; -1 where no teacher was asked it."""
        return self._rows.get(_key(task, asked), -1)

    def shares(self, examples: Examples, rows: NDArray[np.int64]) -> TeacherShares:
        """What the teachers say of other examples, by their rows (-1: nothing), over the options of those."""
        chosen = np.flatnonzero(rows >= 0)
        share = np.zeros((len(chosen), examples.option_table[0].shape[1]), np.float16)
        asked, told = self._task_of[rows[chosen]], examples.task[chosen]
        for before, now in {(int(a), int(b)) for a, b in zip(asked, told, strict=True)}:
            of_pair = np.flatnonzero((asked == before) & (told == now))
            _, old, new = np.intersect1d(self._options[before], examples.options[now], return_indices=True)
            share[of_pair[:, None], new] = self._share[rows[chosen[of_pair]][:, None], old]
        total = share.sum(1, dtype=np.float32, keepdims=True)
        kept = total[:, 0] > 0  # in few examples a label may be missing that the teachers held likely
        return TeacherShares(chosen[kept], (share[kept] / total[kept]).astype(np.float16))

    def drawn(self, row: int, random: Random, tokens: Callable[[str], list[int]]) -> str:
        """An emotion as a teacher might read it."""
        if not self._labels:
            for label in label_set("ed32").labels:
                self._labels.setdefault(tokens(f'{label}"')[0], []).append(label)
        weights = self._share[row, : len(self._firsts)].astype(np.float64) ** SURER
        return random.choice(self._labels[random.choices(self._firsts, weights.tolist())[0]])


def _key(task: str, asked: Sequence[int]) -> bytes:
    return sha1(task.encode() + np.array(asked, np.uint16).tobytes(), usedforsecurity=False).digest()
