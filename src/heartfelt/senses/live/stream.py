"""The events of a session, from the first to the last, for one reader."""

import asyncio
from collections import deque

from heartfelt.senses.live.events import Event


class Stream:
    """Keeps what was not fetched yet. Where nobody fetches, the oldest are let go and counted: memory stays bounded."""

    def __init__(self, most: int = 1000):
        self.missed = 0
        self._most = most
        self._waiting: deque[Event] = deque()
        self._changed = asyncio.Event()
        self._over = False
        self._error: BaseException | None = None

    def put(self, event: Event) -> None:
        if self._over:
            return
        if len(self._waiting) == self._most:
            self._waiting.popleft()
            self.missed += 1
        self._waiting.append(event)
        self._changed.set()

    def end(self, error: BaseException | None = None) -> None:
        """Nothing follows. Whoever reads gets the rest, and then the error, if there is one."""
        if not self._over:
            self._over, self._error = True, error
        self._changed.set()

    async def next(self) -> Event:
        while not self._waiting:
            if self._error is not None:
                raise self._error
            if self._over:
                raise StopAsyncIteration
            self._changed.clear()
            await self._changed.wait()
        return self._waiting.popleft()
