"""How many bytes of requests are in memory: so many in all, and half of that for one caller."""

from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager

from heartfelt.errors import TurnError

_SMALL = 64 * 1024
"""Bytes of a request that are always taken: nobody's message waits for somebody's video."""


class NoRoom(TurnError):
    """Others send so much at this moment that no more can be held."""

    seconds = 5.0

    def __init__(self) -> None:
        super().__init__("Too much is being sent to this server at once. Try again in a few seconds.")


class TooMuchHeld(TurnError):
    """One caller sends too much at once."""

    seconds = 5.0

    def __init__(self) -> None:
        super().__init__("You are sending too much at once. Wait until what you sent before is answered.")


class Bodies:
    def __init__(self, megabytes: float):
        self._most = round(megabytes * 1024 * 1024)
        self._held: Counter[str] = Counter()

    @property
    def held(self) -> int:
        return self._held.total()

    @contextmanager
    def of(self, owner: str) -> Generator["Body"]:
        """One request's; forgotten when it is answered."""
        body = Body(self, owner)
        try:
            yield body
        finally:
            self._held[owner] -= body.size
            if not self._held[owner]:
                del self._held[owner]

    def add(self, owner: str, size: int, body: int) -> None:
        """So many more of a request of which `body` are held already. One request alone may take more than half."""
        if body + size > _SMALL:
            if self.held + size > self._most:
                raise NoRoom
            if self._held[owner] > body and self._held[owner] + size > self._most / 2:
                raise TooMuchHeld
        self._held[owner] += size


class Body:
    def __init__(self, bodies: Bodies, owner: str):
        self.size = 0
        self._bodies, self._owner = bodies, owner

    def take(self, size: int) -> None:
        """So many bytes more, or an error that says who has to wait."""
        self._bodies.add(self._owner, size, self.size)
        self.size += size
