"""The file of a memory: one SQLite database, brought up to date by numbered migrations, bound to one embedder."""

import sqlite3
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from heartfelt.errors import InputError

# Migration n leads from version n to n + 1. Never edit one that was released: add the next.
_MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        "CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
        """CREATE TABLE exemplar (
            id INTEGER PRIMARY KEY,
            key BLOB NOT NULL UNIQUE,
            situation TEXT NOT NULL,
            reply TEXT NOT NULL,
            emotion TEXT NOT NULL,
            dialogue TEXT NOT NULL,
            split TEXT NOT NULL,
            vector BLOB NOT NULL
        )""",
    ),
)
PATIENCE, PAUSE = 30.0, 0.02
"""Seconds that others are waited for, and between two tries where SQLite itself does not wait."""
FORMAT = len(_MIGRATIONS)
"""The format that this Heartfelt writes."""


def open_shelf(path: Path | str, embedder: str) -> sqlite3.Connection:
    """Open or create a memory for writing; several processes may do so at once."""
    connection = _connect(str(path), path)
    with explained(path, connection):
        # Readers go on while a build writes, and a crash costs no more than the open transaction.
        _write_ahead(connection)
        connection.execute("PRAGMA synchronous = NORMAL")
        _migrate(connection, path)
        with transaction(connection):
            connection.execute("INSERT OR IGNORE INTO about VALUES ('embedder', ?)", (embedder,))
        _check_embedder(connection, path, embedder)
    return connection


def _write_ahead(connection: sqlite3.Connection) -> None:
    """SQLite does not wait for others who switch a new file over at the same moment, as it waits for them everywhere else."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(PAUSE)
        else:
            return


def open_finished(path: Path, embedder: str) -> sqlite3.Connection:
    """Open a memory that nobody changes any more, without the right to write beside it."""
    connection = _connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", path)
    with explained(path, connection):
        _check_version(connection, path)
        _check_embedder(connection, path, embedder)
    return connection


@contextmanager
def transaction(connection: sqlite3.Connection) -> Generator[None, None, None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:  # an interrupt too must leave no half of a batch
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


@contextmanager
def explained(path: Path | str, connection: sqlite3.Connection) -> Generator[None, None, None]:
    """While a shelf is being opened: close it again on any failure, and say what SQLite means."""
    try:
        yield
    except InputError:
        connection.close()
        raise
    except sqlite3.Error as error:
        connection.close()
        raise InputError(f"{path} cannot be used as a memory ({error}). Give another path, or delete it.") from error


def _connect(address: str, path: Path | str) -> sqlite3.Connection:
    try:
        # Transactions are begun by hand, and the store's own lock keeps its threads apart.
        return sqlite3.connect(
            address, timeout=PATIENCE, isolation_level=None, check_same_thread=False, uri=address.startswith("file:")
        )
    except sqlite3.Error as error:
        raise InputError(f"The memory at {path} cannot be opened ({error}). Is its folder there?") from error


def _migrate(connection: sqlite3.Connection, path: Path | str) -> None:
    if _check_version(connection, path) == FORMAT:
        return
    with transaction(connection):
        # Asked again under the lock: another process may have been faster.
        for number in range(_check_version(connection, path), FORMAT):
            for statement in _MIGRATIONS[number]:
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number + 1}")


def _check_version(connection: sqlite3.Connection, path: Path | str) -> int:
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > FORMAT:
        raise InputError(
            f"The memory at {path} has format {version}, and this Heartfelt knows formats up to {FORMAT}. "
            "Update Heartfelt, or build the memory again."
        )
    return version


def _check_embedder(connection: sqlite3.Connection, path: Path | str, embedder: str) -> None:
    found = connection.execute("SELECT value FROM about WHERE name = 'embedder'").fetchone()
    if found is None or found[0] != embedder:
        was = found[0] if found else "an unknown embedder"
        raise InputError(
            f"The memory at {path} was embedded by {was} and cannot be searched by {embedder}: their vectors do not "
            f"compare. Open it with {was}, or build it again at another path."
        )
