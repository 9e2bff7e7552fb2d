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
import os
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from errno import ENOSPC
from io import FileIO
from pathlib import Path
from typing import Any, BinaryIO

from filelock import FileLock, Timeout
from pydantic import ValidationError

from heartfelt.errors import DamagedError, DiskFullError, InputError, UsageError
from heartfelt.evaluation.experiments.answered import Answered, Done, Times
from heartfelt.evaluation.experiments.experiment import Experiment
from heartfelt.evaluation.tasks import Item
from heartfelt.expression.whole import whole
from heartfelt.records import Kind, Record


class Drawn(Record):
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

    def begin(self, experiment: Experiment, manifest: dict[str, Any], items: Iterable[Drawn]) -> None:
        """Write down what will be done. The manifest comes last: a folder with one is whole."""
        with self._writing():
            self.path.mkdir(parents=True, exist_ok=True)
            self._write("experiment.json", experiment.model_dump_json(indent=1))
            self._write("items.jsonl", "".join(each.model_dump_json() + "\n" for each in items))
            self._write("manifest.json", json.dumps(manifest, indent=1, ensure_ascii=False))

    def items(self) -> dict[str, dict[str, Item]]:
        """By task, then by id, in the order in which they were drawn."""
        found: dict[str, dict[str, Item]] = {}
        for drawn in self.read(Drawn, "items.jsonl"):
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

    def rows(self) -> Iterator[Answered]:
        """All rows so far, in the order of the grid where the run is finished."""
        if (self.path / "rows.jsonl").is_file():
            yield from self.read(Answered, "rows.jsonl")
        else:
            yield from (row for done in self.done() for row in done.rows)

    def times(self) -> Iterator[Times]:
        if (self.path / "times.jsonl").is_file():
            yield from self.read(Times, "times.jsonl")
        else:
            yield from (each for done in self.done() for each in done.times)

    @property
    def finished(self) -> bool:
        return (self.path / "rows.jsonl").is_file()

    @contextmanager
    def journal(self) -> "Generator[Journal, None, None]":
        """For writing down units, by one process at a time."""
        self.path.mkdir(parents=True, exist_ok=True)
        try:
            with FileLock(self.path / ".lock", timeout=0), self._writing():
                self._mend()
                journal = Journal(self, (self.path / "journal.jsonl").open("ab", buffering=0))
                try:
                    yield journal
                finally:
                    journal.close()
        except Timeout:
            raise UsageError(
                f"Another evaluation is writing into {self.path}. Wait for it, or give another folder with --out."
            ) from None

    def finish(self, order: list[str]) -> None:
        """Rows and times in the order of the grid."""
        done = {each.unit: each for each in self.done()}
        units = [done[key] for key in order if key in done]
        with self._writing():
            self._write("times.jsonl", "".join(each.model_dump_json() + "\n" for unit in units for each in unit.times))
            self._write("rows.jsonl", "".join(row.model_dump_json() + "\n" for unit in units for row in unit.rows))

    def unfinish(self) -> None:
        """There is more to do: what was made of the rows so far no longer holds."""
        for name in ("rows.jsonl", "times.jsonl"):
            (self.path / name).unlink(missing_ok=True)

    def write(self, name: str, text: str) -> Path:
        """Another file of the run, whole or not at all."""
        with self._writing():
            self._write(name, text)
        return self.path / name

    def read(self, kind: type[Kind], name: str) -> Iterator[Kind]:
        """The records of one of the run's files, a line each; none where it is not there."""
        for line in self.lines(name):
            try:
                yield kind.model_validate_json(line)
            except ValidationError as error:
                raise DamagedError(
                    f"{self.path / name} is damaged: {error.errors()[0]['msg']}. "
                    "Mend the line, or delete it: what it held is then made again."
                ) from error

    # ── inside ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def _write(self, name: str, text: str) -> None:
        target = self.path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        with whole(target) as draft:
            draft.write_text(text, "utf-8")

    def _json(self, name: str) -> dict[str, Any]:
        try:
            return json.loads((self.path / name).read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise DamagedError(f"{self.path / name} cannot be read: {error}. Start again in another folder.") from error

    def lines(self, name: str) -> Iterator[str]:
        """The whole lines of one of the run's files; none where it is not there."""
        path = self.path / name
        if not path.is_file():
            return
        with path.open(encoding="utf-8") as file:
            yield from (line for line in file if line.endswith("\n"))  # a line without an end was being written when it stopped

    def _mend(self) -> None:
        """Cut off a line that was being written when the last run was killed."""
        path = self.path / "journal.jsonl"
        if not path.is_file():
            return
        with path.open("rb+") as file:
            data_end = file.seek(0, os.SEEK_END)
            while data_end and not _ends_line(file, data_end):
                data_end -= 1
            file.truncate(data_end)

    @contextmanager
    def _writing(self) -> Generator[None, None, None]:
        try:
            yield
        except OSError as error:
            if error.errno == ENOSPC:
                raise DiskFullError(
                    f"There is no space left in {self.path}. What was done is kept: make room and give the same command again."
                ) from error
            if isinstance(error, PermissionError | NotADirectoryError | IsADirectoryError):
                raise UsageError(f"{self.path} cannot be written: {error.strerror}. Give another folder with --out.") from error
            raise


class Journal:
    def __init__(self, folder: RunFolder, file: FileIO):
        self._folder, self._file = folder, file

    def drop(self, unwanted: Callable[[Done], bool]) -> None:
        """Take units out, so that they are done again."""
        kept = [each.model_dump_json().encode() + b"\n" for each in self._folder.done() if not unwanted(each)]
        with whole(self._folder.path / "journal.jsonl") as draft:
            draft.write_bytes(b"".join(kept))
        self._file.close()
        self._file = (self._folder.path / "journal.jsonl").open("ab", buffering=0)

    def close(self) -> None:
        self._file.close()

    def add(self, done: Done) -> None:
        """Whole and on the disk, or not at all."""
        at, data = self._file.seek(0, os.SEEK_END), done.model_dump_json().encode() + b"\n"
        try:
            while data:
                data = data[self._file.write(data) :]
            os.fsync(self._file.fileno())
        except OSError:
            self._file.truncate(at)
            raise


def _ends_line(file: BinaryIO, at: int) -> bool:
    file.seek(at - 1)
    return file.read(1) == b"\n"
