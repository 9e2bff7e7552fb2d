"""Fills the speech cache for the people who answer, while nobody speaks and nobody is answered."""

import asyncio
import time
from collections.abc import Generator, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager

from heartfelt.errors import HeartfeltError
from heartfelt.expression.persona import Persona
from heartfelt.expression.speech_cache import SpeechCache

CALM = 2.0
"""Seconds without a voice and without a turn before anything is made."""
_OVER = object()


class SpeechWarming:
    def __init__(self, cache: SpeechCache | None, mouth: Executor):
        self._cache, self._mouth = cache, mouth
        self._wanted: list[Persona] = []
        """Who answers, the latest last."""
        self._changed = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()
        self._answered, self._stirred = 0, 0.0

    def want(self, persona: Persona) -> None:
        if self._wanted[-1:] != [persona]:
            self._wanted = [*(each for each in self._wanted if each != persona), persona]
            self._changed.set()

    def stir(self) -> None:
        """Somebody speaks just now."""
        self._stirred = time.monotonic()

    @contextmanager
    def paused(self) -> Generator[None, None, None]:
        """Somebody is being answered."""
        self._answered += 1
        self._idle.clear()
        try:
            yield
        finally:
            self._answered -= 1
            self.stir()
            if not self._answered:
                self._idle.set()

    @property
    def missing(self) -> int:
        """Sentences that are still to be made."""
        return 0 if self._cache is None else sum(1 for persona in self._wanted for _ in self._cache.missing(persona))

    async def run(self) -> None:
        """Until it is called off, or until a sentence cannot be kept: then nobody loses more than a second."""
        if self._cache is None:
            return
        while True:
            self._changed.clear()
            for making in self._to_make(self._cache):
                if not await self._made(making):
                    return
                if self._changed.is_set():
                    break
            else:
                await self._changed.wait()

    def _to_make(self, cache: SpeechCache) -> Iterator[Iterator[None]]:
        for persona in reversed(self._wanted):
            yield cache.prepare(persona)
            yield from (cache.make(phrase, persona) for phrase in cache.missing(persona))

    async def _made(self, making: Iterator[None]) -> bool:
        try:
            while await self._next(making):
                pass
        except (HeartfeltError, OSError):
            return False
        return True

    async def _next(self, making: Iterator[None]) -> bool:
        await self._calm()
        work = asyncio.get_running_loop().run_in_executor(self._mouth, lambda: next(making, _OVER))
        return await work is not _OVER

    async def _calm(self) -> None:
        while True:
            await self._idle.wait()
            left = self._stirred + CALM - time.monotonic()
            if left <= 0:
                return
            await asyncio.sleep(left)
