"""Databases of other releases: an older one is brought up to date with all its rows, a newer one is refused."""

import logging
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, MetaData, Table, insert, inspect

from heartfelt.errors import StoreError
from heartfelt.server.store import SessionStore
from heartfelt.server.store.database import database
from heartfelt.server.store.migrate import MIGRATIONS, VERSION_TABLE, migrate
from heartfelt.server.store.tables import METADATA

NOW = "2026-01-02T03:04:05.000006+00:00"
FIRST = {
    "session": {
        **{name: name for name in ("recipe", "model", "identity", "title")},
        **{"id": "an-id", "owner": "ann", "made": NOW, "touched": NOW, "pace": "quick", "kept": True},
    },
    "turn": {
        **{name: name for name in ("said", "reply", "heard", "emotion", "error", "worker")},
        **{"session": "an-id", "number": 0, "state": "answered", "by": "typed", "made": NOW},
        **{"interrupted": False, "lease": 1.0},
    },
    "event": {"session": "an-id", "turn": 0, "seq": 0, "looking_back": False, "line": "{}"},
}
"""Rows as the first release wrote them. They stay as they are, whatever later releases add."""
LATER = """
import sqlalchemy as sa
from alembic import op

revision, down_revision = "later", "{head}"


def upgrade():
    for table in ("session", "turn"):
        with op.batch_alter_table(table, recreate="{recreate}") as batch:
            batch.add_column(sa.Column("mood", sa.Text, nullable=False, server_default="calm"))
"""


def test_a_database_of_the_first_release_keeps_its_rows(url: str) -> None:
    old = database(url)
    old.make()
    migrate(old, to=_revisions()[0])
    _write(old.engine)
    old.engine.dispose()
    with SessionStore.open(url) as store:
        _is_whole(store)
        assert [turn.identity for turn in store.session("an-id", "ann").conversation] == ["identity"]
        assert store.create("ann").turns == 0


def test_a_table_that_is_changed_takes_no_row_with_it(url: str, tmp_path: Path) -> None:
    """SQLite changes a table by making it again; what points there must survive."""
    with SessionStore.open(url) as store:
        _write(store._database.engine)
        migrate(store._database, folder=_with_a_later_one(tmp_path, store))
        _is_whole(store)
        store.delete("an-id", "ann")
        with store._database.reading() as connection:
            assert connection.exec_driver_sql("SELECT count(*) FROM event").scalar() == 0


def test_a_database_of_a_newer_release_is_refused(url: str, tmp_path: Path) -> None:
    with SessionStore.open(url) as store:
        migrate(store._database, folder=_with_a_later_one(tmp_path, store))
    with pytest.raises(StoreError, match=r"was made by a newer release of Heartfelt \(its tables are 'later'\)"):
        SessionStore.open(url)


def test_the_migrations_lead_to_the_tables_of_this_release(store: SessionStore) -> None:
    with store._database.reading() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
        assert compare_metadata(context, METADATA) == []
        assert context.get_current_revision() == _revisions()[-1]
        assert set(inspect(connection).get_table_names()) == {*METADATA.tables, VERSION_TABLE}


def test_opening_again_changes_nothing_and_says_nothing(
    url: str, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    with SessionStore.open(url) as store:
        made = store.create("ann")
    with SessionStore.open(url) as store:
        assert store.session(made.id, "ann") == made
    assert capfd.readouterr() == ("", "")
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


def test_threads_may_open_at_once(url: str) -> None:
    with ThreadPoolExecutor(4) as threads:
        stores = list(threads.map(SessionStore.open, [url, "sqlite://"] * 2))
    for store in stores:
        store.create("ann")
        store.close()


def test_a_folder_with_a_percent_sign_is_no_trouble(tmp_path: Path) -> None:
    folder = copytree(MIGRATIONS, tmp_path / "100%s", ignore=ignore_patterns("__pycache__"))
    memory = database("sqlite://")
    migrate(memory, folder=folder)
    memory.engine.dispose()


def _revisions() -> list[str]:
    """From the first to the last."""
    return [each.revision for each in ScriptDirectory(str(MIGRATIONS)).walk_revisions()][::-1]


def _with_a_later_one(tmp_path: Path, store: SessionStore) -> Path:
    folder = copytree(MIGRATIONS, tmp_path / "migrations", ignore=ignore_patterns("__pycache__"))
    recreate = "always" if store._database.is_sqlite else "auto"
    (folder / "versions" / "later.py").write_text(LATER.format(head=_revisions()[-1], recreate=recreate))
    return folder


def _write(engine: Engine) -> None:
    with engine.begin() as connection:
        for name, row in FIRST.items():
            connection.execute(insert(Table(name, MetaData(), autoload_with=connection)).values(row))


def _is_whole(store: SessionStore) -> None:
    session = store.session("an-id", "ann")
    (turn,) = session.conversation
    assert (session.title, session.touched, turn.said, turn.reply) == ("title", NOW, "said", "reply")
    assert store.events("an-id", 0) == ((False, "{}"),)
