"""What a failing database means for whoever runs the server, in one sentence that says what to do."""

import errno
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoneFree

from heartfelt.errors import DiskFullError, StoreError

_FULL = "There is no space left for {place}. Free some; what was written before is kept."
_WRITE = "The database {place} cannot be written: it or its folder is read-only. Let this user write there, or name another."
_OPEN = "The database {place} cannot be opened. Name a file in a folder that this user may write to."
_HELD = "The database {place} is held by another program. Close whatever else has it open, and try again."
_DAMAGED = "The database {place} is damaged, or no database. Put back a copy of it, or move it away: a new one is then made."
_DISK = (
    "The database {place} cannot be read or written: the disk failed. Look whether it is full, broken or gone, and try again."
)
_BUSY = (
    "The database {place} is busy: no connection became free in time. Try again; if that happens often, allow fewer at once."
)
_REACH = "The database {place} cannot be reached. Look whether it runs, and whether address, user and password are right."
_CROWDED = "The database {place} takes no more connections. Let it take more, or run fewer workers."

_SQLITE = {
    "SQLITE_FULL": _FULL,
    "SQLITE_READONLY": _WRITE,
    "SQLITE_PERM": _WRITE,
    "SQLITE_AUTH": _WRITE,
    "SQLITE_CANTOPEN": _OPEN,
    "SQLITE_BUSY": _HELD,
    "SQLITE_LOCKED": _HELD,
    "SQLITE_PROTOCOL": _HELD,
    "SQLITE_CORRUPT": _DAMAGED,
    "SQLITE_NOTADB": _DAMAGED,
    "SQLITE_FORMAT": _DAMAGED,
    "SQLITE_IOERR": _DISK,
}
"""By primary result code: the longer names, such as SQLITE_IOERR_WRITE, begin with these."""

_POSTGRES = {
    "53100": _FULL,
    "53300": _CROWDED,
    "25006": _WRITE,
    "42501": _WRITE,
    "08": _REACH,
    "28": _REACH,
    "3D": _REACH,
    "57P": _REACH,
    "58": _DISK,
    "XX001": _DAMAGED,
    "XX002": _DAMAGED,
}
"""By SQLSTATE, or how it begins."""


@contextmanager
def telling(place: str) -> Generator[None, None, None]:
    """Says what a failing database or disk means for the user."""
    try:
        yield
    except (DBAPIError, sqlite3.Error) as error:
        raise _told(error.orig if isinstance(error, DBAPIError) else error, place) from error
    except NoneFree as error:
        raise StoreError(_BUSY.format(place=place)) from error
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise DiskFullError(_FULL.format(place=place)) from error
        raise StoreError(
            f"The database {place} cannot be written: {error.strerror}. Name a place that this user may write to."
        ) from error


def _told(error: BaseException | None, place: str) -> StoreError:
    found = _by_sqlite(error) if isinstance(error, sqlite3.Error) else _by_state(error)
    if found is None:
        first = (str(error).splitlines() or [""])[0]
        return StoreError(f"The database {place} refused: {first.rstrip('.')}. Look into it with the database's own tools.")
    return (DiskFullError if found is _FULL else StoreError)(found.format(place=place))


def _by_sqlite(error: sqlite3.Error) -> str | None:
    name = getattr(error, "sqlite_errorname", "") or ""
    return next((told for code, told in _SQLITE.items() if name.startswith(code)), None)


def _by_state(error: BaseException | None) -> str | None:
    """A connection that cannot be made, or breaks, has no state."""
    state = getattr(error, "sqlstate", None)
    if state is None:
        return _REACH if type(error).__name__ == "OperationalError" else None
    return next((told for code, told in _POSTGRES.items() if state.startswith(code)), None)
