"""Lets so many turns through at once; the others wait, and are told their place and about how long it takes.

Whoever has fewer turns here goes before whoever has more, so that nobody waits for all that another has sent.
"""

import asyncio
import statistics
import time
from collections import deque
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from heartfelt.errors import TurnError

Told = Callable[[int, float], None]
"""Hears the place in the row (1: next) and about how many seconds it takes."""
_UNKNOWN = 6.0
"""Seconds that a turn is taken to last before one was seen."""


class Busy(TurnError):
    """Too many wait already."""

    def __init__(self, waiting: int, seconds: float):
        super().__init__(f"{waiting} others wait to be answered. Try again in about {max(seconds, 1):.0f} seconds.")
        self.seconds = seconds


@dataclass(eq=False)
class _Ticket:
    told: Told
    who: str
    round: int
    """How many of the same caller are before it."""
    let_in: asyncio.Event = field(default_factory=asyncio.Event)


class AdmissionQueue:
    def __init__(self, at_once: int, most: int):
        self._at_once, self._most = at_once, most
        self._of_one = at_once - at_once // 4
        """Of one caller: a quarter of the places is for others."""
        self._inside: dict[_Ticket, float] = {}
        self._row: deque[_Ticket] = deque()
        self._lasted: deque[float] = deque(maxlen=20)
        self._spare: set[asyncio.Task[Any]] = set()
        self._free = asyncio.Event()
        self._free.set()

    @property
    def inside(self) -> int:
        return len(self._inside)

    @property
    def waiting(self) -> int:
        return len(self._row)

    @asynccontextmanager
    async def passed(self, told: Told, *, who: str = "") -> AsyncGenerator[float, None]:
        """Inside it is one's turn; yields the seconds that were waited. Whoever gives up is forgotten. `who`: whose it is."""
        began, ticket = time.monotonic(), _Ticket(told, who, self._of(who))
        self.call_off_spare()
        self.refuse_if_full(who)
        self._insert(ticket)
        self._admit()
        try:
            if not ticket.let_in.is_set():
                self._tell()
            await ticket.let_in.wait()
            yield time.monotonic() - began
        finally:
            self._leave(ticket)

    def refuse_if_full(self, who: str = "") -> None:
        """One caller never takes all places of the row."""
        own = sum(ticket.who == who for ticket in self._row) if who else 0
        if (self.inside >= self._at_once and self.waiting >= self._most) or own > self._most // 2:
            raise Busy(self.waiting, self.expected(self.waiting + 1))

    def expected(self, place: int) -> float:
        """Seconds until the one at this place is let in, from how long turns took lately."""
        typical = statistics.median(self._lasted) if self._lasted else _UNKNOWN
        now = time.monotonic()
        left = sorted(max(typical - (now - began), 0.3) for began in self._inside.values()) or [0.0]
        rounds, which = divmod(place - 1, self._at_once)
        return left[min(which, len(left) - 1)] + rounds * typical

    def spare(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Work that is done while nobody is answered, and called off as soon as somebody wants to be."""
        task = asyncio.create_task(self._when_free(work))
        self._spare.add(task)
        task.add_done_callback(self._spare.discard)
        task.add_done_callback(lambda _task: work.close())  # it may have been called off before it began
        return task

    def close(self) -> None:
        self.call_off_spare()

    async def _when_free(self, work: Coroutine[Any, Any, None]) -> None:
        await self._free.wait()
        with suppress(asyncio.CancelledError):
            await work

    def call_off_spare(self) -> None:
        for task in tuple(self._spare):
            task.cancel()

    def _admit(self) -> None:
        while self.inside < self._at_once and (ticket := self._next()) is not None:
            self._row.remove(ticket)
            self._inside[ticket] = time.monotonic()
            ticket.let_in.set()
        if self._inside:
            self._free.clear()
        else:
            self._free.set()

    def _insert(self, ticket: _Ticket) -> None:
        """Before those of whom more are here already, after all others."""
        places = [place for place, other in enumerate(self._row) if other.round > ticket.round]
        self._row.insert(places[0] if places else len(self._row), ticket)

    def _next(self) -> _Ticket | None:
        return next((ticket for ticket in self._row if not ticket.who or self._of_inside(ticket.who) < self._of_one), None)

    def _of(self, who: str) -> int:
        return self._of_inside(who) + sum(ticket.who == who for ticket in self._row)

    def _of_inside(self, who: str) -> int:
        return sum(ticket.who == who for ticket in self._inside)

    def _leave(self, ticket: _Ticket) -> None:
        if ticket in self._inside:
            self._lasted.append(time.monotonic() - self._inside.pop(ticket))
        else:
            self._row.remove(ticket)
        self._admit()
        self._tell()

    def _tell(self) -> None:
        for place, ticket in enumerate(self._row, 1):
            ticket.told(place, round(self.expected(place), 1))
