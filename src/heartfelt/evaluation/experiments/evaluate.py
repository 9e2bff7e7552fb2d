"""Running an experiment: begin or go on, unit by unit, and write everything down."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heartfelt.errors import TurnError, UsageError
from heartfelt.evaluation.experiments import grid
from heartfelt.evaluation.experiments.answered import Done, WorkUnit
from heartfelt.evaluation.experiments.experiment import Experiment
from heartfelt.evaluation.experiments.folder import RunFolder
from heartfelt.version import VERSION

Engine = Callable[[Path, list[WorkUnit], int], Iterator[Done]]
"""Works on units of the run in a folder, with so many slots, and gives each as it gets done, in any order."""
HOPELESS = 12
"""Rows in a row that fail before anything was answered at all: then it is not the rows."""


@dataclass
class RunProgress:
    """How far a run is; told after each unit."""

    rows: int
    """To do in all."""
    done: int = 0
    kept: int = 0
    """Of those, done before this start."""
    failed: int = 0
    last: str = ""


def evaluate(
    experiment: Experiment,
    folder: RunFolder,
    *,
    engine: Engine,
    slots: int,
    beside: Path,
    data: Mapping[str, Path] | None = None,
    again: bool = False,
    told: Callable[[RunProgress], None] = lambda _progress: None,
) -> RunProgress:
    """All rows of an experiment. What an earlier start has done is kept; `again` asks again for those that failed."""
    experiment = grid.settled(experiment, beside)
    with folder.journal() as journal:
        _begin(experiment, folder, data or {})
        units = grid.units(experiment, folder.items())
        if again:
            journal.drop(lambda done: any(row.failed for row in done.rows))
        done = {each.unit: each for each in folder.done()}
        progress = _so_far(units, done)
        told(progress)
        todo = [unit for unit in units if unit.key not in done]
        if todo:
            folder.unfinish()
        for made in engine(folder.path, todo, slots):
            journal.add(made)
            _count(progress, made)
            told(progress)
            _refuse_hopeless(progress, made)
        folder.finish([unit.key for unit in units])
    return progress


def _begin(experiment: Experiment, folder: RunFolder, data: Mapping[str, Path]) -> None:
    """Draw the items and write down what will be done; or see that it is still the same."""
    if folder.begun:
        _refuse_changed(experiment, folder)
        return
    folders = {task: grid.folder_of(asked, data) for task, asked in experiment.tasks.items()}
    items, _notes = grid.draw_items(experiment, folders)
    remembered = grid.remember(experiment, folders, folder.path)
    folder.begin(experiment, grid.manifest_of(experiment, items, remembered), items)


def _refuse_changed(experiment: Experiment, folder: RunFolder) -> None:
    """Rows of two experiments, or of two releases, must not lie in one folder."""
    before, now = folder.experiment, experiment
    changed = [*_differences(before.grid, now.grid)]
    if changed:
        raise UsageError(
            f"{folder.path} holds a run of this experiment as it was before: {', '.join(changed[:5])} changed since. "
            "Nothing was touched. Undo the change to go on with that run, or begin another with --out."
        )
    release = folder.manifest["heartfelt"]
    if release != VERSION:
        raise UsageError(
            f"{folder.path} holds a run of Heartfelt {release}, and this is {VERSION}. Nothing was touched. "
            "Begin another with --out."
        )
    if before != now:  # tables and words may change while a run is under way
        folder.write("experiment.json", now.model_dump_json(indent=1))


def _differences(before: Any, now: Any, path: str = "") -> Iterator[str]:
    if isinstance(before, dict) and isinstance(now, dict):
        for key in {**before, **now}:
            yield from _differences(before.get(key), now.get(key), f"{path}.{key}".lstrip("."))
    elif before != now:
        yield path


def _so_far(units: list[WorkUnit], done: Mapping[str, Done]) -> RunProgress:
    progress = RunProgress(rows=sum(len(unit.conditions) for unit in units))
    for each in done.values():
        _count(progress, each)
    progress.kept, progress.last = progress.done, ""
    return progress


def _count(progress: RunProgress, made: Done) -> None:
    progress.done += len(made.rows)
    progress.failed += sum(row.failed is not None for row in made.rows)
    progress.last = made.unit


def _refuse_hopeless(progress: RunProgress, made: Done) -> None:
    """Where nothing at all was answered so far, the model is not there, and more rows would say no more."""
    if progress.failed == progress.done >= HOPELESS and made.rows and made.rows[-1].failed:
        failed = made.rows[-1].failed
        raise TurnError(
            f"None of {progress.done} turns could be answered. The last one: {failed.message} "
            "Once that is mended, go on with the same command and --again, which asks for failed rows again."
        )
