"""Raters at the desk: what each is shown, what is kept, and what survives the end of the process."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.evaluation.judging.runs import run

from heartfelt.errors import InputError, UnknownName, UsageError
from heartfelt.evaluation.experiments.folder import RunFolder
from heartfelt.evaluation.experiments.results import Results
from heartfelt.evaluation.rating import ratings
from heartfelt.evaluation.rating.desk import Desk, DeskRater, Stale
from heartfelt.evaluation.rating.sheet import SheetRequest, criteria_of, units


@contextmanager
def desk(*folders: RunFolder, most: int | None = None, **wished: Any) -> Generator[Desk, None, None]:
    wish = SheetRequest(**wished)
    asked = units([Results(folder) for folder in folders], wish)
    with Desk(folders, asked, criteria_of(wish), mode=wish.mode, seed=wish.seed, most=most) as opened:
        yield opened


def marks(opened: Desk, mark: Any = 4) -> dict[str, Any]:
    return {each.name: mark for each in opened.criteria}


def rate(opened: Desk, rater: DeskRater, mark: Any = 4) -> None:
    opened.mark(rater, opened.screen(rater)["ticket"], marks(opened, mark))


def test_a_rater_goes_on_where_they_stopped(tmp_path: Path) -> None:
    folder = run(tmp_path)
    with desk(folder) as opened:
        ada = opened.begin("Ada")
        for _ in range(3):
            rate(opened, ada)
        waiting = opened.screen(ada)
    with desk(folder) as opened:
        again = opened.rater(ada.token)
        assert again and again.name == "Ada"
        assert opened.screen(again) == waiting
        assert waiting["done"] == 3 and waiting["of"] == 8


def test_who_has_begun_and_marked_nothing_is_known_too(tmp_path: Path) -> None:
    folder = run(tmp_path)
    with desk(folder) as opened:
        token = opened.begin("Bo").token
    with desk(folder) as opened:
        assert opened.rater(token)


def test_each_rater_has_an_order_and_sides_of_their_own(tmp_path: Path) -> None:
    folder = run(tmp_path, items=6)
    with desk(folder, mode="ab") as opened:
        shown = [opened.begin(f"r{number}").order for number in range(4)]
        assert len({tuple(unit.item for unit in order) for order in shown}) > 1
        sides = [opened._sides(rater, unit)[0] for rater in opened.raters for unit in rater.order]
        assert {"a", "b"} == set(sides)
    with desk(folder, mode="ab") as opened:
        assert [unit.item for unit in opened.raters[0].order]


def test_who_won_is_written_down_whichever_side_it_stood_on(tmp_path: Path) -> None:
    folder = run(tmp_path, items=6)
    with desk(folder, mode="ab") as opened:
        ada = opened.begin("Ada")
        for _ in range(6):
            screen = opened.screen(ada)
            opened.mark(ada, screen["ticket"], marks(opened, "first" if "sorry" in screen["replies"][0] else "second"))
    found = ratings([folder])
    assert {each.marks["overall"] for each in found} == {"a"}
    assert {each.sources[0].condition for each in found} == {"warm-system"}
    assert {each.first for each in found} == {"a", "b"}


def test_the_last_one_can_be_taken_back_and_is_shown_with_its_marks(tmp_path: Path) -> None:
    folder = run(tmp_path)
    with desk(folder) as opened:
        ada = opened.begin("Ada")
        rate(opened, ada, 2)
        first = opened.screen(ada)
        rate(opened, ada, 5)
        opened.undo(ada)
        again = opened.screen(ada)
        assert again["ticket"] == first["ticket"] and again["marks"] == marks(opened, 5)
        assert len(ratings([folder])) == 1
        rate(opened, ada, 3)
        opened.undo(ada)
        opened.undo(ada)
        assert opened.screen(ada)["done"] == 0 and not ratings([folder])
        with pytest.raises(UsageError, match="nothing to take back"):
            opened.undo(ada)


def test_further_criteria_join_earlier_marks_and_undo_keeps_the_earlier_ones(tmp_path: Path) -> None:
    folder = run(tmp_path, items=1, systems=("warm-system",))
    with desk(folder, criteria=("empathy",)) as opened:
        rate(opened, opened.begin("Ada"), 2)
    with desk(folder, criteria=("fluency",)) as opened:
        (ada,) = opened.raters
        rate(opened, ada, 5)
        assert [each.marks for each in ratings([folder])] == [{"empathy": 2, "fluency": 5}]
        opened.undo(ada)
        assert [each.marks for each in ratings([folder])] == [{"empathy": 2}]
        rate(opened, ada, 4)
    assert [each.marks for each in ratings([folder])] == [{"empathy": 2, "fluency": 4}]


def test_two_quick_clicks_are_one_rating(tmp_path: Path) -> None:
    with desk(run(tmp_path)) as opened:
        ada = opened.begin("Ada")
        ticket = opened.screen(ada)["ticket"]
        opened.mark(ada, ticket, marks(opened))
        with pytest.raises(Stale):
            opened.mark(ada, ticket, marks(opened))
        assert opened.screen(ada)["done"] == 1


@pytest.mark.parametrize("mark", [0, 6, -1, True, 3.0, "4", None, [4], {"a": 1}, 10**40])
def test_a_mark_out_of_range_is_refused(tmp_path: Path, mark: object) -> None:
    with desk(run(tmp_path)) as opened:
        ada = opened.begin("Ada")
        with pytest.raises(UsageError, match="A mark is one of"):
            opened.mark(ada, opened.screen(ada)["ticket"], marks(opened) | {"fluency": mark})
        assert opened.screen(ada)["done"] == 0


def test_every_question_must_be_marked_and_no_other(tmp_path: Path) -> None:
    with desk(run(tmp_path)) as opened:
        ada = opened.begin("Ada")
        for wrong in ({}, {"empathy": 4}, marks(opened) | {"charm": 4}):
            with pytest.raises(UsageError, match="every question"):
                opened.mark(ada, opened.screen(ada)["ticket"], wrong)


@pytest.mark.parametrize("name", ["", "   ", "x" * 41, "a\x00b"])
def test_a_name_must_be_a_name(tmp_path: Path, name: str) -> None:
    with desk(run(tmp_path)) as opened, pytest.raises(UsageError, match="name or initials"):
        opened.begin(name)


def test_nobody_goes_on_as_another(tmp_path: Path) -> None:
    with desk(run(tmp_path)) as opened:
        opened.begin("Ada L.")
        with pytest.raises(UsageError, match=r"begun as 'ada l\.' already"):
            opened.begin("  ada   l. ")


def test_names_that_would_share_a_file_do_not(tmp_path: Path) -> None:
    folder = run(tmp_path)
    with desk(folder) as opened:
        for name in ("../../up", "é", "è", "CON"):
            rate(opened, opened.begin(name))
    assert len(list((tmp_path / "ratings").glob("*.jsonl"))) == 4
    assert {each.rater for each in ratings([folder])} == {"../../up", "é", "è", "CON"}


def test_places_can_be_few(tmp_path: Path) -> None:
    with desk(run(tmp_path), most=1) as opened:
        opened.begin("Ada")
        assert opened.full
        with pytest.raises(UsageError, match="All places"):
            opened.begin("Bo")


def test_tokens_of_two_runs_have_nothing_in_common(tmp_path: Path) -> None:
    tokens = set[str]()
    for name in ("one", "two"):
        with desk(run(tmp_path / name)) as opened:
            tokens.add(opened.begin("Ada").token)
        assert (tmp_path / name / "ratings" / ".secret").stat().st_mode & 0o077 == 0
    assert len(tokens) == 2 and all(len(token) == 40 for token in tokens)


def test_only_one_page_collects(tmp_path: Path) -> None:
    folder = run(tmp_path)
    with desk(folder), pytest.raises(UsageError, match="Another page"), desk(folder):
        pass


def test_several_runs_are_rated_together_and_each_keeps_its_own(tmp_path: Path) -> None:
    folders = [run(tmp_path / name, items=2, systems=(name,)) for name in ("warm-one", "cold-two")]
    with desk(*folders, mode="ab") as opened:
        ada = opened.begin("Ada")
        assert opened.screens == 2
        rate(opened, ada, "tie")
    with desk(*folders) as opened:
        bo = opened.begin("Bo")
        for _ in range(4):
            rate(opened, bo)
    assert [len(ratings([folder], "likert")) for folder in folders] == [2, 2]


def test_a_limit_is_of_turns_and_the_same_for_all_systems(tmp_path: Path) -> None:
    result = Results(run(tmp_path, items=6, failed=("cold-system/0",)))
    few, more = (units([result], SheetRequest(limit=limit)) for limit in (2, 4))
    assert len({unit.item for unit in few}) == 2
    assert {unit.key for unit in few} < {unit.key for unit in more}


def test_what_cannot_be_rated_is_said(tmp_path: Path) -> None:
    result = Results(run(tmp_path, systems=("warm-system",)))
    with pytest.raises(InputError, match="two replies"):
        units([result], SheetRequest(mode="ab"))
    with pytest.raises(UnknownName, match="condition"):
        units([result], SheetRequest(conditions=("warm",)))
    with pytest.raises(UsageError, match="voice and face"):
        criteria_of(SheetRequest(criteria=("expressiveness",)))
