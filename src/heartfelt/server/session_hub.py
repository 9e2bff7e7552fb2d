"""One turn of a session at a time, whoever asks for it; and everybody who is in the session hears of it."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Generator
from contextlib import contextmanager
from weakref import WeakValueDictionary

from heartfelt.errors import TurnError
from heartfelt.server.turn_observer import Tell
from heartfelt.server.wire import FromServer


class SessionBusy(TurnError):
    """A turn of the same session is being answered."""

    def __init__(self) -> None:
        super().__init__("This session is being answered already. Wait for that answer, or stop it first.")


class SessionHub:
    def __init__(self) -> None:
        self._occupied: dict[str, asyncio.Event] = {}
        self._present: defaultdict[str, list[Tell]] = defaultdict(list)
        self._sockets: Counter[str] = Counter()
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

    @contextmanager
    def connected(self, owner: str) -> Generator[None, None, None]:
        """While a caller has one more live socket."""
        self._sockets[owner] += 1
        try:
            yield
        finally:
            self._sockets[owner] -= 1
            if not self._sockets[owner]:
                del self._sockets[owner]

    def sockets(self, owner: str) -> int:
        """Live sockets of one caller, in all their sessions."""
        return self._sockets[owner]

    @property
    def people(self) -> int:
        """Live sockets that are open, in all sessions."""
        return sum(map(len, self._present.values()))

    def tell(self, session: str, message: FromServer) -> None:
        for tell in tuple(self._present.get(session, ())):
            tell(message)
