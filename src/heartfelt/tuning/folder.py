"""The folder of one tuning run: where everything lies, what was asked for, and which stages are done with what.

RUN/run.json         settings, versions, and for each stage what it was made from
RUN/examples/        train.npz, valid.npz, eval_*.npz, counts.json
RUN/teachers/        what each teacher says, and shares.npz, the mean of it
RUN/training/        log.jsonl, state.pt (the last checkpoint), recipe.json, adapter.npz
RUN/loss.png
RUN/NAME.gguf        the adapter; NAME.export.json how well it agrees with what was trained; NAME.calibration.json
RUN/evaluation-*.json
RUN/card.md
"""

import errno
import hashlib
import platform
import re
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Literal

from filelock import FileLock, Timeout
from pydantic import Field, ValidationError

from heartfelt.errors import DiskFullError, UsageError
from heartfelt.files import whole
from heartfelt.records import Record
from heartfelt.version import VERSION
from heartfelt.weights.disk import free_bytes, megabytes

FORMAT = 1
Standing = Literal["new", "begun", "done", "other"]
"""A stage that nothing is known of; one that was interrupted; one that is done; one that was made from something else."""

_NAME = re.compile(r"[\w.-]+")


class Settings(Record):
    """What was asked for. What is not here is a default of the version that is recorded beside it."""

    data: str = ""
    """The folder of the corpora."""
    seed: int = 0
    """Draws the lessons, and the turns that are measured."""
    small: bool = False
    """A toy: a few dialogues and a minute of training."""
    teachers: int = 0
    training: dict[str, float | int] = {}
    """Fields of the training recipe that were set by hand."""
    name: str = ""
    licence: str = ""
    turns: int | None = None
    """How many turns of each evaluation set are measured, at most."""
    replies: int = 0
    """How many turns of EmpatheticDialogues are answered wholly when measuring."""


class Made(Record):
    """A stage: what it was made from, and what came out."""

    inputs: dict[str, Any]
    told: dict[str, Any] | None = None
    """Figures for the card and for a later glance; None while the stage is not done."""
    seconds: float = 0.0


class RunRecord(Record):
    format: int = FORMAT
    versions: dict[str, str] = Field(default_factory=dict)
    settings: Settings = Settings()
    stages: dict[str, Made] = Field(default_factory=dict)


class Folder:
    """One run. Settings may be changed freely in memory; they are written once a stage really begins with them."""

    def __init__(self, root: Path):
        self.root = root
        self.record = _read(root)
        self.settings = self.record.settings
        self.examples, self.counts = root / "examples", root / "examples" / "counts.json"
        self.teachers, self.judged = root / "teachers", root / "teachers" / "shares.npz"
        """Of the labels of `examples`: what each teacher says, and what they say together."""
        self.reread = root / "reread"
        """The examples again, with the cues as the teachers read them."""
        self.training, self.log = root / "training", root / "training" / "log.jsonl"
        self.trained = root / "training" / "adapter.npz"
        self.loss, self.card = root / "loss.png", root / "card.md"

    @property
    def name(self) -> str:
        return self.settings.name or self.root.resolve().name

    @property
    def learnt(self) -> Path:
        """The examples that are learnt from."""
        return self.reread if self.settings.teachers else self.examples

    @property
    def adapter(self) -> Path:
        return self.root / f"{self.name}.gguf"

    @property
    def agreement(self) -> Path:
        return self.root / f"{self.name}.export.json"

    @property
    def calibration(self) -> Path:
        return self.root / f"{self.name}.calibration.json"

    def evaluation(self, split: str) -> Path:
        return self.root / f"evaluation-{split}.json"

    # ── what was asked for, and what is done ──

    def ask(self, **changes: Any) -> None:
        """Change settings; None leaves one as it is."""
        given = {name: value for name, value in changes.items() if value is not None}
        self.settings = self.settings.model_copy(update=given)
        if not _NAME.fullmatch(self.name):
            raise UsageError(f"'{self.name}' cannot be the name of a file. Give --name with letters, digits, dots and hyphens.")

    def standing(self, stage: str, inputs: dict[str, Any], outputs: list[Path]) -> Standing:
        made = self.record.stages.get(stage)
        if made is None:
            return "new"
        if made.inputs != inputs:
            return "other"
        return "done" if made.told is not None and all(path.exists() for path in outputs) else "begun"

    def begin(self, stage: str, inputs: dict[str, Any]) -> None:
        self.keep(**{stage: Made(inputs=inputs)})

    def finish(self, stage: str, told: dict[str, Any], seconds: float) -> None:
        self.keep(**{stage: Made(inputs=self.record.stages[stage].inputs, told=told, seconds=round(seconds, 1))})

    def forget(self, stage: str, outputs: list[Path]) -> None:
        """Delete what a stage made, and that it was ever done."""
        for path in outputs:
            if path.parent == self.root:
                path.unlink(missing_ok=True)
            else:  # a stage with a folder of its own
                shutil.rmtree(path.parent, ignore_errors=True)
        stages = {name: made for name, made in self.record.stages.items() if name != stage}
        self.record = self.record.model_copy(update={"stages": stages})

    def keep(self, **made: Made) -> None:
        """Write down what was asked for, and the stages that are given."""
        self.record = RunRecord(
            versions=self.record.versions | versions(), settings=self.settings, stages=self.record.stages | made
        )
        with whole(self.root / "run.json") as draft:
            draft.write_text(self.record.model_dump_json(indent=1), "utf-8")


def _read(root: Path) -> RunRecord:
    path = root / "run.json"
    if root.exists() and not root.is_dir():
        raise UsageError(f"{root} is a file. Give a folder with --run.")
    if not path.exists():
        if root.exists() and any(entry.name != ".lock" for entry in root.iterdir()):
            raise UsageError(f"{root} is not the folder of a tuning run: it holds other things. Give another one with --run.")
        return RunRecord()
    try:
        record = RunRecord.model_validate_json(path.read_bytes())
    except (ValidationError, ValueError):
        raise UsageError(f"{path} is not the record of a tuning run, or is damaged. Give another folder with --run.") from None
    if record.format != FORMAT:
        raise UsageError(f"{path} was written by another version of Heartfelt (format {record.format}). Start another --run.")
    return record


@contextmanager
def opened(root: Path) -> Generator[Folder, None, None]:
    """The run in a folder, for this process alone. A failing disk becomes one clear message."""
    fresh = Folder(root)  # refuse a folder of something else before anything is written into it
    try:
        root.mkdir(parents=True, exist_ok=True)
        with FileLock(root / ".lock", timeout=0):
            yield Folder(root)
    except Timeout:
        raise UsageError(f"Another process is at work in {root}. Wait for it, or give another folder with --run.") from None
    except (OSError, RuntimeError) as error:
        if not _is_full(error):
            raise
        raise _full(root) from None
    finally:
        if not fresh.record.stages and not (root / "run.json").exists():
            _leave(root)


def _leave(root: Path) -> None:
    """A command that was refused leaves no folder behind."""
    if root.is_dir() and all(entry.name == ".lock" for entry in root.iterdir()):
        shutil.rmtree(root, ignore_errors=True)


def require_room(root: Path, need: int) -> None:
    """Better to say so now than after an hour of training."""
    if free_bytes(root) < need:
        raise _full(root, need)


def _is_full(error: OSError | RuntimeError) -> bool:
    """torch reports a full disk in words of its own."""
    full = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)
    return full or (isinstance(error, RuntimeError) and "inline_container.cc" in str(error))


def _full(root: Path, need: int = 0) -> DiskFullError:
    wants = f", and this stage needs about {megabytes(need)}" if need else ""
    return DiskFullError(
        f"There is no space left for {root}: {megabytes(free_bytes(root))} are free{wants}. "
        "Free some and run the same command again; it goes on from there."
    )


def fingerprint(path: Path) -> str:
    """The beginning of a file's SHA-256."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]


def difference(before: dict[str, Any], now: dict[str, Any]) -> str:
    """The first things that differ, in words."""
    old, new = _flat(before), _flat(now)
    names = [name for name in dict.fromkeys((*old, *new)) if old.get(name) != new.get(name)]
    return ", ".join(f"{name} was {old.get(name, 'not there')} and is {new.get(name, 'gone')}" for name in names[:3])


def _flat(inputs: dict[str, Any], above: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in inputs.items():
        flat |= _flat(value, f"{name} ") if isinstance(value, dict) else {f"{above}{name}": value}
    return flat


def versions() -> dict[str, str]:
    found = {"heartfelt": VERSION, "python": platform.python_version()}
    for package in ("torch", "numpy", "gguf", "xllamacpp"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
