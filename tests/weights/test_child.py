import errno
import sys
import time
from pathlib import Path

import pytest

from heartfelt.weights import child
from heartfelt.weights.child import ChildFailed, folder_size, run


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def alive(pid: int) -> bool:
    """A killed grandchild that nobody has waited for yet is a zombie, and as good as gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.fixture(autouse=True)
def _look_often(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(child, "_POLL_SECONDS", 0.02)


def test_progress_is_the_growth_of_the_folder(tmp_path: Path):
    code = """
import tempfile, time
with tempfile.NamedTemporaryFile(delete=False) as file:
    for _ in range(5):
        file.write(bytes(1000)); file.flush(); time.sleep(0.1)
"""
    seen: list[int] = []
    run(python(code), tmp_path, seen.append)
    assert seen == sorted(seen)
    assert {1000, 2000, 3000, 4000} & set(seen)


def test_a_failure_carries_what_the_child_said(tmp_path: Path):
    with pytest.raises(ChildFailed) as caught:
        run(python("import sys; print('one'); sys.exit('two')"), tmp_path, lambda _: None)
    assert {"one", "two"} <= set(caught.value.output.split())


def test_a_talkative_child_does_not_hang(tmp_path: Path):
    run(python("print('x' * 5_000_000)"), tmp_path, lambda _: None)


def test_a_program_that_is_not_there_is_the_clients_failure(tmp_path: Path):
    with pytest.raises(ChildFailed, match="cannot be started"):
        run([str(tmp_path / "none")], tmp_path, lambda _: None)


@pytest.mark.parametrize(
    "words", ["ERROR: Could not install: [Errno 28] No space left on device: '/x'", "npm error code ENOSPC"]
)
def test_a_disk_that_fills_up_under_the_child(tmp_path: Path, words: str):
    with pytest.raises(OSError) as caught:
        run(python(f"import sys; sys.exit({words!r})"), tmp_path, lambda _: None)
    assert caught.value.errno == errno.ENOSPC


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks into /proc")
def test_an_interrupt_ends_the_child_and_its_children(tmp_path: Path):
    code = """
import subprocess, sys, time, os
other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
open("PIDS.part", "w").write(f"{os.getpid()} {other.pid}")
os.replace("PIDS.part", "PIDS")
time.sleep(60)
""".replace("PIDS", str(tmp_path / "pids"))

    def interrupt(_: int) -> None:
        if (tmp_path / "pids").exists():
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(python(code), tmp_path, interrupt)
    pids = [int(pid) for pid in (tmp_path / "pids").read_text().split()]
    deadline = time.monotonic() + 5
    while any(alive(pid) for pid in pids) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not any(alive(pid) for pid in pids)


def test_the_child_asks_nothing(tmp_path: Path):
    """Standard input is closed: a client that wants to ask for a password fails instead of waiting for ever."""
    with pytest.raises(ChildFailed, match="EOFError"):
        run(python("input()"), tmp_path, lambda _: None)


def test_folder_size_counts_below_and_does_not_follow_links(tmp_path: Path):
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "c").write_bytes(bytes(1000))
    (tmp_path / "a" / "usr").symlink_to("/usr")
    assert 1000 <= folder_size(tmp_path) < 1100
