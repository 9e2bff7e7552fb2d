"""The folder of a run: what is refused, what is remembered, what a failing disk becomes."""

import errno
from pathlib import Path

import pytest
from filelock import FileLock

from heartfelt.errors import DiskFullError, UsageError
from heartfelt.tuning import folder as folders
from heartfelt.tuning.folder import Folder, opened, require_room


def test_settings_are_written_once_a_stage_begins(tmp_path: Path):
    folder = Folder(tmp_path)
    folder.ask(seed=3, licence=None, training={"rate": 0.1})
    assert not (tmp_path / "run.json").exists()
    folder.begin("examples", {"seed": 3})
    again = Folder(tmp_path)
    assert again.settings == folder.settings and again.record.versions["heartfelt"]
    assert again.standing("examples", {"seed": 3}, []) == "begun"
    again.finish("examples", {"words": "done"}, 1.0)
    assert again.standing("examples", {"seed": 3}, []) == "done"
    assert again.standing("examples", {"seed": 3}, [tmp_path / "gone"]) == "begun"
    assert again.standing("examples", {"seed": 4}, []) == "other" and again.standing("train", {}, []) == "new"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("holiday.jpg", "", "is not the folder of a tuning run: it holds other things"),
        ("run.json", "{", "is damaged"),
        ("run.json", '{"laps": 12}', "is not the record of a tuning run"),
        ("run.json", '{"format": 99}', "was written by another version"),
    ],
)
def test_a_folder_of_something_else_is_refused_and_left_as_it_is(tmp_path: Path, name: str, content: str, message: str):
    (tmp_path / name).write_text(content)
    with pytest.raises(UsageError, match=message), opened(tmp_path):
        pass
    assert [each.name for each in tmp_path.iterdir()] == [name]


def test_a_file_is_no_folder(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="is a file"), opened(tmp_path / "file"):
        pass


def test_a_refused_command_leaves_no_folder_behind(tmp_path: Path):
    with pytest.raises(UsageError, match="no"), opened(tmp_path / "run"):
        raise UsageError("no")
    assert not (tmp_path / "run").exists()


def test_two_processes_do_not_work_in_one_folder(tmp_path: Path):
    with FileLock(tmp_path / ".lock"), pytest.raises(UsageError, match="Another process is at work"), opened(tmp_path):
        pass


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.ENOSPC, "No space left on device"),
        RuntimeError("[enforce fail at inline_container.cc:626] . unexpected pos"),
    ],
    ids=["from the system", "from torch"],
)
def test_a_full_disk_is_one_message(tmp_path: Path, error: Exception):
    with pytest.raises(DiskFullError, match=r"There is no space left for .* it goes on from there"), opened(tmp_path):
        raise error
    with pytest.raises(RuntimeError, match="of another kind"), opened(tmp_path):
        raise RuntimeError("of another kind")


def test_room_is_asked_for_before_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    require_room(tmp_path, 1)
    monkeypatch.setattr(folders, "free_bytes", lambda _root: 5_000_000)
    with pytest.raises(DiskFullError, match=r"5\.0 MB are free, and this stage needs about 7\.0 MB"):
        require_room(tmp_path, 7_000_000)


def test_a_name_that_is_no_file_name_is_refused(tmp_path: Path):
    with pytest.raises(UsageError, match="cannot be the name of a file"):
        Folder(tmp_path).ask(name="a/b")
