"""A database behind a URL: SQLite in a file, SQLite in memory, or Postgres; and the two ways of talking to it."""

from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import QueuePool

from heartfelt.errors import MissingExtra, StoreError, UsageError
from heartfelt.server.store.failures import telling

_REMOVED = (
    "The database {place} was removed or replaced while it was open. Nothing is kept until it is back: end the server, put the "
    "file in its place, and start again."
)
PRAGMAS = ("busy_timeout=60000", "foreign_keys=ON", "synchronous=FULL", "secure_delete=ON")
"""Of every connection to SQLite. FULL: a message that was told as kept is on the disk, even if the power fails."""


@dataclass(frozen=True)
class Database:
    place: str
    """As a message may show it: without a password."""
    path: Path | None
    """The file, where it is one."""
    engine: Engine
    turnstile: AbstractContextManager[Any]
    """Before writing. SQLite lets a thread that finds another at work sleep for a while; then it may come too late again."""

    _made: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """The file, once it was made or found."""

    def make(self) -> None:
        """An empty file, where there is none yet, that nobody else on the machine can read."""
        if self.path is not None:
            with telling(self.place):
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self.path.touch(mode=0o600)
            self._made.append(_which(self.path))

    def check(self) -> None:
        """A file that was removed, or put in place of the one that is open: what is written there would be read by nobody."""
        if self.path is not None and self._made and _which(self.path) not in self._made:
            raise StoreError(_REMOVED.format(place=self.place))

    @contextmanager
    def reading(self) -> Generator[Connection, None, None]:
        """One moment of the database, however many questions are asked."""
        engine = self.engine if self.is_sqlite else self.engine.execution_options(isolation_level="REPEATABLE READ")
        self.check()
        with telling(self.place), engine.begin() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Generator[Connection, None, None]:
        """All of it is kept, or nothing."""
        self.check()
        with telling(self.place), self.turnstile, self.engine.execution_options(writing=True).begin() as connection:
            yield connection

    @property
    def is_sqlite(self) -> bool:
        return self.engine.dialect.name == "sqlite"


def _which(path: Path) -> tuple[int, int]:
    """The file behind a path, whatever its name."""
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_dev, status.st_ino


def database(url: str) -> Database:
    """Made ready, not yet connected."""
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        raise UsageError("The address of the database cannot be read. Write sqlite:///PATH or postgresql://…") from None
    match parsed.get_backend_name():
        case "sqlite" if parsed.database in (None, "", ":memory:"):
            return Database("in memory", None, _in_memory(), Lock())
        case "sqlite":
            path = Path(str(parsed.database)).expanduser().resolve()
            return Database(str(path), path, _in_file(path), Lock())
        case "postgresql" | "postgres":
            return Database(parsed.set(query={}).render_as_string(), None, _postgres(parsed), nullcontext())
        case other:
            raise UsageError(f"Sessions cannot be kept in '{other}'. Write sqlite:///PATH or postgresql://…")


def _in_file(path: Path) -> Engine:
    return _sqlite(URL.create("sqlite", database=str(path)))


def _in_memory() -> Engine:
    """One connection is the database; threads take turns with it."""
    one: dict[str, Any] = {"pool_size": 1, "max_overflow": 0, "poolclass": QueuePool}
    return _sqlite(URL.create("sqlite"), connect_args={"check_same_thread": False}, **one)


def _sqlite(url: URL, **more: Any) -> Engine:
    engine = create_engine(url, hide_parameters=True, pool_timeout=60, **more)
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine


def _prepare(connection: Any, _: object) -> None:
    connection.isolation_level = None  # Python would begin transactions by itself, and too late
    for pragma in PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    """A writer says so at once: one that reads first and writes later would be refused if another wrote in between."""
    writing = connection.get_execution_options().get("writing", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


def _postgres(url: URL) -> Engine:
    defaults = {"connect_timeout": "10", "application_name": "heartfelt"}
    url = url.set(drivername="postgresql+psycopg", query={**defaults, **url.query})
    # what is prepared is not found again behind a pooler that hands out another connection for each transaction
    arguments: dict[str, Any] = {"prepare_threshold": None}
    try:
        return create_engine(url, hide_parameters=True, pool_pre_ping=True, pool_timeout=60, connect_args=arguments)
    except ImportError:
        raise MissingExtra("Postgres", "postgres") from None
