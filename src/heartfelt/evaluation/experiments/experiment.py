"""An experiment: one file that says which systems answer which turns, and what is reported of it."""

from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field, ValidationError, model_validator

from heartfelt.budget import Budget
from heartfelt.errors import InputError, MissingExtra, UnknownName, UsageError
from heartfelt.evaluation.metrics import metric_named
from heartfelt.evaluation.tasks import Protocol
from heartfelt.recipes import Ablation, recipe
from heartfelt.records import Record

LARGEST = 1_000_000
"""Bytes of an experiment's file."""


class Asked(Protocol):
    """A task: a protocol, where its corpus lies, and what is remembered of it."""

    split: str = ""
    """Empty: the corpus's test split."""
    folder: str = ""
    """Where the corpus lies, beside the experiment's file; empty: what `--data` or HEARTFELT_DATA says."""
    memory: str = "starter"
    """`starter`, `none`, or another split of the same corpus, which is remembered before the run begins."""

    @property
    def protocol(self) -> Protocol:
        return Protocol.model_validate(self.model_dump(include=set(Protocol.model_fields)))


class Condition(Ablation):
    """A system: a recipe, with something taken away or set otherwise."""

    recipe: str = "heartfelt"
    tasks: tuple[str, ...] = ()
    """Only these tasks; empty: all."""
    limit: int | None = Field(default=None, ge=1)
    """Only the first so many dialogues of each task: ablations are often run on fewer."""
    voters: tuple[str, ...] = ()
    budget: Budget = Budget()
    media: Literal["none", "sound", "film"] = "none"
    """Whether replies are spoken and shown too, and measured."""
    voice: str = "embedded:"
    face: str = "embedded:"

    @property
    def ablation(self) -> Ablation:
        return Ablation.model_validate(self.model_dump(include=set(Ablation.model_fields)))


class Column(Record):
    """A figure of a table."""

    metric: str
    """As in the catalogue of metrics: `accuracy/meld`."""
    name: str = ""
    of: Literal["speaker", "reply"] = "speaker"
    """Whose emotion is the right one, where both have one: the speaker's, or that of the answer that was really given."""


class Published(Record):
    """What a publication says, and how its way of measuring differs."""

    source: str
    differs: str = ""
    figures: dict[str, dict[str, float]]
    """By condition, then by the column's name, in the units of ours."""


class Table(Record):
    title: str
    tasks: tuple[str, ...] = ()
    """One table for each of them; empty: of all tasks."""
    conditions: tuple[str, ...] = ()
    """Its lines; empty: all."""
    columns: tuple[Column, ...] = Field(min_length=1)
    against: str = ""
    """The condition that every other one is compared with."""
    published: tuple[Published, ...] = ()


class Experiment(Record):
    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$", max_length=60)
    about: str = ""
    cites: str = ""
    tasks: dict[str, Asked] = Field(min_length=1)
    models: tuple[str, ...] = Field(default=("embedded:",), min_length=1)
    seeds: tuple[int, ...] = Field(default=(0,), min_length=1)
    conditions: dict[str, Condition] = Field(min_length=1)
    tries: int = Field(default=3, ge=1, le=10)
    timeout: float = Field(default=120.0, gt=0)
    tables: tuple[Table, ...] = ()
    plots: tuple[str, ...] = ()
    """Of `heartfelt.evaluation.report.plots`, by name."""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        for name, condition in self.conditions.items():
            recipe(condition.recipe).ablated(condition.ablation)
            _known("task", condition.tasks, self.tasks, f"the condition '{name}'")
        for table in self.tables:
            _known("task", table.tasks, self.tasks, f"the table '{table.title}'")
            _known(
                "condition", (*table.conditions, *filter(None, [table.against])), self.conditions, f"the table '{table.title}'"
            )
            for column in table.columns:
                metric_named(column.metric)
            for published in table.published:
                _known("condition", tuple(published.figures), self.conditions, f"the table '{table.title}'")
        return self

    @property
    def grid(self) -> dict[str, Any]:
        """What decides the rows. The rest may change while a run is under way."""
        return self.model_dump(mode="json", exclude={"about", "cites", "tables", "plots"})

    def asked_of(self, task: str) -> dict[str, Condition]:
        """The conditions that take part in a task."""
        return {name: each for name, each in self.conditions.items() if not each.tasks or task in each.tasks}


def read_experiment(path: Path) -> Experiment:
    """The experiment in a YAML file, or one message that says where it is wrong."""
    try:
        import yaml
    except ImportError as error:
        raise MissingExtra("The laboratory", "lab") from error
    try:
        if path.stat().st_size > LARGEST:
            raise InputError(f"{path} has more than {LARGEST // 1_000_000} MB: that is no description of an experiment.")
        data = yaml.safe_load(path.read_text("utf-8"))
    except OSError as error:
        raise InputError(f"The experiment {path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise InputError(f"The experiment {path} is not in UTF-8 ({error.reason} at byte {error.start}).") from error
    except yaml.YAMLError as error:
        raise InputError(f"The experiment {path} is not YAML: {' '.join(str(error).split())}.") from error
    if not isinstance(data, dict):
        raise InputError(f"The experiment {path} holds no fields. It needs name, tasks and conditions.")
    try:
        return Experiment.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the whole"
        more = f" ({error.error_count() - 1} more)" if error.error_count() > 1 else ""
        raise InputError(f"The experiment {path} is wrong at {where}: {first['msg']}{more}.") from error
    except UsageError as error:
        raise UsageError(f"The experiment {path}: {error}") from error


def _known(kind: str, names: tuple[str, ...], known: dict[str, Any], where: str) -> None:
    for name in names:
        if name not in known:
            raise UnknownName(kind, name, known, where=where)
