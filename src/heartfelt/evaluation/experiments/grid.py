"""From an experiment to the units of its grid, and to the manifest that says what exactly was run."""

import os
import platform
from collections.abc import Iterator, Mapping
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

from heartfelt.datasets import DatasetNotes, dataset
from heartfelt.errors import InputError, LeakError, UsageError
from heartfelt.evaluation.experiments.answered import WorkUnit
from heartfelt.evaluation.experiments.experiment import Experiment, TaskRequest
from heartfelt.evaluation.experiments.folder import DrawnItem
from heartfelt.evaluation.experiments.workbench import memory_path
from heartfelt.evaluation.tasks.draw import draw, manifest
from heartfelt.evaluation.tasks.item import Item
from heartfelt.memory import ExemplarStore, Guard, MiniLM
from heartfelt.memory.sources import exemplars_of
from heartfelt.models import open_model
from heartfelt.version import VERSION

_AT_ONCE = 256
DATA = "HEARTFELT_DATA"
"""The environment variable that names the folder of all corpora, each in one of its own name."""


def settled(experiment: Experiment, beside: Path) -> Experiment:
    """The experiment with every split and every folder named in full; a split that is not named is the corpus's test split."""
    return experiment.model_copy(update={"tasks": {name: _settled(each, beside) for name, each in experiment.tasks.items()}})


def _settled(asked: TaskRequest, beside: Path) -> TaskRequest:
    known = dataset(asked.dataset)
    folder = str((beside / asked.folder).resolve()) if asked.folder else ""
    return asked.model_copy(update={"split": known.split_named(asked.split or known.test), "folder": folder})


def folder_of(asked: TaskRequest, given: Mapping[str, Path]) -> Path:
    """Where the corpus of a task lies."""
    if asked.dataset in given:
        return given[asked.dataset]
    if asked.folder:
        return Path(asked.folder)
    root = os.environ.get(DATA)
    if root:
        return Path(root).expanduser() / asked.dataset
    title = dataset(asked.dataset).title
    raise UsageError(
        f"Nobody said where {title} lies. Give --data {asked.dataset}=FOLDER, or set {DATA} to the folder that holds "
        f"'{asked.dataset}'."
    )


def draw_items(experiment: Experiment, folders: Mapping[str, Path]) -> tuple[list[DrawnItem], dict[str, DatasetNotes]]:
    """What is asked in every task, and what was odd about the corpora."""
    items: list[DrawnItem] = []
    notes: dict[str, DatasetNotes] = {}
    for task, asked in experiment.tasks.items():
        if asked.task == "audit":
            raise UsageError(
                f"The task '{task}' audits planted faults, which is a benchmark of its own: heartfelt faults FOLDER"
            )
        drawn = draw(folders[task], asked.protocol)
        if not drawn.items:
            raise InputError(f"The task '{task}' has nothing to ask: no dialogue in {folders[task]} has what it needs.")
        items += [DrawnItem(task=task, item=item) for item in drawn.items]
        notes[task] = drawn.notes
    return items, notes


def units(experiment: Experiment, items: Mapping[str, Mapping[str, Item]]) -> list[WorkUnit]:
    """The grid in its order: by task, model and seed, then item by item."""
    found: list[WorkUnit] = []
    for task, asked_items in items.items():
        first = _first_dialogues(asked_items)
        for model in experiment.models:
            for seed in experiment.seeds:
                for item in asked_items.values():
                    names = tuple(_takes_part(experiment, task, first[item.dialogue.id]))
                    if names:
                        found.append(
                            WorkUnit(number=len(found), task=task, model=model, seed=seed, item=item.id, conditions=names)
                        )
    return found


def remember(experiment: Experiment, folders: Mapping[str, Path], run: Path) -> dict[str, int]:
    """Build what tasks remember out of another split. What is there already is kept."""
    counts: dict[str, int] = {}
    for task, asked in experiment.tasks.items():
        if asked.memory in ("starter", "none"):
            continue
        known = dataset(asked.dataset)
        split = known.split_named(asked.memory)
        path = memory_path(run, task)
        path.parent.mkdir(parents=True, exist_ok=True)
        if Guard(scored=frozenset({asked.protocol.scored})).is_scored(f"{asked.dataset}/{split}"):
            raise LeakError(f"The task '{task}' is scored on {split} and remembers it too. Remember another split.")
        with ExemplarStore(path, MiniLM()) as store:
            exemplars = (each for talk in known.read(folders[task], split) for each in exemplars_of(talk))
            while batch := list(islice(exemplars, _AT_ONCE)):
                store.add(batch)
            counts[task] = store.count()
        if not counts[task]:
            raise InputError(f"The task '{task}' remembers the split {split}, and {folders[task]} has nothing of it.")
    return counts


def manifest_of(experiment: Experiment, items: list[DrawnItem], remembered: Mapping[str, int]) -> dict[str, Any]:
    """What a reader needs to know to believe the figures, and to make them again."""
    return {
        "heartfelt": VERSION,
        "experiment": experiment.name,
        "models": {address: open_model(address).name for address in experiment.models},
        "tasks": {name: manifest(asked.protocol) | {"memory": asked.memory} for name, asked in experiment.tasks.items()},
        "items": {
            name: {"asked": len(own), "dialogues": len({each.item.dialogue.id for each in own}), "digest": _digest(own)}
            for name in experiment.tasks
            if (own := [each for each in items if each.task == name])
        },
        "remembered": dict(remembered),
        "machine": {
            "system": platform.system(),
            "processor": platform.machine(),
            "cores": os.cpu_count(),
            "python": platform.python_version(),
        },
    }


def _takes_part(experiment: Experiment, task: str, place: int) -> Iterator[str]:
    for name, condition in experiment.asked_of(task).items():
        if condition.limit is None or place < condition.limit:
            yield name


def _first_dialogues(items: Mapping[str, Item]) -> dict[str, int]:
    """The place of each dialogue in the order in which they were drawn."""
    places: dict[str, int] = {}
    for item in items.values():
        places.setdefault(item.dialogue.id, len(places))
    return places


def _digest(items: list[DrawnItem]) -> str:
    return sha256("\n".join(each.model_dump_json(exclude={"item": {"clips"}}) for each in items).encode()).hexdigest()[:16]
