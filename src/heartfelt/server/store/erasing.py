"""Making what was deleted unfindable in a SQLite file.

Deleting a row is not enough: pages that were moved about long before leave copies of it in unused corners, even with
`secure_delete`. So the file is written again from the rows that are left, and the log is emptied. That takes about a second for
each 100 MB, and until it is done the file says that it is owed: a worker that is killed meanwhile leaves it to the next start.
"""

import logging
import secrets
from contextlib import closing
from typing import Any

from sqlalchemy import Connection

from heartfelt.errors import StoreError
from heartfelt.server.store.database import Database
from heartfelt.server.store.failures import telling

_log = logging.getLogger(__name__)


def owe(connection: Connection) -> None:
    """Marks a deletion, in the very transaction that deletes, by a number that SQLite keeps for us in the head of the file.

    By chance, and not by counting: else two workers could come to the same number for different deletions.
    """
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(f"PRAGMA user_version={1 + secrets.randbelow(2**31 - 1)}")


def settle(database: Database) -> None:
    """Nothing is left of what was deleted. Only a file can hold more than its rows."""
    if database.path is None:
        return
    try:
        with telling(database.place), database.turnstile, closing(database.engine.raw_connection()) as connection:
            _settle(connection.cursor(), database.place)
    except StoreError as error:
        left = "What was deleted is gone from the tables, but its text is still in a file."
        raise type(error)(f"{left} {error} The next deletion or start tries again.") from error


def settle_if_possible(database: Database) -> None:
    """At a start: a file that cannot be written again, for want of space, say, can still be used."""
    try:
        settle(database)
    except StoreError as error:
        _log.warning("%s", error)


def _settle(cursor: Any, place: str) -> None:
    owed = _owed(cursor)
    if not owed:
        return
    cursor.execute("VACUUM")
    busy, *_ = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        raise StoreError(f"The database {place} is being read by another program. Close whatever else has it open.")
    cursor.execute("BEGIN IMMEDIATE")
    if _owed(cursor) == owed:  # else another worker has deleted meanwhile, and will settle that
        cursor.execute("PRAGMA user_version=0")
    cursor.execute("COMMIT")


def _owed(cursor: Any) -> int:
    return cursor.execute("PRAGMA user_version").fetchone()[0]
