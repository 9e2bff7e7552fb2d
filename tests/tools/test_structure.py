"""The figures of the code's structure hold."""

import ast
import importlib.util
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="module")
def structure() -> ModuleType:
    path = Path(__file__).parents[2] / "tools" / "structure.py"
    spec = importlib.util.spec_from_file_location("structure", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def trees(structure: ModuleType) -> dict[str, ast.Module]:
    """Read once: there are some seven hundred files."""
    return structure.modules()


def test_no_two_classes_have_the_same_name(structure: ModuleType, trees: dict[str, ast.Module]):
    assert structure.same_names(trees) == {}


def test_no_package_leads_back_to_itself(structure: ModuleType, trees: dict[str, ast.Module]):
    assert structure.circles(trees) == []


def test_no_name_is_one_that_the_glossary_forbids(structure: ModuleType, trees: dict[str, ast.Module]):
    assert structure.forbidden_names(trees) == []


def test_the_picture_of_the_packages_is_the_codes(structure: ModuleType, trees: dict[str, ast.Module]):
    page = structure.ARCHITECTURE.read_text("utf-8")
    assert _arrows(page) == _arrows(structure.picture(trees)), "python tools/structure.py --picture"


def test_every_package_stands_in_the_picture_and_arrows_go_down(structure: ModuleType, trees: dict[str, ast.Module]):
    drawn = [name for names in structure.GROUPS.values() for name in names]
    assert sorted(drawn) == sorted({module.split(".")[0] for module in trees} - {"__init__"})
    order = [structure._id(group) for group in structure.GROUPS]
    for above, below in _arrows(structure.picture(trees)):
        assert order.index(above) < order.index(below)


def _arrows(page: str) -> list[tuple[str, str]]:
    """Without the lines of code, which change every day."""
    drawing = page.partition("thousand lines")[2].partition("```")[0]
    return [(above, below) for line in drawing.splitlines() if "-->" in line for above, below in [line.strip().split(" --> ")]]
