"""What a turn may cost: calls, tokens, milliseconds. Nothing given, nothing limited."""

import time

from heartfelt.records import Record


class Budget(Record):
    calls: int | None = None
    tokens: int | None = None
    """Prompt tokens that had to be read, and tokens written. Cached ones are free."""
    ms: float | None = None
    """Looked at between calls: a call that runs is not cut short."""


PATIENCE = 15_000.0
"""Milliseconds that somebody who talks with the embedded model is made to wait at most, before what there is must do."""


def patient(model: str) -> Budget:
    """For a talk: the embedded model answers in time with what it has; any other takes the time that its owner gave it."""
    return Budget(ms=PATIENCE if model.partition(":")[0] == "embedded" else None)


class Meter:
    """Counts what a turn has cost so far."""

    def __init__(self, budget: Budget):
        self._budget = budget
        self._started = time.perf_counter()
        self.calls = self.tokens = 0

    @property
    def ms(self) -> float:
        return (time.perf_counter() - self._started) * 1000

    @property
    def left(self) -> float | None:
        """Seconds until the time is up; none where there is no limit."""
        return None if self._budget.ms is None else max(0.0, (self._budget.ms - self.ms) / 1000)

    def count(self, *, tokens: int) -> None:
        self.calls += 1
        self.tokens += tokens

    def allows(self, *, calls: int = 1) -> bool:
        """Whether another `calls` calls fit. The reply itself is always made: a turn without an answer helps nobody."""
        budget = self._budget
        return not (
            (budget.calls is not None and self.calls + calls > budget.calls)
            or (budget.tokens is not None and self.tokens >= budget.tokens)
            or (budget.ms is not None and self.ms >= budget.ms)
        )
