"""Making what was deleted unfindable in a SQLite file.

Deleting a row is not enough: pages that were moved about long before leave copies of it in unused corners, even with
`secure_delete`. So the file is written anew from the rows that are left, and the log is emptied. That takes about a second for
each 100 MB, and until it is done the file says that it is owed: a worker that is killed meanwhile leaves it to the next start.
"""

from typing import Any

from sqlalchemy import Connection

from heartfelt.errors import StoreError
from heartfelt.server.store.database import Database
from heartfelt.server.store.failures import telling


def owe(connection: Connection) -> None:
    """Counts a deletion, in the very transaction that deletes. SQLite keeps a number for us in the head of the file."""
    if connection.dialect.name == "sqlite":
        owed: int = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
        connection.exec_driver_sql(f"PRAGMA user_version={owed + 1}")


def settle(database: Database) -> None:
    """Nothing is left of what was deleted. Only a file can hold more than its rows."""
    if database.path is None:
        return
    with telling(database.place), database.turnstile:
        connection = database.engine.raw_connection()
        try:
            _settle(connection.cursor(), database.place)
        finally:
            connection.close()


def _settle(cursor: Any, place: str) -> None:
    owed = _owed(cursor)
    if not owed:
        return
    cursor.execute("VACUUM")
    busy, *_ = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        raise StoreError(
            f"The database {place} is held by another program, so the text of what was deleted is still in its files. "
            "Close whatever else has it open; the next deletion or start removes it."
        )
    cursor.execute("BEGIN IMMEDIATE")
    if _owed(cursor) == owed:  # else another worker has deleted meanwhile, and will settle that
        cursor.execute("PRAGMA user_version=0")
    cursor.execute("COMMIT")


def _owed(cursor: Any) -> int:
    return cursor.execute("PRAGMA user_version").fetchone()[0]
