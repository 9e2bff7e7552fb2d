"""Which dialogues count, and how often: the draws that intervals and tests are made of. The same seed gives the same draws."""

from collections.abc import Iterator

import numpy as np

from heartfelt.evaluation.metrics.tallies import Floats, MetricTally
from heartfelt.evaluation.metrics.tokens import Ints

_ROOM = 1 << 21
"""Numbers in one batch of selections, so that many dialogues need no more memory than few."""


def resamples(used: Ints, dialogues: int, times: int, seed: int) -> Iterator[Floats]:
    """Batches of (selections, dialogues): as many dialogues as are used, drawn among them with replacement."""
    random = np.random.default_rng(seed)
    step = max(1, _ROOM // max(1, dialogues))
    for done in range(0, times, step):
        lines, count = min(step, times - done), len(used)
        drawn = random.integers(0, count, (lines, count)) + np.arange(lines)[:, None] * count
        batch = np.zeros((lines, dialogues))
        batch[:, used] = np.bincount(drawn.ravel(), minlength=lines * count).reshape(lines, count)
        yield batch


def swaps(dialogues: int, times: int, seed: int) -> tuple[bool, Iterator[Floats]]:
    """Whether they are all there are, and batches of (selections, dialogues): 1 where two runs change places.

    Few dialogues can change places in few ways: then each way is tried once and the test is exact.
    """
    exact = dialogues <= 40 and 1 << dialogues <= times
    return exact, _every_swap(dialogues) if exact else _random_swaps(dialogues, times, seed)


def _every_swap(dialogues: int) -> Iterator[Floats]:
    step = max(1, _ROOM // max(1, dialogues))
    for start in range(0, 1 << dialogues, step):
        ways = np.arange(start, min(start + step, 1 << dialogues))
        yield (ways[:, None] >> np.arange(dialogues) & 1).astype(np.float64)


def _random_swaps(dialogues: int, times: int, seed: int) -> Iterator[Floats]:
    random = np.random.default_rng(seed)
    step = max(1, _ROOM // max(1, dialogues))
    for done in range(0, times, step):
        yield random.integers(0, 2, (min(step, times - done), dialogues)).astype(np.float64)


def used_dialogues(tally: MetricTally) -> Ints:
    return np.flatnonzero(tally.rows)
