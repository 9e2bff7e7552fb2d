"""The page on security names only tests that exist."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "design" / "security.md").read_text("utf-8")
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)))


def test_every_kind_of_attack_is_shown_to_be_met() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith(("| who | what", "| ---"))]
    assert len(rows) > 15
    assert [row for row in rows if "`tests/" not in row and "the same test" not in row] == []


@pytest.mark.parametrize(("file", "test"), NAMED, ids="::".join)
def test_the_tests_that_it_names_exist(file: str, test: str) -> None:
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    assert test in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
