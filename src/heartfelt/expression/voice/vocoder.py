"""The second half of Kokoro: sound from features, of a whole sentence at once or piece by piece.

The network normalises by means and variances over all that it is given. A piece is made with those that are usual for the
voice instead, so that every piece of a sentence sounds like the others; and with a little more on either side than is kept.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.voice.kokoro_graph import BLEND, FEATURES, GIVEN, OWN, SOURCE, STYLE, WAVEFORM
from heartfelt.expression.voice.spoken import RATE, Samples

COLUMN = RATE // 80
"""Samples that one column of the features becomes: 12.5 ms."""
_HOPS = 60
"""Columns of the source for each of them."""
_CONTEXT = 8
"""Columns on either side that the sound of a piece depends on. With 4 two pieces differ where they meet, with 12 no less."""
_FADE = 240
"""Samples in which a piece becomes the next."""


@dataclass(frozen=True)
class Features:
    """Of one sentence."""

    columns: Samples
    source: Samples
    style: Samples
    durations: NDArray[np.int64]

    @property
    def length(self) -> int:
        return self.columns.shape[2]

    def inputs(self, start: int, end: int) -> dict[str, Samples]:
        source = self.source[:, :, start * _HOPS : end * _HOPS + 1]
        return {FEATURES: self.columns[:, :, start:end], SOURCE: source, STYLE: self.style}


@dataclass(frozen=True)
class UsualNorms:
    """The means and variances that are usual when a voice speaks, and what makes it as loud with them as with its own."""

    values: Samples
    gain: float = 1.0

    @classmethod
    def read(cls, file: Path) -> "UsualNorms":
        with file.open("rb") as opened, np.load(opened, allow_pickle=False) as kept:
            return cls(kept["values"], float(kept["gain"]))

    def write(self, file: Path) -> None:
        np.savez(file, values=self.values, gain=np.float32(self.gain))


def whole(session: Any, features: Features) -> tuple[Samples, Samples]:
    """All of it, and the means and variances by which it was normalised."""
    width = next(each.shape[1] for each in session.get_inputs() if each.name == GIVEN)
    return _run(session, features.inputs(0, features.length), np.zeros((1, width, 1), np.float32), blend=0.0)


def pieces(
    session: Any,
    features: Features,
    places: Sequence[int],
    usual: UsualNorms,
    finish: Callable[[Samples], Samples] = lambda samples: samples,
) -> Iterator[Samples]:
    """The sound between each place and the next, in samples; at the first and the last of them it is silent.

    `finish` is done to each while it has something on either side.
    """
    after = np.zeros(0, np.float32)
    for start, end in pairwise(places):
        first = max(start // COLUMN - (_CONTEXT if start != places[0] else 0), 0)
        last = min(-(-end // COLUMN) + (_CONTEXT if end != places[-1] else 0), features.length)
        made = finish(piece(session, features, first, last, usual))
        kept = made[start - first * COLUMN : end - first * COLUMN].copy()
        fade = min(len(after), len(kept))
        share = np.linspace(0, 1, fade, dtype=np.float32)
        kept[:fade] = after[:fade] * (1 - share) + kept[:fade] * share
        after = made[end - first * COLUMN :][:_FADE]
        yield kept


def piece(session: Any, features: Features, first: int, last: int, usual: UsualNorms) -> Samples:
    """What some columns become, with nothing on either side."""
    return _run(session, features.inputs(first, last), usual.values, blend=1.0)[0] * np.float32(usual.gain)


def _run(session: Any, inputs: dict[str, Samples], given: Samples, *, blend: float) -> tuple[Samples, Samples]:
    inputs = inputs | {GIVEN: given, BLEND: np.array([blend], np.float32)}
    sound, own = cast(list[Samples], session.run([WAVEFORM, OWN], inputs, gives_back()))
    return sound[0], own


@cache
def gives_back() -> Any:
    """The memory of a stretch goes back to the system after it; a longer one later would not fit into it anyway."""
    from onnxruntime import RunOptions  # pyright: ignore[reportAttributeAccessIssue]

    options = RunOptions()
    options.add_run_config_entry("memory.enable_memory_arena_shrinkage", "cpu:0")
    return options
