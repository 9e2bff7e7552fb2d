"""The pages of docs/contributing are followed to the letter, in a copy of the repository: new files are written, diffs applied.

Then the tests that the pages bring must pass there, and the generated pages must come to hold what was added.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs" / "contributing").glob("*.md"))
THINGS = {"back-end", "dataset", "emotion", "metric", "recipe", "safety-rule", "step", "voice"}
GENERATED = {
    "recipes.md": "## gentle",
    "labels.md": "### daily",
    "records.md": "Need",
    "safety-protocol.md": "gambles to bear it",
}
_BLOCK = re.compile(r"^(New file|In) `([^`]+)`:\n\n```(\w+)\n(.*?)^```$", re.M | re.S)


def written(page: Path) -> list[tuple[str, str, str]]:
    """(file, language, text) for each block that goes into a file."""
    return [(path, language, text) for _, path, language, text in _BLOCK.findall(page.read_text("utf-8"))]


def new_tests(page: Path) -> list[str]:
    return [path for path, language, _ in written(page) if path.startswith("tests/") and language != "diff"]


class NoLongerFits(Exception):
    """A page quotes what the code does not have, or has twice."""


def patched(text: str, diff: str, page: str, path: str) -> str:
    """Each hunk stands once in the text, and becomes what the diff makes of it."""
    for hunk in re.split(r"^@@\n", diff, flags=re.M):
        lines = hunk.splitlines(keepends=True)
        old, new = ("".join(line[1:] or "\n" for line in lines if line[0] in f"{sign} \n") for sign in "-+")
        if text.count(old) != 1:
            times = f"These lines are there {text.count(old)} times, and should be once:\n{old}"
            raise NoLongerFits(f"docs/contributing/{page} no longer fits {path}: bring its diff up to date. {times}")
        text = text.replace(old, new)
    return text


def followed(page: Path, copy: Path) -> dict[str, str]:
    """What each file becomes by a page; nothing is written yet."""
    files: dict[str, str] = {}
    for path, language, text in written(page):
        if (copy / path).exists() is not (language == "diff"):
            there = "is there already" if language != "diff" else "is not there"
            raise NoLongerFits(f"docs/contributing/{page.name} no longer fits {path}, which {there}: bring it up to date.")
        before = files.get(path) or ((copy / path).read_text("utf-8") if language == "diff" else "")
        files[path] = patched(before, text, page.name, path) if language == "diff" else text
    return files


def write(files: dict[str, str], copy: Path) -> None:
    for path, text in files.items():
        (copy / path).unlink(missing_ok=True)  # it may be a link to the original
        (copy / path).parent.mkdir(parents=True, exist_ok=True)
        (copy / path).write_text(text, "utf-8")


def run(copy: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=copy,
        env=os.environ | {"PYTHONPATH": str(copy / "src")},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[Path, str]]:
    """The repository as it is when all pages were followed, and why some could not be: they are left out whole."""
    copy = tmp_path_factory.mktemp("heartfelt")
    shutil.copytree(ROOT / "src", copy / "src", copy_function=os.symlink)
    for folder in ("tests", "docs"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__", "*.jpg", "*.png"))
    for name in ("experiments", "samples"):
        (copy / name).symlink_to(ROOT / name)
    shutil.copy(ROOT / "pyproject.toml", copy)
    unfit: dict[Path, str] = {}
    for page in PAGES:
        try:
            write(followed(page, copy), copy)
        except NoLongerFits as error:
            unfit[page] = str(error)
    return copy, unfit


@pytest.fixture(scope="module")
def outcomes(made: tuple[Path, dict[Path, str]]) -> str:
    copy, unfit = made
    tests = [test for page in PAGES if page not in unfit for test in new_tests(page)]
    done = run(copy, "-m", "pytest", "-q", "-rA", "-p", "no:cacheprovider", "-p", "no:xdist", *tests)
    return done.stdout + done.stderr


def test_there_is_a_page_for_each_thing_that_is_added() -> None:
    assert {page.stem for page in PAGES} == THINGS
    links = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    assert all(f"(docs/contributing/{thing}.md)" in links for thing in THINGS)


@pytest.mark.xdist_group("contributing")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_its_tests_pass_once_it_is_followed(page: Path, made: tuple[Path, dict[Path, str]], outcomes: str) -> None:
    assert page not in made[1], made[1][page]
    tests = new_tests(page)
    assert tests, "a page brings a test"
    assert all(f"PASSED {test}" in outcomes for test in tests), outcomes
    assert not any(f"{ended} {test}" in outcomes for test in tests for ended in ("FAILED", "ERROR")), outcomes


@pytest.mark.xdist_group("contributing")
def test_the_generated_pages_hold_what_was_added(made: tuple[Path, dict[Path, str]]) -> None:
    copy, unfit = made
    assert not unfit, "\n".join(unfit.values())
    done = run(copy, "docs/generate.py")
    assert done.returncode == 0, done.stderr
    for name, text in GENERATED.items():
        assert text in (copy / "docs" / "reference" / name).read_text("utf-8"), name
        assert text not in (ROOT / "docs" / "reference" / name).read_text("utf-8"), "the copy alone was written"


def test_a_diff_that_no_longer_fits_is_noticed() -> None:
    with pytest.raises(
        NoLongerFits, match=r"contributing/step\.md no longer fits src/a\.py: bring its diff up to date\..*0 times"
    ):
        patched("a\nb\n", " a\n+x\n c\n", "step.md", "src/a.py")
    assert patched("a\n\nb\n", " a\n\n-b\n+c\n", "step.md", "src/a.py") == "a\n\nc\n"
