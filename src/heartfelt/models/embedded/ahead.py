"""A text that is written before anybody has asked for it: who asks then gets what there is, and the rest as it comes."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator

from heartfelt.models.seam import Completion, Request


class WrittenAhead:
    def __init__(self, request: Request, pieces: AsyncGenerator[str | Completion, None]):
        self._request = request
        self._written: list[str | Completion] = []
        self._more = asyncio.Event()
        self._work = asyncio.create_task(self._write(pieces))
        self._work.add_done_callback(lambda work: work.cancelled() or work.exception())  # who asks for it hears of it

    def fits(self, request: Request) -> bool:
        """Whether it is what is asked for, however much time is left."""
        return _timeless(request) == _timeless(self._request) and not self._work.cancelled()

    @property
    def whole(self) -> bool:
        return self._work.done()

    def call_off(self) -> None:
        self._work.cancel()

    async def written(self) -> None:
        """Returns once it is, or was called off."""
        await asyncio.wait([self._work])

    async def pieces(self) -> AsyncIterator[str | Completion]:
        """From the first on. Whoever stops asking calls it off."""
        at = 0
        try:
            while True:
                while at < len(self._written):
                    yield self._written[at]
                    at += 1
                if self._work.done():
                    await self._work  # raises what went wrong
                    return
                self._more.clear()
                await self._more.wait()
        finally:
            self.call_off()

    async def _write(self, pieces: AsyncGenerator[str | Completion, None]) -> None:
        try:
            async for piece in pieces:
                self._written.append(piece)
                self._more.set()
        finally:
            await pieces.aclose()
            asyncio.get_running_loop().call_soon(self._more.set)


def _timeless(request: Request) -> Request:
    return request.model_copy(update={"within": None, "timeout": 0.0})
