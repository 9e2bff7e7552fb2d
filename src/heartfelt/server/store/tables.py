"""The tables as this release wants them. `migrations` brings a database there; a test compares the two."""

from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Dialect,
    Double,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    TypeDecorator,
)


class Words(TypeDecorator[str]):
    """Any text. Postgres can hold neither NUL nor half a surrogate pair: a sign for "unreadable" stands there instead."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        if value is None:
            return None
        return value.replace("\0", "\ufffd").encode("utf-8", "replace").decode()


def _words(name: str, **more: Any) -> Column[str]:
    return Column(name, Words, nullable=False, **more)


def _json(name: str) -> Column[Any]:
    return Column(name, JSON(none_as_null=True))


METADATA = MetaData()

SESSION = Table(
    "session",
    METADATA,
    Column("id", Words, primary_key=True),
    _words("owner"),
    _words("title"),
    _words("made"),
    _words("touched"),
    _words("recipe"),
    _words("model"),
    _words("identity"),
    _words("pace"),
    Column("kept", Boolean, nullable=False),
    _words("country"),
    Index("session_of_owner", "owner", "touched"),
    Index("session_by_age", "touched"),
)
"""`made` and `touched` are UTC in ISO 8601, always of the same length, so that their order as text is their order in time."""

TURN = Table(
    "turn",
    METADATA,
    Column("session", Words, ForeignKey("session.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    _words("state"),
    _words("said"),
    _words("by"),
    _json("readings"),
    _words("reply"),
    Column("interrupted", Boolean, nullable=False),
    _words("heard"),
    _words("emotion"),
    _words("made"),
    _json("times"),
    _words("error"),
    _json("afterthought"),
    _words("worker"),
    Column("lease", Double, nullable=False),
    _json("alarm"),
    _words("reminder"),
    _words("identity"),
    _words("language"),
    _words("message_id"),
)
"""`lease`: the moment, in Unix seconds, until which `worker` is taken to be alive."""

EVENT = Table(
    "event",
    METADATA,
    Column("session", Words, primary_key=True),
    Column("turn", Integer, primary_key=True, autoincrement=False),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("looking_back", Boolean, nullable=False),
    _words("line"),
    Column("tried", Boolean, nullable=False),
    ForeignKeyConstraint(["session", "turn"], ["turn.session", "turn.number"], ondelete="CASCADE"),
)
"""`tried`: it belongs to what somebody last tried with the turn, and not to its trace."""

PACE = Table(
    "pace",
    METADATA,
    Column("caller", Words, primary_key=True),
    Column("left", Double, nullable=False),
    Column("since", Double, nullable=False),
)
"""How many calls each caller had left at a moment, by the clock of the database."""

LIVE_SOCKET = Table(
    "live_socket",
    METADATA,
    Column("id", Words, primary_key=True),
    _words("owner"),
    _words("worker"),
    Column("lease", Double, nullable=False),
    Index("live_socket_of_owner", "owner"),
)
"""One that is open, for as long as its worker says so: `lease` is a moment by the clock of the database."""
