"""How many threads the engine works with, adapted to what the machine leaves it.

The library's threads wait for each other by spinning. When another process takes a core away, the ones that are left spin for
the missing one and everything slows down by a factor of ten and more. One thread less is then much faster than one too many,
so the engine watches how much processor time its threads really got, and gives way. It tries all threads again on small
pieces of work only: a wrong guess on a long one would cost seconds.
"""

import time
from collections.abc import Callable

CROWDED = 0.8
"""The share of the processor time that its threads should have got, below which the engine gives way."""
SHORTEST = 0.002
"""Seconds; shorter pieces of work say nothing."""
SMALL = 16
"""Tokens in a piece of work on which all threads may be tried again."""
FIRST_REST, LONGEST_REST = 0.5, 8.0
"""Seconds until all threads are tried again; doubled each time that they do not get through."""


class ThreadPace:
    def __init__(
        self, most: int, *, wall: Callable[[], float] = time.perf_counter, cpu: Callable[[], float] = time.process_time
    ):
        self._most, self._wall, self._cpu = most, wall, cpu
        self.threads = most
        self._rest, self._until = FIRST_REST, 0.0
        self._started = (0.0, 0.0)

    def begin(self, tokens: int) -> int:
        """The number of threads to read so many tokens with, now."""
        if self.threads < self._most and tokens <= SMALL and self._wall() >= self._until:
            self.threads = self._most
        self._started = (self._wall(), self._cpu())
        return self.threads

    def end(self) -> None:
        """Look back at the piece of work that `begin` opened."""
        wall, cpu = self._wall() - self._started[0], self._cpu() - self._started[1]
        if wall < SHORTEST or self.threads == 1:
            return
        if cpu < CROWDED * wall * self.threads:
            self.threads = max(1, min(self.threads - 1, round(cpu / wall)))
            self._until = self._wall() + self._rest
            self._rest = min(LONGEST_REST, self._rest * 2)
        elif self.threads == self._most:
            self._rest = FIRST_REST
