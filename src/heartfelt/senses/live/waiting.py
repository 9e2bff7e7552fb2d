"""Back-pressure. An old frame is worth nothing, so it gives way; sound that is lost is lost, so its giver waits."""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future

from heartfelt.errors import InputError
from heartfelt.senses.live.worker import LiveWorker
from heartfelt.senses.media.pieces import SAMPLE_RATE


class Newest:
    """At most so many jobs wait for the worker; one more, and the oldest of them is called off."""

    def __init__(self, worker: LiveWorker, most: int):
        if most < 1:
            raise InputError(f"A queue of {most} frames holds nothing. Wish for 1 or more.")
        self.dropped = 0
        self._worker = worker
        self._most = most
        self._waiting: deque[Future[None]] = deque()

    def give(self, job: Callable[[], None]) -> None:
        while self._waiting and (self._waiting[0].running() or self._waiting[0].done()):
            self._waiting.popleft()
        if len(self._waiting) == self._most:
            self.dropped += self._waiting.popleft().cancel()
        self._waiting.append(self._worker.do(job))

    def seal(self) -> None:
        """What waits now will be done: the turn ends with it."""
        self._waiting.clear()


class Backlog:
    """Sound that was given and is not heard yet. Whoever brings more while there is too much waits until there is less."""

    def __init__(self, worker: LiveWorker, most: float):
        if not most > 0:
            raise InputError(f"A backlog of {most} s would hold every chunk back. Wish for more than 0 seconds.")
        self.most = most
        self.held_back = 0
        self.held_seconds = 0.0
        self._worker = worker
        self._samples = 0
        self._changed = asyncio.Event()

    @property
    def seconds(self) -> float:
        return self._samples / SAMPLE_RATE

    def give(self, job: Callable[[], None], samples: int) -> None:
        self._samples += samples
        self._worker.do(job, done=lambda: self._heard(samples))

    async def room(self) -> None:
        """Returns once no more than `most` seconds wait."""
        if self.seconds <= self.most:
            return
        self.held_back += 1
        began = time.monotonic()
        try:
            while self.seconds > self.most:
                self._changed.clear()
                await self._changed.wait()
        finally:
            self.held_seconds += time.monotonic() - began

    def _heard(self, samples: int) -> None:
        self._samples -= samples
        self._changed.set()
