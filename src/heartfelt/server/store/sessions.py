"""The rows of sessions. Whatever a person asks for is looked up by id and owner together."""

import secrets
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from heartfelt.server.store import turns
from heartfelt.server.store.errors import NoSuchSession
from heartfelt.server.store.tables import SESSION, TURN
from heartfelt.server.store.views import line, moment, view
from heartfelt.server.wire import SessionChange, SessionLine, SessionRequest, SessionView

LONGEST = 60
"""Letters of what a session is called until someone gives it a name."""


def create(connection: Connection, owner: str, wish: SessionRequest) -> SessionView:
    session_id, now = secrets.token_hex(16), moment()  # hex: nothing in it reads as a name to a redacted export
    row = {"id": session_id, "owner": owner, "made": now, "touched": now, **wish.model_dump()}
    connection.execute(insert(SESSION).values(row))
    return read(connection, session_id, owner)


def lines(connection: Connection, owner: str, limit: int) -> tuple[SessionLine, ...]:
    """The latest first."""
    count = select(func.count()).where(TURN.c.session == SESSION.c.id).scalar_subquery()
    found = select(SESSION, count.label("turns")).where(SESSION.c.owner == owner)
    rows = connection.execute(found.order_by(SESSION.c.touched.desc(), SESSION.c.id).limit(limit))
    return tuple(line(row) for row in rows.mappings())


def read(connection: Connection, session_id: str, owner: str) -> SessionView:
    row = connection.execute(select(SESSION).where(_own(session_id, owner))).mappings().first()
    if row is None:
        raise NoSuchSession
    return view(row, turns.all_of(connection, session_id))


def check(connection: Connection, session_id: str, owner: str) -> None:
    if connection.execute(select(SESSION.c.id).where(_own(session_id, owner))).first() is None:
        raise NoSuchSession


def change(connection: Connection, session_id: str, owner: str, changes: SessionChange) -> SessionView:
    if wanted := changes.model_dump(exclude_none=True):
        connection.execute(update(SESSION).where(_own(session_id, owner)).values(wanted))
    return read(connection, session_id, owner)


def remove(connection: Connection, session_id: str, owner: str) -> None:
    if not connection.execute(delete(SESSION).where(_own(session_id, owner))).rowcount:
        raise NoSuchSession


def owner(connection: Connection, session_id: str) -> str:
    """For whoever runs the server; nobody else is told."""
    found = connection.execute(select(SESSION.c.owner).where(SESSION.c.id == session_id)).scalar()
    if found is None:
        raise NoSuchSession
    return found


def newest(connection: Connection) -> datetime | None:
    touched = connection.execute(select(func.max(SESSION.c.touched))).scalar()
    return None if touched is None else datetime.fromisoformat(touched)


def expire(connection: Connection, before: datetime) -> int:
    return connection.execute(delete(SESSION).where(SESSION.c.touched < moment(before))).rowcount


def hold(connection: Connection, session_id: str) -> None:
    """Nobody else changes it until this transaction ends. SQLite lets only one write anyway."""
    if connection.execute(select(SESSION.c.id).where(SESSION.c.id == session_id).with_for_update()).first() is None:
        raise NoSuchSession


def touch(connection: Connection, session_id: str) -> None:
    connection.execute(update(SESSION).where(SESSION.c.id == session_id).values(touched=moment()))


def name(connection: Connection, session_id: str) -> None:
    """After the first thing said, where nobody gave it a title."""
    spoken = select(TURN.c.said).where(TURN.c.session == session_id, TURN.c.said != "")
    said = connection.execute(spoken.order_by(TURN.c.number).limit(1)).scalar()
    nameless = update(SESSION).where(SESSION.c.id == session_id, SESSION.c.title == "")
    connection.execute(nameless.values(title=title_of(said or "")))


def _own(session_id: str, owner: str) -> ColumnElement[bool]:
    return (SESSION.c.id == session_id) & (SESSION.c.owner == owner)


def title_of(said: str) -> str:
    """The first words, whole ones. A first word that is too long, or a script without spaces, is cut."""
    words = " ".join(said.split())
    if len(words) <= LONGEST:
        return words
    return words[: LONGEST + 1].rpartition(" ")[0] or words[:LONGEST]
