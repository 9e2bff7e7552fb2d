"""Runs are begun, left, taken up again and refused; rows are the same however often a run was stopped."""

import asyncio
import errno
import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random

import pytest
from tests.evaluation.experiments.lab import SAMPLES, answer_in_turn, experiment, run, script

from heartfelt.errors import DiskFullError, InputError, LeakError, TurnError, UsageError
from heartfelt.evaluation.experiments import Results, RunFolder
from heartfelt.evaluation.experiments.answered import Done, WorkUnit
from heartfelt.evaluation.experiments.workbench import Workbench


def test_every_condition_answers_every_item(tmp_path: Path):
    results = Results(run(experiment(tmp_path), tmp_path / "run"))
    counts = {(place.task, place.condition): len(results.answered(place)) for place in results.places}
    assert counts == {
        ("meld", "direct"): 8,
        ("meld", "reflective"): 8,
        ("meld", "without audit"): 3,
        ("ed", "direct"): 5,
        ("ed", "reflective"): 5,
        ("ed", "without audit"): 3,
    }
    assert not any(results.failures(place) for place in results.places)


def test_the_manifest_says_what_was_asked(tmp_path: Path):
    manifest = run(experiment(tmp_path), tmp_path / "run").manifest
    assert manifest["tasks"]["meld"]["protocol"]["split"] == "test"
    assert manifest["tasks"]["meld"]["dataset"]["citation"]
    assert manifest["items"]["ed"]["dialogues"] == 5


class Stopped(Exception):
    pass


def stops_after(count: int):
    def engine(path: Path, units: list[WorkUnit], slots: int) -> Iterator[Done]:
        for number, done in enumerate(answer_in_turn(path, units, slots)):
            if number == count:
                raise Stopped
            yield done

    return engine


def test_a_run_that_is_stopped_ten_times_has_the_same_rows(tmp_path: Path):
    plan, random = experiment(tmp_path), Random(3)
    whole = run(plan, tmp_path / "whole")
    pieces = tmp_path / "pieces"
    for _ in range(10):
        with pytest.raises(Stopped):
            run(plan, pieces, engine=stops_after(random.randint(0, 1)))
        if random.random() < 0.5 and (pieces / "journal.jsonl").exists():  # killed in the middle of a line
            with (pieces / "journal.jsonl").open("ab") as file:
                file.write(b'{"unit":"meld/half')
    run(plan, pieces)
    assert (pieces / "rows.jsonl").read_bytes() == (whole.path / "rows.jsonl").read_bytes()


def test_what_is_done_is_not_asked_again(tmp_path: Path):
    plan = experiment(tmp_path)
    with pytest.raises(Stopped):
        run(plan, tmp_path / "run", engine=stops_after(4))
    asked: list[str] = []

    def counting(path: Path, units: list[WorkUnit], slots: int) -> Iterator[Done]:
        asked.extend(unit.key for unit in units)
        yield from answer_in_turn(path, units, slots)

    run(plan, tmp_path / "run", engine=counting)
    assert len(asked) == 13 - 4
    asked.clear()
    run(plan, tmp_path / "run", engine=counting)
    assert asked == []


def test_a_changed_experiment_is_refused_and_nothing_is_touched(tmp_path: Path):
    run(experiment(tmp_path), tmp_path / "run")
    before = (tmp_path / "run" / "journal.jsonl").read_bytes()
    with pytest.raises(UsageError, match=r"seeds changed since"):
        run(experiment(tmp_path, seeds=[1]), tmp_path / "run")
    with pytest.raises(UsageError, match=r"conditions\.direct\.recipe"):
        run(experiment(tmp_path, conditions={"direct": {"recipe": "trace"}}), tmp_path / "run")
    assert (tmp_path / "run" / "journal.jsonl").read_bytes() == before


def test_tables_may_change_between_starts(tmp_path: Path):
    run(experiment(tmp_path), tmp_path / "run")
    tables = [{"title": "Words", "columns": [{"metric": "length/lower-words"}]}]
    folder = run(experiment(tmp_path, tables=tables), tmp_path / "run")
    assert folder.experiment.tables[0].title == "Words"


def test_errors_are_rows_and_can_be_asked_for_again(tmp_path: Path):
    plan = experiment(tmp_path, conditions={"direct": {"recipe": "direct"}})
    good = "I am sorry to hear that."
    # A script begins again with each process, so that a run of one model fails at the same places.
    script(tmp_path, respond=[good, good, good, good, " ", " ", " "] + [good] * 30)
    folder = run(plan, tmp_path / "run", engine=answer_in_turn)
    results = Results(folder)
    failed = [row for place in results.places for row in results.failures(place)]
    assert (
        [row.failed.error for row in failed if row.failed] == ["BadOutput"]
        and failed[0].failed
        and failed[0].failed.step == "respond"
    )
    script(tmp_path, respond=good)
    again = Results(run(plan, tmp_path / "run", again=True))
    assert not any(again.failures(place) for place in again.places)
    assert sum(len(again.answered(place)) for place in again.places) == 13


def test_a_model_that_never_answers_ends_the_run(tmp_path: Path):
    plan = experiment(tmp_path)
    script(tmp_path, respond=" ")
    with pytest.raises(TurnError, match=r"None of \d+ turns could be answered.*--again"):
        run(plan, tmp_path / "run")


def test_a_full_disk_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    plan, calls = experiment(tmp_path), count(1)

    def full_at_the_fourth(_file: int) -> None:
        if next(calls) == 4:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("heartfelt.evaluation.lines.os.fsync", full_at_the_fourth)
    with pytest.raises(DiskFullError, match="What was done is kept"):
        run(plan, tmp_path / "run")
    monkeypatch.undo()
    assert len(list(RunFolder(tmp_path / "run").done())) == 3
    whole = run(plan, tmp_path / "whole")
    run(plan, tmp_path / "run")
    assert (tmp_path / "run" / "rows.jsonl").read_bytes() == (whole.path / "rows.jsonl").read_bytes()


def test_two_evaluations_do_not_write_into_one_folder(tmp_path: Path):
    with RunFolder(tmp_path / "run").journal(), pytest.raises(UsageError, match="Another evaluation"):
        run(experiment(tmp_path), tmp_path / "run")


def test_a_corpus_that_is_not_there_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("HEARTFELT_DATA", raising=False)
    tasks = {"meld": {"task": "respond", "dataset": "meld"}}
    with pytest.raises(UsageError, match=r"--data meld=FOLDER"):
        run(experiment(tmp_path, tasks=tasks), tmp_path / "run")
    with pytest.raises(InputError, match="nothing at"):
        run(experiment(tmp_path, tasks=tasks), tmp_path / "run", data={"meld": tmp_path / "nowhere"})
    assert not (tmp_path / "run" / "manifest.json").exists()
    monkeypatch.setenv("HEARTFELT_DATA", str(SAMPLES))
    tasks["meld"] |= {"memory": "none"}
    assert run(experiment(tmp_path, tasks=tasks), tmp_path / "run").finished


def test_a_planted_leak_ends_the_run(tmp_path: Path):
    """A model that is given the reference in its prompt is found out before it is asked."""
    plan = experiment(tmp_path)
    folder = run(plan, tmp_path / "run")
    bench = Workbench(folder.path)
    unit = WorkUnit(
        number=0, task="meld", model=plan.models[0], seed=0, item=next(iter(bench.items["meld"])), conditions=("direct",)
    )
    item = bench.items["meld"][unit.item]
    leaking = item.dialogue.last.model_copy(update={"text": f"{item.dialogue.last.text} {item.gold.reference}"})
    shown = item.dialogue.model_copy(update={"turns": (*item.dialogue.turns[:-1], leaking)})

    async def leak(_unit: WorkUnit, _item: object):
        return shown

    bench._sensed = leak  # type: ignore[method-assign]
    with pytest.raises(LeakError, match="reference"):
        asyncio.run(bench.answer(unit))


def test_rows_hold_no_times(tmp_path: Path):
    folder = run(experiment(tmp_path), tmp_path / "run")
    rows = [json.loads(line) for line in (folder.path / "rows.jsonl").read_text().splitlines()]
    assert all(step["ms"] == 0 and step["calls"] == [] for row in rows for made in row["passes"] for step in made["steps"])
    times = {each.id: each.ms for each in folder.times()}
    assert set(times) == {row.id for row in folder.rows()}
