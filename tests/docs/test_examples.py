"""Each example runs as a newcomer runs it: as a script, in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("[0-9][0-9]_*.py"))
WITHOUT_WEIGHTS = {"09_a_scripted_model", "10_a_budget"}
LONG = {"04_recipes_and_ablations", "05_plant_a_fault"}
"""Many turns with a real model."""
LONGEST = 40
SECONDS = 300


@pytest.mark.parametrize(
    "example",
    [
        pytest.param(
            path,
            id=path.stem,
            marks=[*[pytest.mark.embedded] * (path.stem not in WITHOUT_WEIGHTS), *[pytest.mark.slow] * (path.stem in LONG)],
        )
        for path in EXAMPLES
    ],
)
@pytest.mark.xdist_group("embedded")
def test_it_runs_and_says_something(example: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(example)],
        env=os.environ | {"HEARTFELT_READER": "embedded:quick"},  # the large reader has tests of its own
        capture_output=True,
        text=True,
        timeout=SECONDS,
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
    assert not list(tmp_path.iterdir()), "an example leaves nothing behind"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_it_can_be_read_at_a_glance(example: Path) -> None:
    lines = example.read_text("utf-8").splitlines()
    assert len(lines) <= LONGEST
    assert lines[0].startswith('"""'), "an example begins by saying what it shows"


def test_they_are_numbered_without_a_gap() -> None:
    assert [int(path.name[:2]) for path in EXAMPLES] == list(range(1, len(EXAMPLES) + 1))
