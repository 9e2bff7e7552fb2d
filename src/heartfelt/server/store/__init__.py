"""Where sessions, their turns and their traces are kept: a SQLite file, the memory of this process, or a Postgres database."""

from heartfelt.server.store.errors import AlreadySaid, NoSuchSession, NoSuchTurn, SessionBusy, TurnHeld
from heartfelt.server.store.store import SessionStore
from heartfelt.server.store.turns import TurnChange

__all__ = ["AlreadySaid", "NoSuchSession", "NoSuchTurn", "SessionBusy", "SessionStore", "TurnChange", "TurnHeld"]
