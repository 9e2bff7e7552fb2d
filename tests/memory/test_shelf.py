import sqlite3
import threading
from pathlib import Path

import pytest

from heartfelt.errors import InputError
from heartfelt.memory import ExemplarStore, HashEmbedder
from heartfelt.memory.shelf import FORMAT, open_shelf
from heartfelt.records import Exemplar


class Other(HashEmbedder):
    name = "other"


def test_vectors_of_another_embedder_are_refused(tmp_path: Path):
    path = tmp_path / "memory.sqlite"
    ExemplarStore(path, HashEmbedder()).close()
    with pytest.raises(InputError, match=r"embedded by hashed-words and cannot be searched by other"):
        ExemplarStore(path, Other())


def test_a_format_of_the_future_is_refused(tmp_path: Path):
    path = tmp_path / "memory.sqlite"
    connection = open_shelf(path, "x")
    connection.execute(f"PRAGMA user_version = {FORMAT + 1}")
    connection.close()
    with pytest.raises(InputError, match="Update Heartfelt"):
        open_shelf(path, "x")


def test_a_file_that_is_no_database_is_refused_and_kept(tmp_path: Path):
    path = tmp_path / "notes.txt"
    path.write_text("dear diary, " * 100)
    with pytest.raises(InputError, match="cannot be used as a memory"):
        ExemplarStore(path, HashEmbedder())
    assert path.read_text().startswith("dear diary")


def test_a_missing_folder_is_named(tmp_path: Path):
    with pytest.raises(InputError, match="Is its folder there"):
        ExemplarStore(tmp_path / "nowhere" / "memory.sqlite", HashEmbedder())


def test_a_new_file_has_the_newest_format_and_a_write_ahead_log(tmp_path: Path):
    connection = open_shelf(tmp_path / "memory.sqlite", "x")
    assert connection.execute("PRAGMA user_version").fetchone() == (FORMAT,)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


def test_many_may_create_it_at_once(tmp_path: Path):
    failed: list[Exception] = []

    def work() -> None:
        try:
            open_shelf(tmp_path / "memory.sqlite", "x").close()
        except Exception as error:  # noqa: BLE001 - whatever a thread raises must reach the test
            failed.append(error)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed


def test_a_finished_memory_can_be_read_and_not_written(tmp_path: Path):
    with ExemplarStore(":memory:", HashEmbedder()) as store:
        store.add([Exemplar(situation="first snow", reply="Did it stay?", emotion="joyful")])
        store.save(tmp_path / "saved.sqlite")
    with ExemplarStore.finished(tmp_path / "saved.sqlite", HashEmbedder()) as store:
        assert store.search("snow", emotion="joyful", k=1, threshold=0.0)[0].match == "precise"
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            store.add([Exemplar(situation="a", reply="b", emotion="c")])
    assert [path.name for path in tmp_path.iterdir()] == ["saved.sqlite"]


def test_a_finished_memory_checks_its_embedder(tmp_path: Path):
    with ExemplarStore(":memory:", HashEmbedder()) as store:
        store.save(tmp_path / "saved.sqlite")
    with pytest.raises(InputError, match="cannot be searched by other"):
        ExemplarStore.finished(tmp_path / "saved.sqlite", Other())
