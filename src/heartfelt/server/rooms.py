"""One turn of a session at a time, whoever asks for it."""

from collections.abc import Generator
from contextlib import contextmanager

from heartfelt.errors import TurnError


class Occupied(TurnError):
    """A turn of the same session is being answered."""

    def __init__(self) -> None:
        super().__init__("This session is being answered already. Wait for that answer, or stop it first.")


class Rooms:
    def __init__(self) -> None:
        self._occupied: set[str] = set()

    @contextmanager
    def enter(self, session: str) -> Generator[None, None, None]:
        if session in self._occupied:
            raise Occupied
        self._occupied.add(session)
        try:
            yield
        finally:
            self._occupied.discard(session)
