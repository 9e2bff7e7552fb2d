"""What was deleted cannot be found in any file, by whatever way it came there."""

import shutil
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from heartfelt.errors import StoreError
from heartfelt.records import Readings
from heartfelt.server.store import SessionStore, erasing
from heartfelt.server.wire import Afterthought, SessionChange, Times

MARK = "qzxjvkwy"


def test_no_byte_of_a_deleted_session_is_left(file_store: SessionStore, folder: Path) -> None:
    gone = _fill(file_store, MARK)
    stays = _fill(file_store, "stays")
    assert _holds(folder, MARK)
    file_store.delete(gone, f"owner {MARK}")
    assert not _holds(folder, MARK)
    assert not _holds(folder, gone)
    assert _holds(folder, "stays")
    assert file_store.session(stays, "owner stays").turns == 12


def test_no_byte_of_an_expired_session_is_left(file_store: SessionStore, folder: Path) -> None:
    _fill(file_store, MARK)
    assert file_store.expire(datetime.now(UTC) + timedelta(days=1)) == 1
    assert not _holds(folder, MARK)


def test_no_corner_of_a_page_keeps_a_copy(file_store: SessionStore, folder: Path) -> None:
    """Rows that grew and moved leave copies that `secure_delete` never sees. Here they are made on purpose."""
    gone, stays = _fill(file_store, "gone"), _fill(file_store, "stays")
    with closing(sqlite3.connect(folder / "sessions.db", isolation_level=None)) as careless:
        careless.execute("PRAGMA secure_delete=OFF")
        for nth in range(9):
            careless.execute("INSERT INTO event VALUES (?, 0, ?, 0, ?, 0)", (gone, 100 + nth, MARK * 4**nth))
        careless.execute("DELETE FROM event WHERE seq >= 100")
    assert _holds(folder, MARK)
    file_store.delete(gone, "owner gone")
    assert not _holds(folder, MARK)
    assert file_store.session(stays, "owner stays").turns == 12


def test_a_kill_before_it_was_erased_is_made_good_at_the_next_start(
    file_store: SessionStore, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The files as they are at that moment are what a kill would leave."""
    gone, stays = _fill(file_store, MARK), _fill(file_store, "stays")
    with monkeypatch.context() as patch:
        patch.setattr(erasing, "settle", lambda _: None)
        file_store.delete(gone, f"owner {MARK}")
    left = shutil.copytree(folder, tmp_path / "left")
    assert _holds(left, MARK)
    with SessionStore.open(f"sqlite:///{left}/sessions.db") as store:
        assert not _holds(left, MARK)
        assert store.session(stays, "owner stays").turns == 12


def test_another_worker_that_has_it_open_is_no_hindrance(file_store: SessionStore, folder: Path) -> None:
    gone = _fill(file_store, MARK)
    with SessionStore.open(f"sqlite:///{folder}/sessions.db") as other:
        assert other.session(gone, f"owner {MARK}").turns == 12
        file_store.delete(gone, f"owner {MARK}")
        assert not _holds(folder, MARK)


def test_whoever_reads_for_long_is_named_as_the_cause(
    urls: Callable[[str], str], folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("heartfelt.server.store.database.PRAGMAS", ("busy_timeout=50", "foreign_keys=ON", "secure_delete=ON"))
    with SessionStore.open(urls("file")) as store:
        gone = _fill(store, MARK)
        reader = sqlite3.connect(folder / "sessions.db", isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM session").fetchall()
        with pytest.raises(StoreError, match=r"still in a file\. .* is being read by another program\. Close"):
            store.delete(gone, f"owner {MARK}")
        SessionStore.open(urls("file")).close()
        assert "still in a file" in caplog.text
        reader.close()
        assert store.list(f"owner {MARK}") == ()
        store.expire(datetime(2020, 1, 1, tzinfo=UTC))
        assert not _holds(folder, MARK)


def _fill(store: SessionStore, mark: str) -> str:
    """The mark in every text of every table, and in texts that were written over."""
    owner = f"owner {mark}"
    session = store.create(owner, recipe=mark, model=mark, identity=mark, title=f"before {mark}").id
    store.change(session, owner, SessionChange(title=mark))
    for nth in range(12):
        said = f"{mark} " * (1 + 40 * nth)
        given = {"readings": Readings(duration=1, shares={mark: 1.0}), "worker": mark, "lease_until": time.time()}
        number = store.begin_turn(session, said=said, by="typed", **given).number
        store.add_events(session, number, [(False, f'"an event of before, {mark}"')])
        store.clear_events(session, number)
        store.add_events(session, number, [(False, f'"{mark * size}"') for size in (1, 30, 900, 9000)])
        changes = {"reply": mark, "heard": mark, "emotion": mark, "error": mark, "times": Times(first_word_ms=1.5)}
        after = Afterthought(step=mark, problem=mark, instruction=mark, rather=mark * 300)
        store.change_turn(session, number, **changes, afterthought=after)  # pyright: ignore[reportArgumentType]
    return session


def _holds(folder: Path, mark: str) -> bool:
    return any(mark.encode() in file.read_bytes() for file in folder.rglob("*") if file.is_file())
