"""What a turn may cost: calls, tokens, milliseconds. Nothing given, nothing limited."""

import time

from heartfelt.records import Record


class Budget(Record):
    calls: int | None = None
    tokens: int | None = None
    """Prompt tokens that had to be read, and tokens written. Cached ones are free."""
    ms: float | None = None
    """Looked at between calls: a call that runs is not cut short."""


class Meter:
    """Counts what a turn has cost so far."""

    def __init__(self, budget: Budget):
        self._budget = budget
        self._started = time.perf_counter()
        self.calls = self.tokens = 0

    @property
    def ms(self) -> float:
        return (time.perf_counter() - self._started) * 1000

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
