"""Where sessions are: those that are kept in the database, the others in memory. The store works in threads."""

import asyncio
from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

from heartfelt.server.store import SessionStore
from heartfelt.server.wire import SessionLine, SessionRequest, SessionView

Given = ParamSpec("Given")
Result = TypeVar("Result")
MEMORY = "sqlite://"


class Archive:
    """Every call of a store, made in a thread, on whichever store holds the session."""

    def __init__(self, url: str):
        self.kept, self._fleeting = SessionStore.open(url), SessionStore.open(MEMORY)
        self._in_memory: set[str] = set()

    async def create(self, owner: str, wish: SessionRequest, chosen: dict[str, str]) -> SessionView:
        store = self.kept if wish.kept else self._fleeting
        made = await asyncio.to_thread(lambda: store.create(owner, **chosen, pace=wish.pace, title=wish.title, kept=wish.kept))
        if not wish.kept:
            self._in_memory.add(made.id)
        return made

    async def list(self, owner: str) -> tuple[SessionLine, ...]:
        both = await asyncio.to_thread(lambda: (*self._fleeting.list(owner), *self.kept.list(owner)))
        return tuple(sorted(both, key=lambda line: line.touched, reverse=True))

    async def call(
        self,
        what: Callable[Concatenate[SessionStore, str, Given], Result],
        session: str,
        *given: Given.args,
        **named: Given.kwargs,
    ) -> Result:
        """Such as `await archive.call(Store.session, id, owner)`."""
        store = self._fleeting if session in self._in_memory else self.kept
        return await asyncio.to_thread(what, store, session, *given, **named)

    async def keep(self, session: str, owner: str) -> None:
        """From memory into the database. Calls from now on go there."""
        if session not in self._in_memory:
            return
        exported = await self.call(SessionStore.export, session, owner)
        await asyncio.to_thread(self.kept.restore, exported)
        self._in_memory.discard(session)
        await asyncio.to_thread(self._fleeting.delete, session, owner)

    async def delete(self, session: str, owner: str) -> None:
        await self.call(SessionStore.delete, session, owner)
        self._in_memory.discard(session)

    def close(self) -> None:
        self.kept.close()
        self._fleeting.close()
