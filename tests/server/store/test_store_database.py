"""How databases are opened: which URL means what, and how SQLite is told to be careful."""

import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from heartfelt.server.store import SessionStore
from heartfelt.server.store.database import database


@pytest.mark.parametrize("url", ["postgresql://ann@db/x", "postgres://ann@db/x", "postgresql+psycopg://ann@db/x"])
def test_postgres_is_spoken_to_by_psycopg(url: str) -> None:
    opened = database(url + "?application_name=mine")
    assert opened.engine.url.drivername == "postgresql+psycopg"
    assert opened.engine.url.query == {"application_name": "mine", "connect_timeout": "10"}


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:"])
def test_without_a_path_sqlite_is_in_memory(url: str) -> None:
    with SessionStore.open(url) as store:
        assert store.forgets


def test_sqlite_is_told_to_be_careful(file_store: SessionStore) -> None:
    wanted = {"journal_mode": "wal", "foreign_keys": 1, "busy_timeout": 60_000, "synchronous": 2, "secure_delete": 1}
    for _ in range(2):
        with file_store._database.reading() as one, file_store._database.reading() as other:
            for connection in (one, other):
                found = {name: connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in wanted}
                assert found == wanted


def test_nobody_else_on_the_machine_can_read_the_file(file_store: SessionStore, folder: Path) -> None:
    file_store.create("ann")
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.glob("sessions.db*")}
    assert modes == {"sessions.db": 0o600, "sessions.db-wal": 0o600, "sessions.db-shm": 0o600}


def test_a_relative_path_stays_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with SessionStore.open("sqlite:///here/sessions.db") as store:
        monkeypatch.chdir("/")
        store.create("ann")
    assert (tmp_path / "here" / "sessions.db").stat().st_size > 0


def test_the_list_of_an_owner_is_found_by_an_index(file_store: SessionStore) -> None:
    with file_store._database.reading() as connection:
        asked = "EXPLAIN QUERY PLAN SELECT * FROM session WHERE owner = 'ann' ORDER BY touched DESC LIMIT 200"
        plan = " ".join(row[3] for row in connection.exec_driver_sql(asked))
    assert "USING INDEX session_of_owner" in plan
    assert "TEMP B-TREE" not in plan


def test_a_failure_does_not_quote_what_was_said(file_store: SessionStore, say: Callable[..., int]) -> None:
    made = file_store.create("ann").id
    with file_store._database.writing() as connection:
        connection.exec_driver_sql("DROP TABLE event")
    say(file_store, made, "a secret")
    with pytest.raises(Exception, match="no such table") as failed:
        file_store.add_events(made, 0, [(False, '"a secret"')])
    assert "a secret" not in f"{failed.value} {failed.value.__cause__}"
