"""Parts that other packages bring: the example of a plugin, listed as its own pyproject.toml lists it."""

import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from heartfelt import Recipe, plugins
from heartfelt.errors import UnknownName, UsageError
from heartfelt.evaluation.metrics import Row, catalogue, measure, metric_named
from heartfelt.listener import respond
from heartfelt.models import open_model
from heartfelt.recipes import RECIPES, recipe

EXAMPLE = Path(__file__).parents[1] / "examples" / "plugin"
BROKEN = {"heartfelt.recipes": {"broken": "no_such_module_here:IT", "heartfelt": "heartfelt_example:ONE_SENTENCE"}}


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As pip leaves it: the module, and beside it what the package lists."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text("utf-8"))["project"]
    _list(tmp_path, project["name"], project["entry-points"])
    _list(tmp_path, "broken-one", BROKEN)
    own = RECIPES._own.copy()
    for folder in (tmp_path, EXAMPLE):
        monkeypatch.syspath_prepend(folder)
    plugins._brought.cache_clear()
    yield
    plugins._brought.cache_clear()
    RECIPES._own = own
    for known in (catalogue()._own, open_model.__globals__["_OPENERS"]._own):
        known.pop("asks", None), known.pop("parrot", None)
    sys.modules.pop("heartfelt_example", None)


def _list(folder: Path, name: str, groups: dict[str, dict[str, str]]) -> None:
    place = folder / f"{name.replace('-', '_')}-0.1.0.dist-info"
    place.mkdir()
    (place / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1.0\n")
    lines = [f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in parts.items()) for group, parts in groups.items()]
    (place / "entry_points.txt").write_text("\n".join(lines))


def test_a_recipe_of_another_package_is_known_by_its_name_and_imported_when_asked_for():
    assert "one-sentence" in RECIPES and "one-sentence" in list(RECIPES)
    assert "heartfelt_example" not in sys.modules
    found = recipe("one-sentence")
    assert isinstance(found, Recipe) and found.step_names == ("forecast", "respond")


def test_a_back_end_of_another_package_is_opened_by_its_address_and_answers():
    assert open_model("parrot:Really?").name == "parrot:Really?"
    said = respond("My team won!", recipe="direct", model="parrot:Really?", safety={"on": False})
    assert said.reply.startswith("Really?")


def test_what_is_opened_and_is_no_model_is_refused_by_a_line_that_names_its_package(monkeypatch: pytest.MonkeyPatch):
    open_model("parrot:")
    monkeypatch.delattr("heartfelt_example.Parrot.stream")
    said = (
        r"What the package heartfelt-example opens for 'parrot:' is no model: it has no `stream`\. See docs/how-to/add-a-back-"
    )
    with pytest.raises(UsageError, match=said):
        open_model("parrot:sk-secret")
    monkeypatch.setattr("heartfelt_example.Parrot", lambda word: None)
    with pytest.raises(UsageError, match="it has no `name`, `capabilities`, `complete`, `stream`, `close`"):
        open_model("parrot:")


def test_a_metric_of_another_package_measures():
    rows = [Row(id=str(n), dialogue=str(n), reply=text) for n, text in enumerate(("Why?", "Oh no.", "Really?", "Ah."))]
    assert measure(metric_named("asks"), rows).value == 0.5


def test_what_cannot_be_loaded_is_refused_by_a_line_that_names_its_package():
    with pytest.raises(UsageError, match=r"The package broken-one brings 'broken' to heartfelt\.recipes"):
        recipe("broken")
    assert recipe("direct"), "the others are not disturbed"


def test_an_own_name_is_not_taken_by_another_package():
    assert recipe("heartfelt").name == "heartfelt"


def test_a_name_that_nobody_brings_is_refused_with_all_that_are_known():
    with pytest.raises(UnknownName, match="one-sentence"):
        recipe("one-sentense")
    with pytest.raises(UnknownName) as refused:
        open_model("parot:sk-secret")
    assert "parrot:" in str(refused.value) and "sk-secret" not in str(refused.value)
