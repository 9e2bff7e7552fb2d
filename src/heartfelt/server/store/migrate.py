"""Bringing a database to the tables of this release, by one worker at a time."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from filelock import FileLock, Timeout
from sqlalchemy import Connection, Engine

from heartfelt.errors import StoreError
from heartfelt.server.store.database import Database
from heartfelt.server.store.failures import telling

MIGRATIONS = Path(__file__).parent / "migrations"
VERSION_TABLE = "heartfelt_version"
"""A name of our own: another program may keep its revisions in the same Postgres."""

_ONE = Lock()
"""Alembic's context is global to the process."""
_PATIENCE = 120
_KEY = 0x48656172746665
"""Of the lock in Postgres."""


def migrate(database: Database, *, to: str = "head", folder: Path = MIGRATIONS) -> None:
    with telling(database.place), _ONE, _alone(database), _begun(database.engine) as connection:
        if not database.is_sqlite:
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_KEY})")
        config = _config(folder, connection)
        _refuse_newer(ScriptDirectory.from_config(config), connection, database.place)
        command.upgrade(config, to)


@contextmanager
def _alone(database: Database) -> Generator[None, None, None]:
    """SQLite has no lock that waits while a new file is turned over to write-ahead logging."""
    if database.path is None:
        yield
        return
    try:
        with FileLock(database.path.with_name(f".{database.path.name}.lock"), timeout=_PATIENCE):
            yield
    except Timeout:
        raise StoreError(
            f"The database {database.place} is being opened by another worker. Try again when that is done."
        ) from None


@contextmanager
def _begun(engine: Engine) -> Generator[Connection, None, None]:
    """A transaction for changing tables. SQLite drops a table to change it: rows that point there must not go with it."""
    with engine.execution_options(writing=True).connect() as connection:
        _pragma(connection, "journal_mode=WAL")
        _pragma(connection, "foreign_keys=OFF")
        try:
            with connection.begin():
                yield connection
        finally:
            _pragma(connection, "foreign_keys=ON")


def _pragma(connection: Connection, pragma: str) -> None:
    """Outside of any transaction: inside, SQLite passes over these."""
    driver = connection.connection.driver_connection
    if connection.dialect.name == "sqlite" and driver is not None:
        driver.execute(f"PRAGMA {pragma}")


def _config(folder: Path, connection: Connection) -> Config:
    """What an alembic.ini would say."""
    config = Config()
    config.set_main_option("script_location", str(folder).replace("%", "%%"))
    config.attributes.update(connection=connection, version_table=VERSION_TABLE)
    return config


def _refuse_newer(script: ScriptDirectory, connection: Connection, place: str) -> None:
    context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
    known = {revision.revision for revision in script.walk_revisions()}
    if newer := set(context.get_current_heads()) - known:
        raise StoreError(
            f"The database {place} was made by a newer release of Heartfelt (its tables are '{min(newer)}'). "
            "Use that release, or name another database."
        )
