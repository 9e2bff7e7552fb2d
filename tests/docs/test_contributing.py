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


def patched(text: str, diff: str, where: str) -> str:
    """Each hunk stands once in the text, and becomes what the diff makes of it."""
    for hunk in re.split(r"^@@\n", diff, flags=re.M):
        lines = hunk.splitlines(keepends=True)
        old, new = ("".join(line[1:] or "\n" for line in lines if line[0] in f"{sign} \n") for sign in "-+")
        assert text.count(old) == 1, f"{where} has this {text.count(old)} times, where a page has it once:\n{old}"
        text = text.replace(old, new)
    return text


def follow(page: Path, copy: Path) -> None:
    for path, language, text in written(page):
        file = copy / path
        assert file.exists() is (language == "diff"), path
        if language == "diff":
            text = patched(file.read_text("utf-8"), text, path)
            file.unlink()  # it is a link to the original
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")


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
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository as it is when all pages were followed."""
    copy = tmp_path_factory.mktemp("heartfelt")
    shutil.copytree(ROOT / "src", copy / "src", copy_function=os.symlink)
    for folder in ("tests", "docs"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__", "*.jpg", "*.png"))
    for name in ("experiments", "samples"):
        (copy / name).symlink_to(ROOT / name)
    shutil.copy(ROOT / "pyproject.toml", copy)
    for page in PAGES:
        follow(page, copy)
    return copy


@pytest.fixture(scope="module")
def outcomes(copy: Path) -> str:
    tests = [test for page in PAGES for test in new_tests(page)]
    done = run(copy, "-m", "pytest", "-q", "-rA", "-p", "no:cacheprovider", "-p", "no:xdist", *tests)
    return done.stdout + done.stderr


def test_there_is_a_page_for_each_thing_that_is_added() -> None:
    assert {page.stem for page in PAGES} == THINGS
    links = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    assert all(f"(docs/contributing/{thing}.md)" in links for thing in THINGS)


@pytest.mark.xdist_group("contributing")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_its_tests_pass_once_it_is_followed(page: Path, outcomes: str) -> None:
    tests = new_tests(page)
    assert tests, "a page brings a test"
    assert all(f"PASSED {test}" in outcomes for test in tests), outcomes
    assert not any(f"{ended} {test}" in outcomes for test in tests for ended in ("FAILED", "ERROR")), outcomes


@pytest.mark.xdist_group("contributing")
def test_the_generated_pages_hold_what_was_added(copy: Path) -> None:
    done = run(copy, "docs/generate.py")
    assert done.returncode == 0, done.stderr
    for name, text in GENERATED.items():
        assert text in (copy / "docs" / "reference" / name).read_text("utf-8"), name
        assert text not in (ROOT / "docs" / "reference" / name).read_text("utf-8"), "the copy alone was written"


def test_a_diff_that_no_longer_fits_is_noticed() -> None:
    with pytest.raises(AssertionError, match="0 times"):
        patched("a\nb\n", " a\n+x\n c\n", "here")
    assert patched("a\n\nb\n", " a\n\n-b\n+c\n", "here") == "a\n\nc\n"
