"""A run: one folder that can be left and taken up again.

| file | holds |
|---|---|
| `experiment.json` | the experiment as it was read |
| `manifest.json` | versions, protocols, models, data and machine |
| `items.jsonl` | what was asked, with the gold |
| `journal.jsonl` | a line for each unit that is done, in the order in which they were done |
| `rows.jsonl`, `times.jsonl` | the same as rows and times in the order of the grid, once all is done |
| `metrics.json`, `report.html`, `plots/` | what was made of them |
"""

import json
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from heartfelt.errors import DamagedError, InputError, UsageError
from heartfelt.evaluation.experiments.answered import AnsweredRow, Done, StepTimes
from heartfelt.evaluation.experiments.experiment import Experiment
from heartfelt.evaluation.lines import Lines, Pen, saving
from heartfelt.evaluation.tasks.item import Item
from heartfelt.files import whole
from heartfelt.records import Kind, Record


class DrawnItem(Record):
    """An item of a task."""

    task: str
    item: Item


class RunFolder:
    def __init__(self, path: Path):
        self.path = path

    @classmethod
    def existing(cls, path: Path) -> "RunFolder":
        """A run that is there, to be reported or rated."""
        if not (path / "experiment.json").is_file():
            raise InputError(
                f"There is no run at {path}: it has no experiment.json. Make one with: heartfelt evaluate FILE --out {path}"
            )
        return cls(path)

    # ── what the run is ─────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def experiment(self) -> Experiment:
        try:
            return Experiment.model_validate(self._json("experiment.json"))
        except (ValidationError, UsageError) as error:
            raise DamagedError(f"{self.path}/experiment.json is damaged: {error}. Start again in another folder.") from error

    @property
    def manifest(self) -> dict[str, Any]:
        return self._json("manifest.json")

    @property
    def begun(self) -> bool:
        return (self.path / "manifest.json").is_file()

    def begin(self, experiment: Experiment, manifest: dict[str, Any], items: Iterable[DrawnItem]) -> None:
        """Write down what will be done. The manifest comes last: a folder with one is whole."""
        self.write("experiment.json", experiment.model_dump_json(indent=1))
        self.write("items.jsonl", "".join(each.model_dump_json() + "\n" for each in items))
        self.write("manifest.json", json.dumps(manifest, indent=1, ensure_ascii=False))

    def items(self) -> dict[str, dict[str, Item]]:
        """By task, then by id, in the order in which they were drawn."""
        found: dict[str, dict[str, Item]] = {}
        for drawn in self.read(DrawnItem, "items.jsonl"):
            found.setdefault(drawn.task, {})[drawn.item.id] = drawn.item
        return found

    # ── what is done ────────────────────────────────────────────────────────────────────────────────────────────────

    def done(self) -> Iterator[Done]:
        """The units that are written down, in that order."""
        seen: set[str] = set()
        for done in self.read(Done, "journal.jsonl"):
            if done.unit not in seen:
                seen.add(done.unit)
                yield done

    def rows(self) -> Iterator[AnsweredRow]:
        """All rows so far, in the order of the grid where the run is finished."""
        if (self.path / "rows.jsonl").is_file():
            yield from self.read(AnsweredRow, "rows.jsonl")
        else:
            yield from (row for done in self.done() for row in done.rows)

    def times(self) -> Iterator[StepTimes]:
        if (self.path / "times.jsonl").is_file():
            yield from self.read(StepTimes, "times.jsonl")
        else:
            yield from (each for done in self.done() for each in done.times)

    @property
    def finished(self) -> bool:
        return (self.path / "rows.jsonl").is_file()

    def journal(self) -> AbstractContextManager[Pen[Done]]:
        """For writing down units, by one process at a time."""
        return Lines(self.path / "journal.jsonl", Done, writer="evaluation").writing()

    def finish(self, order: list[str]) -> None:
        """Rows and times in the order of the grid."""
        done = {each.unit: each for each in self.done()}
        units = [done[key] for key in order if key in done]
        self.write("times.jsonl", "".join(each.model_dump_json() + "\n" for unit in units for each in unit.times))
        self.write("rows.jsonl", "".join(row.model_dump_json() + "\n" for unit in units for row in unit.rows))

    def unfinish(self) -> None:
        """There is more to do: what was made of the rows so far no longer holds."""
        for name in ("rows.jsonl", "times.jsonl"):
            (self.path / name).unlink(missing_ok=True)

    def write(self, name: str, content: str | bytes) -> Path:
        """Another file of the run, whole or not at all."""
        target = self.path / name
        with saving(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            with whole(target) as draft:
                draft.write_bytes(content.encode() if isinstance(content, str) else content)
        return target

    def read(self, kind: type[Kind], name: str) -> Iterator[Kind]:
        """The records of one of the run's files, a line each; none where it is not there."""
        return iter(Lines(self.path / name, kind))

    def _json(self, name: str) -> dict[str, Any]:
        try:
            return json.loads((self.path / name).read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise DamagedError(f"{self.path / name} cannot be read: {error}. Start again in another folder.") from error
