"""How many live sockets each caller has open, on whichever worker."""

import asyncio
import secrets
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from logging import Logger

from heartfelt.errors import HeartfeltError
from heartfelt.server.archive import Archive

_LEASE, _RENEWED = 10.0, 2.0
"""Seconds that the sockets of a worker count after it was last heard of, and how often a living one says that it is there."""


class LiveSockets:
    """Counted in the database where several workers share one, and otherwise here."""

    def __init__(self, archive: Archive, worker: str, most: int):
        self._archive, self._worker, self._most = archive, worker, most
        self._here: Counter[str] = Counter()

    @asynccontextmanager
    async def one_more(self, owner: str) -> AsyncGenerator[bool, None]:
        """Whether the owner may have it; while they do, it counts."""
        kept, socket = self._archive.kept, secrets.token_hex(16)
        if not kept.address:
            may = self._here[owner] < self._most
        else:
            may = await self._archive.run(kept.open_socket, socket, owner, self._worker, seconds=_LEASE, most=self._most)
        self._here[owner] += may
        try:
            yield may
        finally:
            self._here[owner] -= may
            if not self._here[owner]:
                del self._here[owner]
            if may and kept.address:
                with suppress(HeartfeltError):  # then its lease runs out
                    await asyncio.shield(self._archive.run(kept.close_socket, socket))

    async def keep(self, log: Logger) -> None:
        """Says all the while that this worker and its sockets are there."""
        while self._archive.kept.address:
            try:
                await self._archive.run(self._archive.kept.renew, self._worker, _LEASE)
            except HeartfeltError as error:  # a database may be back the next time
                log.warning("That this worker is there cannot be told: %s", error)
            await asyncio.sleep(_RENEWED)
