"""Where sessions are: those that are kept in the database, the others in memory. The store works in threads."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Concatenate, ParamSpec, TypeVar

from heartfelt.errors import StoreError
from heartfelt.server.store import SessionStore
from heartfelt.server.wire import SessionLine, SessionRequest, SessionView

Given = ParamSpec("Given")
Result = TypeVar("Result")
MEMORY = "sqlite://"
_THREADS = 8


class Archive:
    """Every call of a store, made in a thread, on whichever store holds the session. The threads are for nothing else: whatever
    is slow elsewhere, a session is read and a message kept at once."""

    def __init__(self, url: str):
        self.kept, self._fleeting = SessionStore.open(url), SessionStore.open(MEMORY)
        self._in_memory: set[str] = set()
        self._closed = False
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="heartfelt-store")

    async def create(self, owner: str, wish: SessionRequest, chosen: dict[str, str]) -> SessionView:
        store = self.kept if wish.kept else self._fleeting
        made = await self.run(lambda: store.create(owner, **chosen, pace=wish.pace, title=wish.title, kept=wish.kept))
        if not wish.kept:
            self._in_memory.add(made.id)
        return made

    async def list(self, owner: str) -> tuple[SessionLine, ...]:
        both = await self.run(lambda: (*self._fleeting.list(owner), *self.kept.list(owner)))
        return tuple(sorted(both, key=lambda line: line.touched, reverse=True))

    async def call(
        self,
        what: Callable[Concatenate[SessionStore, str, Given], Result],
        session: str,
        *given: Given.args,
        **named: Given.kwargs,
    ) -> Result:
        """Such as `await archive.call(Store.session, id, owner)`."""
        return await self.run(what, self.of(session), session, *given, **named)

    async def run(self, what: Callable[Given, Result], *given: Given.args, **named: Given.kwargs) -> Result:
        """In one of the store's threads."""
        if self._closed:
            raise StoreError("The server is ending. Try again when it is back; what was kept is there.")
        return await asyncio.get_running_loop().run_in_executor(self._threads, partial(what, *given, **named))

    def of(self, session: str) -> SessionStore:
        """The store that holds it, for work that has a thread already."""
        return self._fleeting if session in self._in_memory else self.kept

    def keeps(self, session: str) -> bool:
        """Whether it is in the database: nothing of another leaves this process."""
        return session not in self._in_memory

    async def keep(self, session: str, owner: str) -> None:
        """From memory into the database. Calls from now on go there."""
        if session not in self._in_memory:
            return
        exported = await self.call(SessionStore.export, session, owner)
        await self.run(self.kept.restore, exported)
        self._in_memory.discard(session)
        await self.run(self._fleeting.delete, session, owner)

    async def delete(self, session: str, owner: str) -> None:
        await self.call(SessionStore.delete, session, owner)
        self._in_memory.discard(session)

    def close(self) -> None:
        self._closed = True
        self._threads.shutdown()
        self.kept.close()
        self._fleeting.close()
