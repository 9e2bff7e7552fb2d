"""A release, checked step by step: each step is one line, and one that fails fails the release. Nothing is uploaded.

    make release          builds the web app first; what is to be uploaded then lies in dist/

The version and the changelog agree, the tree is clean, the web app is built, wheel and source archive come out the same
twice and hold what they should and nothing else, no vulnerability is known, and every part has a licence.
"""

import hashlib
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import audit
import sbom

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
WEB = Path("src", "heartfelt", "server", "web")
Run: TypeAlias = Callable[..., str]


@dataclass(frozen=True)
class Step:
    what: str
    fine: bool
    told: str

    def __str__(self) -> str:
        return f"{'✓' if self.fine else '✗'} {self.what}: {self.told}"


def run(*command: str, folder: Path = ROOT) -> str:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout


def version_and_changelog(root: Path = ROOT) -> Step:
    """The version stands in three places, and its entry in the changelog has a date."""
    version = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    heading = re.search(r"^## \[([^\]]+)\] - (.+)$", (root / "CHANGELOG.md").read_text("utf-8"), re.M)
    web = re.search(r'^  "version": "([^"]+)"', (root / "web" / "package.json").read_text("utf-8"), re.M)
    named = heading[1] if heading else "nothing"
    if version != named:
        return Step("version", False, f"pyproject.toml says {version}, the changelog begins with {named}")
    if not web or web[1] != version:
        return Step("version", False, f"pyproject.toml says {version}, web/package.json {web[1] if web else 'nothing'}")
    if not heading or not re.fullmatch(r"\d{4}-\d\d-\d\d", heading[2]):
        return Step("version", False, f"the changelog's entry of {version} has no date yet")
    return Step("version", True, f"{version}, of {heading[2]}")


def clean_tree(run: Run = run) -> Step:
    left = run("git", "status", "--porcelain").splitlines()
    told = f"{len(left)} files differ from the commit: {', '.join(line[3:] for line in left[:3])}" if left else "as committed"
    return Step("tree", not left, told)


def web_app(root: Path = ROOT) -> Step:
    """There, and not older than what it is made of."""
    built = root / WEB / "index.html"
    if not built.is_file():
        return Step("web app", False, "not built. Run: make web")
    sources = [path for place in ("src", "public") for path in (root / "web" / place).rglob("*") if path.is_file()]
    newer = [path for path in sources if path.stat().st_mtime > built.stat().st_mtime]
    if newer:
        return Step("web app", False, f"older than {newer[0].relative_to(root)}. Run: make web")
    return Step("web app", True, "built")


def same_twice(folder: Path) -> Step:
    """Builds both twice; those of the second time go to `dist`."""
    try:
        first, second = build(ROOT, folder / "first"), build(ROOT, DIST)
    except subprocess.CalledProcessError as error:
        return Step("build", False, (error.stderr or error.stdout).strip().splitlines()[-1])
    differ = [one.name for one, other in zip(first, second, strict=True) if digest(one) != digest(other)]
    sizes = ", ".join(f"{path.name} {path.stat().st_size / 1e6:.0f} MB" for path in second)
    return Step("build", not differ, f"differs the second time: {', '.join(differ)}" if differ else f"twice the same: {sizes}")


def from_archive(folder: Path) -> Step:
    """Whoever has only the source archive builds the same wheel."""
    wheel, archive = made()
    with tarfile.open(archive) as packed:
        packed.extractall(folder / "unpacked", filter="data")
    [top] = (folder / "unpacked").iterdir()
    [again] = build(top, folder / "again", "wheel")
    same = digest(again) == digest(wheel)
    return Step("source archive", same, "makes the same wheel" if same else "makes another wheel than the tree does")


def contents(run: Run = run) -> Step:
    """The package as committed, the web app as built, and the four files that tell what it is."""
    wheel, _ = made()
    with zipfile.ZipFile(wheel) as packed:
        names = {name for name in packed.namelist() if ".dist-info/" not in name}
    wanted = {line.removeprefix("src/") for line in run("git", "ls-files", "src").splitlines()}
    wanted |= {str(path.relative_to(ROOT / "src")) for path in (ROOT / WEB).rglob("*") if path.is_file()}
    if missing := sorted(wanted - names):
        return Step("contents", False, f"{len(missing)} files are missing: {', '.join(missing[:3])}")
    if foreign := sorted(names - wanted):
        return Step("contents", False, f"{len(foreign)} files do not belong there: {', '.join(foreign[:3])}")
    return Step("contents", True, f"{len(names)} files, none missing, none foreign")


def vulnerabilities() -> Step:
    verdicts = [audit.python_packages(), audit.web_packages()]
    found = [finding for verdict in verdicts for finding in verdict.findings]
    told = "; ".join(str(verdict) for verdict in verdicts)
    unknown = [verdict for verdict in verdicts if not verdict.audited]
    return Step("audit", not (found or unknown), told + "".join(f"; {finding}" for finding in found))


def bill_of_materials() -> Iterator[Step]:
    bom, licences, shipped = sbom.write(DIST)
    yield Step("parts", True, f"{len(shipped)} in {bom.relative_to(ROOT)}")
    unknown = [part.name for part in shipped if part.licence == sbom.UNKNOWN]
    kinds = len({part.licence for part in shipped})
    told = f"nobody knows that of {', '.join(unknown)}" if unknown else f"{kinds} in {licences.relative_to(ROOT)}"
    yield Step("licences", not unknown, told)


def build(tree: Path, folder: Path, *kinds: str) -> list[Path]:
    """What hatch makes of a tree; the commit's moment is in the environment."""
    asked = [word for kind in kinds or ("wheel", "sdist") for word in ("-t", kind)]
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", str(folder), *asked],
        cwd=tree,
        capture_output=True,
        text=True,
        check=True,
    )
    return sorted([*folder.glob("heartfelt-*.whl"), *folder.glob("heartfelt-*.tar.gz")])


def made() -> tuple[Path, Path]:
    [wheel], [archive] = [*DIST.glob("heartfelt-*.whl")], [*DIST.glob("heartfelt-*.tar.gz")]
    return wheel, archive


def digest(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def steps(folder: Path) -> Iterator[Step]:
    yield version_and_changelog()
    yield clean_tree()
    yield (app := web_app())
    if app.fine:
        yield (built := same_twice(folder))
        if built.fine:
            yield contents()
            yield from_archive(folder)
    yield vulnerabilities()
    yield from bill_of_materials()


def main() -> int:
    os.environ["SOURCE_DATE_EPOCH"] = run("git", "log", "-1", "--format=%ct").strip()
    for old in [*DIST.glob("heartfelt-*")] if DIST.is_dir() else []:
        old.unlink()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for step in steps(Path(folder)):
            print(step, flush=True)
            failed += not step.fine
    print(f"Not yet: {failed} of these steps." if failed else f"Ready: {DIST.relative_to(ROOT)}/. Nothing was uploaded.")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
