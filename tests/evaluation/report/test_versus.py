"""Two conditions of one run or of two, on the items that both answered."""

from pathlib import Path

import pytest
from tests.evaluation.report.made_run import make_run
from tests.evaluation.report.test_figures import small

from heartfelt.errors import InputError, UnknownName
from heartfelt.evaluation.report import KeptResults
from heartfelt.evaluation.report.pairs import answered_items
from heartfelt.evaluation.report.versus import versus


def test_a_condition_against_itself_is_the_same(results: KeptResults):
    (found,) = versus((results, "full"), (results, "full"), task="ed", metrics=["length/lower-words"])
    assert found.figures[0].difference is not None
    assert found.figures[0].difference.verdict == "the same"
    assert found.only_a == found.only_b == 0


def test_each_task_is_compared_with_the_columns_of_its_tables(results: KeptResults):
    found = versus((results, "full"), (results, "direct"))
    assert [each.task for each in found] == ["ed", "meld"]
    assert found[0].figures[0].column.name == "accuracy"
    assert found[0].figures[0].note


def test_two_runs_are_compared_by_items(tmp_path: Path):
    a, b = (KeptResults(make_run(tmp_path / name, count=4, plan=small(), seed=seed)) for name, seed in (("a", 1), ("b", 2)))
    (found,) = versus((a, "full"), (b, "full"))
    common = answered_items(a, a.places[0]) & answered_items(b, b.places[0])
    assert found.items == len(common) > 1
    assert not found.warning


def test_runs_that_were_asked_otherwise_are_compared_with_a_warning(tmp_path: Path):
    other = {"ed": {"task": "respond", "dataset": "empathetic_dialogues", "history": 2}}
    a = KeptResults(make_run(tmp_path / "a", count=3, plan=small()))
    b = KeptResults(make_run(tmp_path / "b", count=3, plan=small(tasks=other)))
    assert "history" in versus((a, "full"), (b, "full"))[0].warning


def test_what_is_not_there_is_one_clear_message(results: KeptResults):
    with pytest.raises(UnknownName, match=r"no condition 'fll'.*Did you mean 'full'"):
        versus((results, "fll"), (results, "full"))
    with pytest.raises(UnknownName, match="no task"):
        versus((results, "full"), (results, "direct"), task="x")
    with pytest.raises(UnknownName, match="no metric"):
        versus((results, "full"), (results, "direct"), metrics=["sparkle"])


def test_conditions_without_a_common_task_cannot_be_compared(tmp_path: Path):
    tasks = {name: {"task": "respond", "dataset": "empathetic_dialogues"} for name in ("ed", "meld")}
    conditions = {"full": {"tasks": ["ed"]}, "no audit": {"tasks": ["meld"], "without": ["audit"]}}
    results = KeptResults(make_run(tmp_path / "run", count=2, plan=small(tasks=tasks, conditions=conditions)))
    with pytest.raises(InputError, match="cannot be compared"):
        versus((results, "full"), (results, "no audit"))
