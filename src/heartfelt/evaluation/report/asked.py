"""What was asked of whom, on which data, and how much of it is done: the head of a report."""

from collections import Counter
from typing import Any

from heartfelt.datasets import DATASETS
from heartfelt.errors import HeartfeltError
from heartfelt.evaluation.experiments.experiment import Condition
from heartfelt.evaluation.experiments.experiment import TaskRequest as AskedTask
from heartfelt.evaluation.experiments.results import Results
from heartfelt.evaluation.tasks.draw import manifest
from heartfelt.evaluation.tasks.item import Item
from heartfelt.records import Record
from heartfelt.version import VERSION


class Task(Record):
    name: str
    what: str
    """In words: the task, the corpus, and its split."""
    digest: str
    """Of the protocol: two runs with the same one were asked the same."""
    items: int
    dialogues: int
    labels: str
    citation: str
    licence: str
    memory: str
    """What is remembered while it is answered."""


class Failure(Record):
    error: str
    count: int
    example: str
    conditions: tuple[str, ...]


class ReportRequest(Record):
    tasks: tuple[Task, ...]
    models: tuple[str, ...]
    seeds: tuple[int, ...]
    conditions: dict[str, str]
    """What each condition is, in words."""
    version: str
    """Of the program that answered."""
    machine: dict[str, str]
    rows: int
    planned: int
    finished: bool
    failures: tuple[Failure, ...]
    reproduce: tuple[str, ...]

    @property
    def failed(self) -> int:
        return sum(each.count for each in self.failures)


def what_was_asked(results: Results) -> ReportRequest:
    plan, folder = results.experiment, results.folder
    noted = folder.manifest if folder.begun else {}
    name = folder.path.resolve().name
    return ReportRequest(
        tasks=tuple(_task(results, task, asked, noted) for task, asked in plan.tasks.items()),
        models=tuple(_model(address, noted) for address in plan.models),
        seeds=plan.seeds,
        conditions={name: condition_words(each) for name, each in plan.conditions.items()},
        version=str(noted.get("heartfelt", VERSION)),
        machine=_machine(noted),
        rows=sum(len(results.answered(place)) for place in results.places),
        planned=planned_rows(results),
        finished=folder.finished,
        failures=tuple(_failures(results)),
        reproduce=(f"heartfelt evaluate {name}/experiment.json --out {name}-again{_corpora(results)}",),
    )


def planned_rows(results: Results) -> int:
    """How many rows the whole grid has."""
    plan = results.experiment
    cells = sum(
        _asked_items(list(results.items.get(task, {}).values()), condition.limit)
        for task in plan.tasks
        for condition in plan.asked_of(task).values()
    )
    return cells * len(plan.models) * len(plan.seeds)


def condition_words(condition: Condition) -> str:
    """A condition as a reader would say it: «heartfelt, without audit, first 25 dialogues»."""
    told = [f"without {', '.join(condition.without)}"] if condition.without else []
    told += ["each step alone with the dialogue"] if condition.independent else []
    told += [f"{condition.refinements} refinements"] if condition.refinements is not None else []
    told += ["the last pass instead of the best"] if not condition.selection else []
    told += [f"{condition.top_k} exemplars"] if condition.top_k is not None else []
    told += [f"temperature {condition.temperature:g}"] if condition.temperature is not None else []
    told += [f"{step} by {model}" for step, model in condition.models.items()]
    told += [f"without the {sense}" for sense in condition.unsensed]
    told += [f"{condition.votes} vote{'s' if condition.votes > 1 else ''}"] if condition.votes else []
    told += [f"counted by {condition.voting}"] if condition.voting else []
    told += [f"until {condition.until}"] if condition.until else []
    told += [f"as {condition.media} by {condition.voice} and {condition.face}"] if condition.media != "none" else []
    told += [f"{len(condition.voters)} voters"] if condition.voters else []
    told += [f"first {condition.limit} dialogues"] if condition.limit else []
    return ", ".join([condition.recipe, *told])


def _corpora(results: Results) -> str:
    """Where corpora lie is not written down; a reader has them elsewhere."""
    missing = dict.fromkeys(asked.dataset for asked in results.experiment.tasks.values() if not asked.folder)
    return "".join(f" --data {name}=FOLDER" for name in missing)


def _model(address: str, noted: dict[str, Any]) -> str:
    """The model that stood behind an address when the run began."""
    name = noted.get("models", {}).get(address, "")
    return f"{name} ({address})" if name and name != address else address


def _task(results: Results, name: str, asked: AskedTask, run: dict[str, Any]) -> Task:
    items, noted = list(results.items.get(name, {}).values()), run.get("tasks", {}).get(name) or _noted(asked)
    known = DATASETS.get(asked.dataset)
    split = noted.get("protocol", {}).get("split") or asked.split
    return Task(
        name=name,
        what=f"{asked.task} · {known.title if known else asked.dataset}{' · ' + split if split else ''}",
        digest=noted.get("digest") or asked.protocol.digest,
        items=len(items),
        dialogues=len({item.dialogue.id for item in items}),
        labels=noted.get("labels", {}).get("set") or asked.labels,
        citation=known.citation if known else "",
        licence=known.licence if known else "",
        memory=asked.memory,
    )


def _noted(asked: AskedTask) -> dict[str, Any]:
    """What a manifest says of a protocol; nothing where the corpus is one that is no longer known."""
    known = DATASETS.get(asked.dataset)
    try:
        split = asked.split or (known.test if known else "")
        return manifest(asked.protocol.model_copy(update={"split": split}))
    except HeartfeltError:
        return {}


def _machine(noted: dict[str, Any]) -> dict[str, str]:
    """Whatever the manifest says of it, one level deep."""
    part = noted.get("machine", {})
    return {str(key): str(value) for key, value in part.items()} if isinstance(part, dict) else {"machine": str(part)}


def _asked_items(items: list[Item], limit: int | None) -> int:
    if limit is None:
        return len(items)
    first = set(list(dict.fromkeys(item.dialogue.id for item in items))[:limit])
    return sum(item.dialogue.id in first for item in items)


def _failures(results: Results) -> list[Failure]:
    failed = [row for place in results.places for row in results.failures(place)]
    counts = Counter(row.failed.error for row in failed if row.failed)
    found: list[Failure] = []
    for error, count in counts.most_common():
        rows = [row for row in failed if row.failed and row.failed.error == error]
        names = tuple(dict.fromkeys(row.place.condition for row in rows))
        found.append(
            Failure(error=error, count=count, example=rows[0].failed.message if rows[0].failed else "", conditions=names)
        )
    return found
