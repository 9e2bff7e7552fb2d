"""An experiment: one file that says which systems answer which turns, and what is reported of it."""

from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field, ValidationError, model_validator

from heartfelt.budget import Budget
from heartfelt.errors import InputError, MissingExtra, UnknownName, UsageError
from heartfelt.evaluation.metrics.catalogue import metric_named
from heartfelt.evaluation.tasks.protocol import Protocol
from heartfelt.models.addresses import refuse_login
from heartfelt.recipes import Ablation, recipe
from heartfelt.records import Record

ENDS = {"forecast": "forecast", "recognise": "forecast", "strategy": "strategy"}
"""The step after which a task has all that it asks for; the others need a reply."""
PLOTS = (
    "figures",
    "tone by emotion",
    "stance by emotion",
    "blamed step",
    "passes",
    "time",
    "confusion",
    "calibration",
)
"""What `heartfelt.evaluation.report.plots` can draw."""
LARGEST = 1_000_000
"""Bytes of an experiment's file."""


class TaskRequest(Protocol):
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
    """One of Heartfelt's, or your own that HEARTFELT_RECIPES makes known."""
    tasks: tuple[str, ...] = ()
    """Only these tasks; empty: all."""
    limit: int | None = Field(default=None, ge=1)
    """Only the first so many dialogues of each task: ablations are often run on fewer."""
    voters: tuple[str, ...] = ()
    """Addresses of further models that vote, where the recipe lets several decide."""
    budget: Budget = Budget()
    """What a turn may cost."""
    media: Literal["none", "sound", "film"] = "none"
    """Whether replies are spoken and shown too, and measured."""
    voice: str = "embedded:"
    """The address of the generator that speaks."""
    face: str = "embedded:"
    """The address of the generator that shows a face."""

    @property
    def ablation(self) -> Ablation:
        return Ablation.model_validate(self.model_dump(include=set(Ablation.model_fields)))


class TableColumn(Record):
    """A figure of a table."""

    metric: str
    """As in the catalogue of metrics: `accuracy/meld`."""
    name: str = ""
    """Its head in the table; empty: the metric's own name."""
    of: Literal["speaker", "reply"] = "speaker"
    """Whose emotion is the right one, where both have one: the speaker's, or that of the answer that was really given."""


class PublishedFigure(Record):
    """What a publication says, and how its way of measuring differs."""

    source: str
    """Which publication, and of what."""
    tasks: tuple[str, ...] = ()
    """Only beside these tasks; empty: beside all."""
    differs: str = ""
    """How it was measured otherwise; empty: it was measured as here."""
    figures: dict[str, dict[str, float]]
    """By condition, then by the column's name, in the units of ours."""


class ReportTable(Record):
    """A table of the report."""

    title: str
    tasks: tuple[str, ...] = ()
    """One table for each of them; empty: of all tasks."""
    conditions: tuple[str, ...] = ()
    """Its lines; empty: all."""
    columns: tuple[TableColumn, ...] = Field(min_length=1)
    """Its figures."""
    against: str = ""
    """The condition that every other one is compared with."""
    published: tuple[PublishedFigure, ...] = ()
    """What publications say of the same conditions."""


class Experiment(Record):
    """A grid: every condition answers every item of its tasks, with every model and seed."""

    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$", max_length=60)
    """Also of the run's folder, where no other is given: `out/runs/NAME`."""
    about: str = ""
    """What is compared, for the head of the report."""
    cites: str = ""
    """The publications that it reproduces."""
    tasks: dict[str, TaskRequest] = Field(min_length=1)
    """What is asked, by a name of your own."""
    models: tuple[str, ...] = Field(default=("embedded:",), min_length=1)
    """Addresses of language models."""
    seeds: tuple[int, ...] = Field(default=(0,), min_length=1)
    """Of what models draw by chance; which dialogues are drawn is the task's own seed."""
    conditions: dict[str, Condition] = Field(min_length=1)
    """Who answers, by a name of your own."""
    tries: int = Field(default=3, ge=1, le=10)
    """How often a step is asked for a usable answer."""
    safety: bool = False
    """Whether danger is looked for and replies are guarded, as they are for a person. A corpus is nobody: off by default."""
    timeout: float = Field(default=120.0, gt=0)
    """Seconds for one call."""
    tables: tuple[ReportTable, ...] = ()
    """Of the report; none: one for each task, with the figures that fit what was asked."""
    plots: tuple[str, ...] = ()
    """Of `heartfelt.evaluation.report.plots`, by name; none: all that the run has something to show for."""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        for address in self.models:
            refuse_login(address, f"The experiment '{self.name}'")
        for name, condition in self.conditions.items():
            for address in (*condition.voters, *condition.models.values(), condition.voice, condition.face):
                refuse_login(address, f"The condition '{name}'")
            recipe(condition.recipe).ablated(condition.ablation)
            _known("task", condition.tasks, self.tasks, f"the condition '{name}'")
            self._can_answer(name, condition)
        _known("plot", self.plots, dict.fromkeys(PLOTS), f"the experiment '{self.name}'")
        for table in self.tables:
            _known("task", table.tasks, self.tasks, f"the table '{table.title}'")
            _known(
                "condition", (*table.conditions, *filter(None, [table.against])), self.conditions, f"the table '{table.title}'"
            )
            for column in table.columns:
                metric_named(column.metric)
            for published in table.published:
                _known("condition", tuple(published.figures), self.conditions, f"the table '{table.title}'")
                _known("task", published.tasks, self.tasks, f"the table '{table.title}'")
        return self

    def _can_answer(self, name: str, condition: Condition) -> None:
        steps = recipe(condition.recipe).ablated(condition.ablation).step_names
        for task, asked in self.tasks.items():
            end = ENDS.get(asked.task)
            if end and end not in steps and (not condition.tasks or task in condition.tasks):
                raise UsageError(
                    f"The task '{task}' asks for what the step '{end}' names, and the condition '{name}' has no such step. "
                    f"Leave that condition out of it with tasks: […]."
                )

    @property
    def grid(self) -> dict[str, Any]:
        """What decides the rows. The rest may change while a run is under way."""
        told = {"about": True, "cites": True, "tables": True, "plots": True, "tasks": {"__all__": {"folder"}}}
        return self.model_dump(mode="json", exclude=told)  # type: ignore[arg-type]

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
