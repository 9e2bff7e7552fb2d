"""How many turns a minute `evaluate` answers, against one dialogue at a time, and how long metrics over a million replies take.

Part of `make bench`, in processes of its own; alone: `python bench/laboratory.py`. Everything is measured in one run on the
bundled made-up dialogues, with all models warm.
"""

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from heartfelt.evaluation.experiments import RunFolder, evaluate, read_experiment
from heartfelt.evaluation.experiments.answered import Done, WorkUnit
from heartfelt.evaluation.experiments.experiment import Experiment
from heartfelt.evaluation.experiments.local import answer_here, usual_slots
from heartfelt.evaluation.experiments.workbench import Workbench
from heartfelt.models.embedded import EmbeddedModel

SAMPLES = Path(__file__).parent.parent / "samples" / "corpora"
EXPERIMENTS = Path(__file__).parent.parent / "experiments"
TABLES, OWN = EXPERIMENTS / "reflective.yaml", EXPERIMENTS / "embedded.yaml"
"""Whose grids are timed. A publication's systems and ablations mostly ask the same questions; our own recipes do so less."""

TARGETS: dict[str, Callable[[float], bool]] = {
    "turns a minute of a publication's tables, evaluate / one dialogue at a time": lambda ratio: ratio >= 2,
    "metrics over 1,000,000 replies, s": lambda seconds: seconds <= 120,
    "metrics over 1,000,000 replies, GB": lambda gigabytes: gigabytes <= 4,
}


def measure(dialogues: int = 5) -> dict[str, Any]:
    grid, own = _compared(_conditions(TABLES), dialogues), _compared(_own(), dialogues)
    alone = _compared({"heartfelt": {"recipe": "heartfelt"}}, 2 * dialogues)
    seconds, gigabytes = _million()
    return {
        "turns a minute of a publication's tables, evaluate / one dialogue at a time": round(grid, 2),
        "turns a minute of all recipes and the default's ablations, evaluate / one dialogue at a time": round(own, 2),
        "turns a minute of the default recipe, evaluate / one dialogue at a time": round(alone, 2),
        "metrics over 1,000,000 replies, s": seconds,
        "metrics over 1,000,000 replies, GB": gigabytes,
    }


def _conditions(file: Path) -> dict[str, dict[str, Any]]:
    return {name: each.model_dump(mode="json") for name, each in read_experiment(file).conditions.items()}


def _own() -> dict[str, dict[str, Any]]:
    """The six recipes, and what the default one is without each of its parts."""
    return {name: each for name, each in _conditions(OWN).items() if "," not in name or name.startswith("heartfelt, without")}


def _compared(conditions: dict[str, dict[str, Any]], dialogues: int) -> float:
    """Rows a second in slots over those of one at a time."""
    with tempfile.TemporaryDirectory() as folder:
        plan = _experiment(conditions, dialogues)
        fast = _speed(plan, Path(folder) / "slots", _in_slots)
        slow = _speed(plan, Path(folder) / "alone", _one_at_a_time)
        return fast / slow


def _experiment(conditions: dict[str, dict[str, Any]], dialogues: int) -> Experiment:
    task = {"task": "respond", "dataset": "empathetic_dialogues", "folder": str(SAMPLES / "empathetic_dialogues")}
    return Experiment.model_validate(
        {
            "name": "bench",
            "tasks": {"ed": task | {"limit": dialogues}},
            "conditions": {name: each | {"tasks": []} for name, each in conditions.items()},
        }
    )


def _speed(plan: Experiment, path: Path, engine: Callable[[Path, list[WorkUnit], int], Iterator[Done]]) -> float:
    """Rows a second, counted from when the first units are done: by then everything is loaded."""
    ends: list[tuple[float, int]] = []
    slots = usual_slots(plan.models)

    def timed(run: Path, units: list[WorkUnit], count: int) -> Iterator[Done]:
        for done in engine(run, units, count):
            ends.append((time.perf_counter(), len(done.rows)))
            yield done

    evaluate(plan, RunFolder(path), engine=timed, slots=slots, beside=SAMPLES)
    began, after = ends[slots - 1][0], ends[slots:]
    return sum(rows for _, rows in after) / (after[-1][0] - began)


def _in_slots(path: Path, units: list[WorkUnit], slots: int) -> Iterator[Done]:
    yield from answer_here(path, units, slots)


class _Plain(Workbench):
    """One dialogue after the other, as a loop over `Listener.answer` does: all threads, nothing shared between conditions."""

    def model(self, address: str):
        if address not in self._plain:
            self._plain[address] = EmbeddedModel()
        return self._plain[address]

    _plain: dict[str, EmbeddedModel] = {}


def _one_at_a_time(path: Path, units: list[WorkUnit], _slots: int) -> Iterator[Done]:
    """Condition by condition, as single runs would do it."""
    bench = _Plain(path)
    with asyncio.Runner() as runner:
        for name in dict.fromkeys(name for unit in units for name in unit.conditions):
            for unit in units:
                one = unit.model_copy(update={"conditions": (name,), "item": unit.item})
                done = runner.run(bench.answer(one))
                yield done.model_copy(update={"unit": f"{done.unit}/{name}"})


def _million() -> tuple[float, float]:
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("metrics.py"))], capture_output=True, text=True, check=True
    )
    wall = time.perf_counter() - began
    figures = {name.strip(): float(value) for value, name in (line.split(maxsplit=1) for line in done.stdout.splitlines())}
    making = 2 * figures["making the rows up, not counted"]
    return round(wall - making, 1), round(figures["GB"], 2)


if __name__ == "__main__":
    print(json.dumps(measure(), indent=2))
