"""What happens in a session, told to the other workers on the same Postgres: whoever listens to it there hears it too.

Postgres carries it (NOTIFY), so there is nothing else to run. It is no record: whoever was away reads the session again.
"""

import asyncio
import json
import queue
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from logging import Logger
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from heartfelt.server.wire import FromServer

if TYPE_CHECKING:
    import psycopg

_CHANNEL = "heartfelt"
_PIECE = 3500
"""Characters of a message at once: Postgres takes 8,000 bytes, and in a string of JSON a quotation mark takes two."""
_TOGETHER = 200
"""Messages that go in one transaction, if as many wait: each locks what all of them need."""
_AGAIN = 1.0
"""Seconds until a lost connection is tried once more."""
_MESSAGE: TypeAdapter[FromServer] = TypeAdapter(FromServer)
Hear = Callable[[str, FromServer], None]


class Bus:
    """`hear` is called on the loop, with a session and a message of another worker; `carries` says of which sessions a message
    may leave this process."""

    def __init__(self, address: str, worker: str, hear: Hear, carries: Callable[[str], bool], log: Logger):
        self._address = address.replace("postgresql+psycopg://", "postgresql://")
        self._worker, self._hear, self._carries, self._log = worker, hear, carries, log
        self._loop = asyncio.get_running_loop()
        self._out: queue.SimpleQueue[tuple[str, FromServer] | None] = queue.SimpleQueue()
        self._number = 0
        self._closing = threading.Event()
        self._parts: defaultdict[tuple[str, int], list[str]] = defaultdict(list)
        self._threads = [threading.Thread(target=self._held, args=(work,), daemon=True) for work in (self._send, self._listen)]
        self.listening = threading.Event()
        """Set while what others say arrives."""
        for thread in self._threads:
            thread.start()

    def publish(self, session: str, message: FromServer) -> None:
        """Never waits. What cannot be sent is lost, as if nobody had listened."""
        if self._carries(session):
            self._out.put((session, message))

    def close(self) -> None:
        self._closing.set()
        self._out.put(None)
        for thread in self._threads:
            thread.join(5)

    def _held(self, work: Callable[["psycopg.Connection[Any]"], None]) -> None:
        """The work on a connection, and on a new one whenever that is lost."""
        import psycopg

        while not self._closing.is_set():
            try:
                with psycopg.connect(self._address, autocommit=True, connect_timeout=10) as connection:
                    work(connection)
            except psycopg.Error as error:
                self._log.warning("The other workers cannot be reached: %s", type(error).__name__)
                self._closing.wait(_AGAIN)

    def _send(self, connection: "psycopg.Connection[Any]") -> None:
        while not self._closing.is_set() and (first := self._out.get()) is not None:
            lot = [first]
            with suppress(queue.Empty):
                while len(lot) < _TOGETHER and (more := self._out.get_nowait()) is not None:
                    lot.append(more)
            with connection.transaction(), connection.cursor() as cursor:
                for session, message in lot:
                    cursor.executemany(
                        f"SELECT pg_notify('{_CHANNEL}', %s)", [(part,) for part in self._pieces(session, message)]
                    )

    def _listen(self, connection: "psycopg.Connection[Any]") -> None:
        connection.execute(f"LISTEN {_CHANNEL}")
        self.listening.set()
        try:
            while not self._closing.is_set():
                for notice in connection.notifies(timeout=0.5):
                    self._heard(notice.payload)
        finally:
            self.listening.clear()

    def _pieces(self, session: str, message: FromServer) -> Iterator[str]:
        """Plain ASCII, so that letters are bytes."""
        self._number += 1
        whole = json.dumps(message.model_dump(mode="json"))
        parts = [whole[at : at + _PIECE] for at in range(0, len(whole), _PIECE)]
        for place, part in enumerate(parts, 1):
            yield json.dumps([self._worker, self._number, place == len(parts), session, part])

    def _heard(self, payload: str) -> None:
        """From one worker pieces come in their order; one that went away in the middle of a message leaves it undone."""
        try:
            worker, number, last, session, part = json.loads(payload)
            if worker == self._worker:
                return
            self._parts[worker, number].append(part)
            if last:
                message = _MESSAGE.validate_json("".join(self._parts.pop((worker, number))))
                self._loop.call_soon_threadsafe(self._hear, session, message)
        except (ValueError, ValidationError):
            self._log.warning("Another worker, of another release perhaps, says what cannot be read.")
        except RuntimeError:
            return  # the loop has ended
