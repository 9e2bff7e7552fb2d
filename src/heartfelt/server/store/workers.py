"""What several workers on one database count together: the calls of a caller, their open live sockets, and who is at work."""

import time

from sqlalchemy import Connection, delete, func, insert, select, text, update
from sqlalchemy.dialects import postgresql, sqlite

from heartfelt.server.store.tables import LIVE_SOCKET, PACE, TURN

_FORGOTTEN = 600.0
"""Seconds after which nothing is left of a caller's pace, at any rate that is in use."""


def take(connection: Connection, caller: str, *, each: float, most: float) -> float:
    """One call. Seconds to wait where there is none left: one comes back every `each` seconds, up to `most`."""
    moment = now(connection)
    new = {"caller": caller, "left": most, "since": moment}
    insert_one = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    connection.execute(insert_one(PACE).values(new).on_conflict_do_nothing())
    this = PACE.c.caller == caller
    left, since = connection.execute(select(PACE.c.left, PACE.c.since).where(this).with_for_update()).one()
    left = min(most, left + max(0.0, moment - since) / each)
    connection.execute(update(PACE).where(this).values(left=left - 1 if left >= 1 else left, since=moment))
    return 0.0 if left >= 1 else (1 - left) * each


def open_socket(connection: Connection, socket: str, owner: str, worker: str, *, seconds: float, most: int) -> bool:
    """Whether the owner may have one more; then they have it, for so many seconds or until it is renewed."""
    if connection.dialect.name == "postgresql":  # two of one owner are counted one after the other
        connection.execute(text("SELECT pg_advisory_xact_lock(hashtext(:owner))"), {"owner": owner})
    moment = now(connection)
    open_now = select(func.count()).where(LIVE_SOCKET.c.owner == owner, LIVE_SOCKET.c.lease > moment)
    if connection.execute(open_now).scalar_one() >= most:
        return False
    row = {"id": socket, "owner": owner, "worker": worker, "lease": moment + seconds}
    connection.execute(insert(LIVE_SOCKET).values(row))
    return True


def close_socket(connection: Connection, socket: str) -> None:
    connection.execute(delete(LIVE_SOCKET).where(LIVE_SOCKET.c.id == socket))


def renew(connection: Connection, worker: str, *, seconds: float) -> None:
    """The worker is alive, and so are its sockets. Those of workers that are not go, and so does what was counted long ago."""
    moment = now(connection)
    connection.execute(update(LIVE_SOCKET).where(LIVE_SOCKET.c.worker == worker).values(lease=moment + seconds))
    connection.execute(delete(LIVE_SOCKET).where(LIVE_SOCKET.c.lease < moment))
    connection.execute(delete(PACE).where(PACE.c.since < moment - _FORGOTTEN))


def at_work(connection: Connection, session: str, worker: str, *, before: int | None = None) -> bool:
    """Whether another worker answers a turn of the session, or is about to: one with a number below `before`, or any."""
    running = select(TURN.c.number).where(
        TURN.c.session == session,
        TURN.c.state.in_(("waiting", "answering")),
        TURN.c.worker != worker,
        TURN.c.lease > time.time(),
    )
    if before is not None:
        running = running.where(TURN.c.number < before)
    return connection.execute(running.limit(1)).first() is not None


def now(connection: Connection) -> float:
    """By one clock for all: the database's, where it has one of its own."""
    if connection.dialect.name != "postgresql":
        return time.time()
    return float(connection.execute(select(func.extract("epoch", func.clock_timestamp()))).scalar_one())
