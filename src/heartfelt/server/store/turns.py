"""The rows of turns: numbered without gaps, and held by a worker for as long as its lease runs."""

from typing import Any, TypedDict

from sqlalchemy import ColumnElement, Connection, RowMapping, func, insert, select, update

from heartfelt.languages import language_of
from heartfelt.records import Readings
from heartfelt.server.store.errors import AlreadySaid, NoSuchTurn, TurnHeld
from heartfelt.server.store.tables import TURN
from heartfelt.server.store.views import moment, plain, state, turn_view
from heartfelt.server.wire import Afterthought, Alarm, By, Times, TurnState, TurnView


class TurnChange(TypedDict, total=False):
    """What of a turn can become otherwise."""

    state: TurnState
    said: str
    by: By
    readings: Readings | None
    reply: str
    interrupted: bool
    heard: str
    emotion: str
    times: Times
    error: str
    afterthought: Afterthought | None
    alarm: Alarm | None
    reminder: str
    identity: str
    worker: str
    lease: float


_NOTHING = ("reply", "heard", "emotion", "error", "reminder", "identity", "message_id")
_EMPTY = {"state": "waiting", "interrupted": False, **dict.fromkeys(_NOTHING, "")}


def begin(connection: Connection, session_id: str, **given: Any) -> TurnView:
    """The next one of a session that this transaction holds: so no other can take the same number, or say the same message."""
    if given.get("message_id"):
        refuse_said(connection, session_id, given["message_id"])
    last = connection.execute(select(func.max(TURN.c.number)).where(TURN.c.session == session_id)).scalar()
    number = 0 if last is None else last + 1
    row = {**_EMPTY, "session": session_id, "number": number, "made": moment(), **_stored(given)}
    connection.execute(insert(TURN).values(row))
    return read(connection, session_id, number)


def read(connection: Connection, session_id: str, number: int) -> TurnView:
    return turn_view(_row(connection, session_id, number))


def all_of(connection: Connection, session_id: str) -> tuple[TurnView, ...]:
    rows = connection.execute(select(TURN).where(TURN.c.session == session_id).order_by(TURN.c.number))
    return tuple(turn_view(row) for row in rows.mappings())


def change(connection: Connection, session_id: str, number: int, changes: TurnChange) -> TurnView:
    if unknown := changes.keys() - TurnChange.__annotations__.keys():
        raise TypeError(f"a turn has no such thing to change: {', '.join(sorted(unknown))}")
    if changes:
        connection.execute(update(TURN).where(_this(session_id, number)).values(_stored(changes)))
    return read(connection, session_id, number)


def take(connection: Connection, session_id: str, number: int, worker: str, lease_until: float) -> TurnView:
    """One of all those who want to answer it again gets it."""
    found = state(_row(connection, session_id, number, held=True))
    if found not in ("unfinished", "failed"):
        raise TurnHeld(number, found)
    again = TurnChange(state="waiting", error="", reminder="", worker=worker, lease=lease_until)
    return change(connection, session_id, number, again)


def refuse_said(connection: Connection, session_id: str, message_id: str) -> None:
    same = (TURN.c.session == session_id) & (TURN.c.message_id == message_id)
    row = connection.execute(select(TURN).where(same)).mappings().first()
    if row is not None:
        raise AlreadySaid(turn_view(row))


def hold(connection: Connection, session_id: str, number: int) -> None:
    """Nobody else changes it until this transaction ends."""
    _row(connection, session_id, number, held=True)


def _row(connection: Connection, session_id: str, number: int, *, held: bool = False) -> RowMapping:
    found = select(TURN).where(_this(session_id, number))
    row = connection.execute(found.with_for_update() if held else found).mappings().first()
    if row is None:
        raise NoSuchTurn(number)
    return row


def _this(session_id: str, number: int) -> ColumnElement[bool]:
    return (TURN.c.session == session_id) & (TURN.c.number == number)


def _stored(values: Any) -> dict[str, Any]:
    """The language goes with the words."""
    language = {"language": _language(values["said"], values.get("readings"))} if "said" in values else {}
    return {name: plain(value) for name, value in values.items()} | language


def _language(said: str, readings: Readings | None) -> str:
    """As it was heard, or else as the words tell it: a few words may be too few for that."""
    return (readings.language if readings else "") or language_of(said)
