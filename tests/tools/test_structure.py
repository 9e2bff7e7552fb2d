"""The figures of the code's structure hold."""

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


def test_no_two_classes_have_the_same_name(structure: ModuleType):
    assert structure.same_names(structure.modules()) == {}


def test_no_package_leads_back_to_itself(structure: ModuleType):
    assert structure.circles(structure.modules()) == []


def test_no_name_is_one_that_the_glossary_forbids(structure: ModuleType):
    assert structure.forbidden_names(structure.modules()) == []
