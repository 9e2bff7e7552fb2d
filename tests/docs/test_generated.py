"""The generated pages are what the code says, on any terminal."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "docs" / "generate.py"


@pytest.fixture(scope="module")
def generate() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", SCRIPT)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_they_are_up_to_date(generate: ModuleType) -> None:
    stale = generate.stale()
    assert not stale, f"Out of date: {', '.join(stale)}. Write them again with: python docs/generate.py"


@pytest.mark.parametrize("columns", ["40", "200"])
def test_the_terminal_changes_nothing(columns: str) -> None:
    terminal = {"COLUMNS": columns, "TERM": "dumb" if columns == "40" else "xterm-256color", "FORCE_COLOR": "1"}
    told = subprocess.run(
        [sys.executable, SCRIPT, "--check"], env=os.environ | terminal, capture_output=True, text=True, check=False
    )
    assert told.returncode == 0, told.stdout + told.stderr


def test_every_variable_that_is_read_is_documented() -> None:
    settings = (ROOT / "docs" / "reference" / "settings.md").read_text("utf-8")
    reads = re.compile(r"""(?:environ(?:\.get)?[(\[]|envvar=)\s*["']([A-Z_]+)["']""")
    found = {name for path in (ROOT / "src").rglob("*.py") for name in reads.findall(path.read_text("utf-8"))}
    assert found >= {"HEARTFELT_HOME", "HEARTFELT_MODEL"}, "the search itself must find something"
    assert {name for name in found if f"`{name}`" not in settings} == set()
