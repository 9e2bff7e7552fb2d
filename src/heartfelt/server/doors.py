"""Connections that bring no request: they have a time, and there are never so many that nobody else finds room."""

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 10.0
"""In which the head of a request must have come, from the opening of the connection or its first byte."""
_MOST = 8192
_FOR_OTHERS = 256
"""Descriptors that are for files, databases and models."""
_FULL = b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\nretry-after: 5\r\ncontent-length: 0\r\n\r\n"
_LATE = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


def room() -> int:
    """How many connections there may be; the system is asked for as many descriptors as that takes."""
    try:
        import resource
    except ImportError:  # Windows counts no descriptors
        return _MOST
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST + _FOR_OTHERS
    granted = max(soft, wanted if hard == resource.RLIM_INFINITY else min(wanted, hard))
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (granted, hard))
    except (OSError, ValueError):  # some systems grant less than they say
        granted = soft
    return min(_MOST, max(granted - _FOR_OTHERS, granted // 2))


def doors(most: int, head_seconds: float = HEAD_SECONDS) -> type[H11Protocol]:
    """The protocol of one server: at most so many connections, of which the one that is silent longest makes room."""

    class Door(H11Protocol):
        """Slow senders win no time by sending now and then: the clock of a head runs from its first byte."""

        late: asyncio.TimerHandle | None = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._wait()
            if len(self.connections) > most:
                _make_room(self)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self._between and self in self.connections and not self.transport.is_closing():  # else it is a live socket now
                self._wait()
            else:
                self._stop()

        def on_response_complete(self) -> None:
            super().on_response_complete()
            if self._between and self.conn.trailing_data[0]:  # the beginning of a next head came with the one before
                self._wait()

        def connection_lost(self, exc: Exception | None) -> None:
            self._stop()
            super().connection_lost(exc)

        @property
        def _between(self) -> bool:
            """Whether no request is under way."""
            return self.cycle is None or self.cycle.response_complete  # pyright: ignore[reportUnnecessaryComparison]

        def _wait(self) -> None:
            self.late = self.late or self.loop.call_later(head_seconds, self.send_away)

        def _stop(self) -> None:
            if self.late is not None:
                self.late.cancel()
                self.late = None

        def send_away(self, answer: bytes = _LATE) -> None:
            if not self.transport.is_closing():
                self.transport.write(answer)
                self.transport.close()

    def _make_room(newest: Door) -> None:
        waiting = (each for each in newest.connections if isinstance(each, Door) and each is not newest and each.late)
        longest = min(waiting, key=_since, default=newest)
        longest.send_away(_FULL if longest is newest else _LATE)
        longest.connections.discard(longest)  # it counts no more, though it takes a moment to go

    def _since(door: Door) -> float:
        return door.late.when() if door.late else float("inf")

    return Door
