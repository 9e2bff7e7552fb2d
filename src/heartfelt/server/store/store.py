"""The store of sessions, turns and traces: every method is one transaction, and any thread may call it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Self, Unpack

from sqlalchemy import select

from heartfelt.errors import DiskFullError
from heartfelt.records import Readings
from heartfelt.server.store import erasing, events, export, sessions, turns, workers
from heartfelt.server.store.database import Database, database
from heartfelt.server.store.errors import SessionBusy
from heartfelt.server.store.migrate import migrate
from heartfelt.server.store.reserve import Reserve
from heartfelt.server.store.tables import SESSION
from heartfelt.server.store.turns import TurnChange
from heartfelt.server.wire import By, Pace, SessionChange, SessionLine, SessionRequest, SessionView, TurnView


class SessionStore:
    """Open it with `Store.open`. Several workers may open the same file or the same Postgres."""

    def __init__(self, database: Database):
        self._database = database
        self._reserve = Reserve(database.path)
        self._reserve.keep()

    @classmethod
    def open(cls, url: str) -> Self:
        """`sqlite:///PATH`, `postgresql://…`, or `sqlite://` for one that is gone when it is closed."""
        opened = database(url)
        try:
            opened.make()
            migrate(opened)
            erasing.settle_if_possible(opened)
        except BaseException:
            opened.engine.dispose()
            raise
        return cls(opened)

    def close(self) -> None:
        self._database.engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def healthy(self) -> None:
        """Raises a StoreError where it could not be read now."""
        with self._database.reading() as connection:
            connection.execute(select(SESSION.c.id).limit(1)).first()

    # ── sessions, for their owner ────────────────────────────────────────────────────────────────────────────────────

    def create(
        self,
        owner: str,
        *,
        recipe: str = "",
        model: str = "",
        identity: str = "",
        pace: Pace = "quick",
        kept: bool = True,
        title: str = "",
        country: str = "",
    ) -> SessionView:
        if not kept and not self.forgets:
            raise ValueError("a session that is not to be kept belongs in a store in memory")
        chosen = {"recipe": recipe, "model": model, "identity": identity, "country": country}
        wish = SessionRequest(**chosen, pace=pace, kept=kept, title=title)
        with self._database.writing() as connection:
            return sessions.create(connection, owner, wish)

    @property
    def forgets(self) -> bool:
        """Whether all of it is gone when it is closed."""
        return self._database.is_sqlite and self._database.path is None

    def list(self, owner: str, limit: int = 200) -> tuple[SessionLine, ...]:
        with self._database.reading() as connection:
            return sessions.lines(connection, owner, limit)

    def session(self, session_id: str, owner: str) -> SessionView:
        with self._database.reading() as connection:
            return sessions.read(connection, session_id, owner)

    def change(self, session_id: str, owner: str, changes: SessionChange) -> SessionView:
        with self._database.writing() as connection:
            return sessions.change(connection, session_id, owner, changes)

    def owned(self, session_id: str, owner: str) -> None:
        """Raises NoSuchSession where it is not this owner's."""
        with self._database.reading() as connection:
            sessions.check(connection, session_id, owner)

    def export(self, session_id: str, owner: str) -> dict[str, Any]:
        with self._database.reading() as connection:
            return export.export(connection, session_id, owner)

    def restore(self, exported: dict[str, Any]) -> None:
        """A session that another store exported."""
        with self._database.writing() as connection:
            export.restore(connection, exported)

    def delete(self, session_id: str, owner: str) -> None:
        """With all its turns and traces. In SQLite no byte of them is left; Postgres clears its own files in its own time."""
        try:
            self._remove(session_id, owner)
        except DiskFullError:
            if not self._reserve.release():
                raise
            self._remove(session_id, owner)
        erasing.settle(self._database)
        self._reserve.keep()

    def _remove(self, session_id: str, owner: str) -> None:
        with self._database.writing() as connection:
            sessions.remove(connection, session_id, owner)
            erasing.owe(connection)

    def owner(self, session_id: str) -> str:
        """Whose it is, for whoever runs the server."""
        with self._database.reading() as connection:
            return sessions.owner(connection, session_id)

    def newest(self) -> datetime | None:
        """When somebody last touched a session of theirs."""
        with self._database.reading() as connection:
            return sessions.newest(connection)

    def expire(self, before: datetime) -> int:
        """Deletes the sessions of everyone that nobody has touched since; how many."""
        with self._database.writing() as connection:
            count = sessions.expire(connection, before)
            if count:
                erasing.owe(connection)
        erasing.settle(self._database)
        return count

    # ── turns, for whoever answers them ──────────────────────────────────────────────────────────────────────────────

    def begin_turn(
        self,
        session_id: str,
        *,
        said: str,
        by: By,
        readings: Readings | None = None,
        message_id: str = "",
        worker: str,
        lease_until: float,
        alone: bool = False,
    ) -> TurnView:
        """Kept before it is answered: what a person said is never lost. What came by the same `message_id` is AlreadySaid.

        `alone`: only where no other worker is answering in this session; otherwise SessionBusy, and nothing is kept."""
        with self._database.writing() as connection:
            sessions.hold(connection, session_id)
            if alone and workers.at_work(connection, session_id, worker):
                raise SessionBusy
            given = {"said": said, "by": by, "readings": readings, "message_id": message_id}
            turn = turns.begin(connection, session_id, **given, worker=worker, lease=lease_until)
            sessions.touch(connection, session_id)
            sessions.name(connection, session_id)
            return turn

    def unsaid(self, session_id: str, message_id: str) -> None:
        """Raises AlreadySaid where a turn came with this id."""
        with self._database.reading() as connection:
            turns.refuse_said(connection, session_id, message_id)

    def turn(self, session_id: str, number: int) -> TurnView:
        with self._database.reading() as connection:
            return turns.read(connection, session_id, number)

    def change_turn(self, session_id: str, number: int, **changes: Unpack[TurnChange]) -> TurnView:
        with self._database.writing() as connection:
            if "said" in changes:  # words that came later, from a recording
                sessions.hold(connection, session_id)
            turn = turns.change(connection, session_id, number, changes)
            if "said" in changes:
                sessions.name(connection, session_id)
            return turn

    def take_turn(self, session_id: str, number: int, *, worker: str, lease_until: float) -> TurnView:
        """To answer an unfinished or failed one again: waiting from now on, and of two who ask, one gets TurnHeld.
        SessionBusy where another worker answers in the session."""
        with self._database.writing() as connection:
            sessions.hold(connection, session_id)
            taken = turns.take(connection, session_id, number, worker, lease_until)
            if workers.at_work(connection, session_id, worker):
                raise SessionBusy
            return taken

    def hold(self, session_id: str, number: int, lease_until: float) -> None:
        """The worker is alive and will say so again before then."""
        self.change_turn(session_id, number, lease=lease_until)

    # ── traces ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def add_events(self, session_id: str, number: int, lines: Sequence[tuple[bool, str]]) -> None:
        """Appends: of each event, whether it belongs to the look back, and its JSON."""
        with self._database.writing() as connection:
            events.add(connection, session_id, number, lines)

    def clear_events(self, session_id: str, number: int) -> None:
        with self._database.writing() as connection:
            events.clear(connection, session_id, number)

    def events(self, session_id: str, number: int) -> tuple[tuple[bool, str], ...]:
        with self._database.reading() as connection:
            return events.read(connection, session_id, number)

    def try_events(self, session_id: str, number: int, lines: Sequence[str]) -> None:
        """What somebody tries with a turn, in place of what they tried before. The trace stays as it is."""
        with self._database.writing() as connection:
            events.forget_tried(connection, session_id, number)
            events.add(connection, session_id, number, [(False, line) for line in lines], tried=True)

    def tried(self, session_id: str, number: int) -> tuple[str, ...]:
        with self._database.reading() as connection:
            return tuple(line for _, line in events.read(connection, session_id, number, tried=True))

    def keep(self, session_id: str, number: int, lines: Sequence[str], **changes: Unpack[TurnChange]) -> TurnView:
        """The turn is otherwise from now on: its trace goes on with these lines, and nothing is tried with it any more."""
        with self._database.writing() as connection:
            events.forget_tried(connection, session_id, number)
            events.add(connection, session_id, number, [(False, line) for line in lines])
            sessions.touch(connection, session_id)
            return turns.change(connection, session_id, number, changes)

    # ── between workers ──────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def address(self) -> str:
        """Where other workers may have it open as well; empty where nobody can."""
        return "" if self._database.is_sqlite else self._database.engine.url.render_as_string(hide_password=False)

    def answered_before(self, session_id: str, number: int, worker: str) -> bool:
        """Whether another worker still answers an earlier turn."""
        with self._database.reading() as connection:
            return workers.at_work(connection, session_id, worker, before=number)

    def take_pace(self, caller: str, each: float, most: float) -> float:
        """Seconds that a caller has to wait before one more call; 0 where it is taken."""
        with self._database.writing() as connection:
            return workers.take(connection, caller, each=each, most=most)

    def open_socket(self, socket: str, owner: str, worker: str, *, seconds: float, most: int) -> bool:
        with self._database.writing() as connection:
            return workers.open_socket(connection, socket, owner, worker, seconds=seconds, most=most)

    def close_socket(self, socket: str) -> None:
        with self._database.writing() as connection:
            workers.close_socket(connection, socket)

    def renew(self, worker: str, seconds: float) -> None:
        with self._database.writing() as connection:
            workers.renew(connection, worker, seconds=seconds)
