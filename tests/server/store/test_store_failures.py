"""Full, read-only, locked, damaged, gone: each is one sentence that says what to do, and never a loss of what was kept."""

import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine

from heartfelt.errors import DiskFullError, MissingExtra, StoreError, UsageError
from heartfelt.server.store import SessionStore, sessions
from heartfelt.server.store import database as databases

Urls = Callable[[str], str]
Say = Callable[..., int]


@pytest.fixture
def pragmas(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Makes SQLite behave as it does in a bad place."""

    def use(*more: str) -> None:
        monkeypatch.setattr(databases, "PRAGMAS", ("busy_timeout=50", "foreign_keys=ON", *more))

    return use


def test_a_full_disk_is_told_and_harms_nothing(urls: Urls, say: Say, pragmas: Callable[..., None]) -> None:
    with SessionStore.open(urls("file")) as store:
        made = store.create("ann").id
        say(store, made, "before")
    pragmas("max_page_count=20")
    with SessionStore.open(urls("file")) as store:
        with pytest.raises(DiskFullError, match=r"no space left for .*sessions\.db\. Free some"):
            say(store, made, "x" * 200_000)
        assert say(store, made, "small") == 1
        assert [turn.said for turn in store.session(made, "ann").conversation] == ["before", "small"]


def test_a_file_that_may_not_be_written_is_told(file_store: SessionStore, urls: Urls, pragmas: Callable[..., None]) -> None:
    pragmas("query_only=ON")
    with pytest.raises(StoreError, match=r"sessions\.db cannot be written: it or its folder is read-only\. Let"):
        SessionStore(databases.database(urls("file"))).create("ann")


def test_a_place_that_is_a_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"cannot be opened\. Name a file"):
        SessionStore.open(f"sqlite:///{tmp_path}")


def test_a_folder_that_is_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match=r"cannot be written: (File exists|Not a directory)\. Name a place"):
        SessionStore.open(f"sqlite:///{tmp_path}/file/sessions.db")


def test_a_locked_file_is_told_and_works_again_after(urls: Urls, folder: Path, pragmas: Callable[..., None]) -> None:
    pragmas()
    with SessionStore.open(urls("file")) as store:
        other = sqlite3.connect(folder / "sessions.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match=r"is held by another program\. Close whatever"):
            store.create("ann")
        assert store.list("ann") == ()
        other.close()
        assert store.create("ann").turns == 0


def test_a_file_that_is_no_database_is_told_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("These are my notes, and not a database. " * 200)
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"is damaged, or no database\. Put back a copy"):
        SessionStore.open(f"sqlite:///{path}")
    assert path.read_bytes() == before


def test_a_damaged_file_is_told(urls: Urls, folder: Path, say: Say) -> None:
    with SessionStore.open(urls("file")) as store:
        made = store.create("ann").id
        for _ in range(20):
            say(store, made, "words " * 500)
    path = folder / "sessions.db"
    whole = path.read_bytes()
    path.write_bytes(whole[:8192] + b"\xff" * (len(whole) - 8192))
    with pytest.raises(StoreError, match=r"is damaged"), SessionStore.open(urls("file")) as store:
        store.session(made, "ann")


def test_a_file_that_was_removed_is_not_healthy(file_store: SessionStore, folder: Path) -> None:
    file_store.healthy()
    (folder / "sessions.db").unlink()
    with pytest.raises(StoreError, match="was removed or replaced while it was open"):
        file_store.healthy()


@pytest.mark.parametrize("replaced", [False, True])
def test_nothing_is_taken_into_a_file_that_was_removed(
    file_store: SessionStore, folder: Path, replaced: bool, say: Say
) -> None:
    made = file_store.create("ann").id
    file = folder / "sessions.db"
    copy = file.read_bytes()
    if replaced:
        file.with_name("other.db").write_bytes(copy)
        file.with_name("other.db").rename(file)
    else:
        file.unlink()
    for attempt in (lambda: file_store.create("ann"), lambda: say(file_store, made, "lost"), lambda: file_store.list("ann")):
        with pytest.raises(StoreError, match="Nothing is kept until it is back: end the server, put the file in its place"):
            attempt()


def test_a_session_can_be_deleted_though_the_disk_is_full(
    file_store: SessionStore, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Space that was set aside is given up for it, and taken again when there is some."""
    made, reserve, remove = file_store.create("ann").id, folder / ".sessions.db.reserve", sessions.remove
    assert reserve.stat().st_size == 8 * 1024 * 1024

    def full(*given: Any) -> None:
        if reserve.exists():
            raise DiskFullError("There is no space left.")
        remove(*given)

    monkeypatch.setattr(sessions, "remove", full)
    file_store.delete(made, "ann")
    assert file_store.list("ann") == () and reserve.exists()


def test_every_kind_of_store_is_healthy(store: SessionStore) -> None:
    store.healthy()


def test_a_postgres_that_is_away_is_told_without_its_password() -> None:
    with pytest.raises(StoreError, match=r"cannot be reached\. Look whether it runs") as told:
        SessionStore.open("postgresql://ann:s3cret@127.0.0.1:1/x?connect_timeout=1")
    assert "s3cret" not in str(told.value)
    assert "127.0.0.1:1/x" in str(told.value)


@pytest.mark.xdist_group("postgres")
@pytest.mark.parametrize(
    ("state", "kind", "told"),
    [
        ("53100", DiskFullError, "There is no space left for"),
        ("25006", StoreError, "read-only"),
        ("57P01", StoreError, "cannot be reached"),
        ("53300", StoreError, "takes no more connections"),
        ("XX001", StoreError, "is damaged"),
        ("P0001", StoreError, "refused: it is so. Look into it"),
    ],
)
def test_what_postgres_says_is_told(urls: Urls, state: str, kind: type[StoreError], told: str) -> None:
    with SessionStore.open(urls("postgres")) as store:
        _fail_with(store._database.engine, state)
        with pytest.raises(StoreError, match=told) as failed:
            store.create("ann")
        assert type(failed.value) is kind


@pytest.mark.xdist_group("postgres")
def test_a_broken_connection_is_mended_by_itself(urls: Urls) -> None:
    with SessionStore.open(urls("postgres")) as store:
        store.create("ann")
        with store._database.engine.connect() as other:
            other.exec_driver_sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
        assert len(store.list("ann")) == 1


def test_postgres_without_its_driver_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtra, match=r"heartfelt\[postgres\]"):
        SessionStore.open("postgresql://localhost/x")


@pytest.mark.parametrize("url", ["", "sessions.db", "mysql://localhost/x", "postgresql://localhost:port/x"])
def test_an_address_of_no_database_is_told(url: str) -> None:
    with pytest.raises(UsageError, match="Write sqlite:///PATH or postgresql://"):
        SessionStore.open(url)


def _fail_with(engine: Engine, state: str) -> None:
    """From now on, the server says that to every new session."""
    with engine.begin() as connection:
        body = f"BEGIN RAISE EXCEPTION 'it is so' USING ERRCODE = '{state}'; END"
        connection.exec_driver_sql(
            f"CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS '{body.replace(chr(39), chr(39) * 2)}'"
        )
        connection.exec_driver_sql("CREATE TRIGGER fail BEFORE INSERT ON session EXECUTE FUNCTION fail()")
