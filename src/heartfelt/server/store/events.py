"""The trace of a turn: each event one line of JSON, in the order in which they came. What is only tried stands beside it."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select

from heartfelt.server.store import turns
from heartfelt.server.store.tables import EVENT


def add(
    connection: Connection, session_id: str, number: int, lines: Sequence[tuple[bool, str]], *, tried: bool = False
) -> None:
    turns.hold(connection, session_id, number)
    last = connection.execute(select(func.max(EVENT.c.seq)).where(_of(session_id, number))).scalar()
    first = 0 if last is None else last + 1
    rows = [
        {"session": session_id, "turn": number, "seq": first + place, "looking_back": back, "line": line, "tried": tried}
        for place, (back, line) in enumerate(lines)
    ]
    if rows:
        connection.execute(insert(EVENT), rows)


def clear(connection: Connection, session_id: str, number: int) -> None:
    turns.hold(connection, session_id, number)
    connection.execute(delete(EVENT).where(_of(session_id, number)))


def forget_tried(connection: Connection, session_id: str, number: int) -> None:
    turns.hold(connection, session_id, number)
    connection.execute(delete(EVENT).where(_of(session_id, number) & EVENT.c.tried))


def read(connection: Connection, session_id: str, number: int, *, tried: bool = False) -> tuple[tuple[bool, str], ...]:
    turns.read(connection, session_id, number)
    wanted = _of(session_id, number) & (EVENT.c.tried == tried)
    found = select(EVENT.c.looking_back, EVENT.c.line).where(wanted).order_by(EVENT.c.seq)
    return tuple((looking_back, line) for looking_back, line in connection.execute(found))


def _of(session_id: str, number: int) -> ColumnElement[bool]:
    return (EVENT.c.session == session_id) & (EVENT.c.turn == number)
