"""One turn of a session at a time, whoever asks for it; and everybody who is in the session hears of it."""

import asyncio
from collections import defaultdict
from collections.abc import Generator
from contextlib import contextmanager
from weakref import WeakValueDictionary

from heartfelt.server.bus import Bus
from heartfelt.server.store import SessionBusy
from heartfelt.server.turn_observer import Tell
from heartfelt.server.wire import FromServer


class SessionHub:
    def __init__(self) -> None:
        self._occupied: dict[str, asyncio.Event] = {}
        self._present: defaultdict[str, list[Tell]] = defaultdict(list)
        self.bus: Bus | None = None
        """To those who are in the session on another worker."""
        self._order: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def order(self, session: str) -> asyncio.Lock:
        """Whoever stores what was said takes it first: what was said on a line that broke stands before what is said after."""
        return self._order.setdefault(session, asyncio.Lock())

    @contextmanager
    def enter(self, session: str) -> Generator[None, None, None]:
        """To answer a turn."""
        if session in self._occupied:
            raise SessionBusy
        self._occupied[session] = asyncio.Event()
        try:
            yield
        finally:
            self._occupied.pop(session).set()

    async def freed(self, session: str) -> bool:
        """Returns once it can be entered, and whether somebody was in it until then."""
        waited = session in self._occupied
        while (answered := self._occupied.get(session)) is not None:
            await answered.wait()
        return waited

    @contextmanager
    def join(self, session: str, tell: Tell) -> Generator[None, None, None]:
        """To hear what happens, whoever brought it about: in another tab, over the API, or before the connection broke."""
        self._present[session].append(tell)
        try:
            yield
        finally:
            self._present[session].remove(tell)
            if not self._present[session]:
                del self._present[session]

    @property
    def people(self) -> int:
        """Live sockets that are open, in all sessions."""
        return sum(map(len, self._present.values()))

    def tell(self, session: str, message: FromServer) -> None:
        self.tell_here(session, message)
        if self.bus is not None:
            self.bus.publish(session, message)

    def tell_here(self, session: str, message: FromServer) -> None:
        for tell in tuple(self._present.get(session, ())):
            tell(message)

    def close(self) -> None:
        if self.bus is not None:
            self.bus.close()
