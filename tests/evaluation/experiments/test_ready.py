"""The experiments that come with Heartfelt: each can be read, says what it is, and answers every condition, made small."""

import re
from pathlib import Path

import pytest
from tests.docs.test_links import blocks, parse
from tests.evaluation import made_up
from tests.evaluation.experiments.lab import run, script

from heartfelt.datasets import DATASETS
from heartfelt.evaluation.experiments import Results, read_experiment
from heartfelt.evaluation.experiments.experiment import Experiment
from heartfelt.evaluation.report.plots import PLOTS
from heartfelt.memory.sources import exemplars_of

ROOT = Path(__file__).parents[3]
READY = sorted((ROOT / "experiments").glob("*.yaml"))
WRITERS = {
    "meld": made_up.meld,
    "empathetic_dialogues": made_up.empathetic,
    "iemocap": made_up.iemocap,
    "avamerg": made_up.avamerg,
    "esconv": made_up.esconv,
}
FINE = {"ok": "yes", "finding": "none", "instruction": "none"}
MORE = {
    "understand": {"meaning": "Something went wrong at home, and it troubles them.", "kind": "bad"},
    "scenario": {"event": "Something went wrong at home."},
    "cause": {"spans": ["the"], "summary": "It was lost.", "category": "Loss & Failure"},
    "strategy": {"why": "It fits.", "choice": "ER"},
    "goal": {"goal": "To comfort."},
    "audit": dict.fromkeys(("perceive", "forecast", "cause", "plan", "respond"), FINE),
}
"""What the steps of the other recipes answer, beside those in the script that tests of the laboratory share."""
each_of_them = pytest.mark.parametrize("path", READY, ids=lambda path: path.stem)


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    root = tmp_path_factory.mktemp("corpora")
    made = {name: write(root / name) for name, write in WRITERS.items()}
    return made | {"openings": ROOT / "samples" / "exchanges"}


def test_there_are_some():
    assert {"smoke", "embedded", "reflective", "trace", "empatheia", "e3rg-hit"} <= {path.stem for path in READY}


@each_of_them
def test_it_is_named_like_its_file_and_says_first_what_it_is(path: Path):
    assert read_experiment(path).name == path.stem
    assert path.read_text("utf-8").startswith("# ")


@each_of_them
def test_the_commands_at_its_head_are_real(path: Path):
    for line in commands(path):
        parse(line)


@each_of_them
def test_what_is_published_stands_in_a_column_and_says_how_it_differs(path: Path):
    for table in read_experiment(path).tables:
        columns, lines = {each.name for each in table.columns}, table.conditions or tuple(read_experiment(path).conditions)
        assert len(columns) == len(table.columns)
        for published in table.published:
            assert published.differs
            for condition, figures in published.figures.items():
                assert condition in lines
                assert set(figures) <= columns


@each_of_them
def test_it_draws_what_can_be_drawn(path: Path):
    assert set(read_experiment(path).plots) <= set(PLOTS)


@each_of_them
def test_every_condition_answers_on_made_up_dialogues(path: Path, tmp_path: Path, corpora: dict[str, Path]):
    plan = small(read_experiment(path), f"scripted:{script(tmp_path, **MORE)}")
    results = Results(run(plan, tmp_path / "run", data=corpora))
    asked = {(task, name) for task in plan.tasks for name in plan.asked_of(task)}
    assert {(place.task, place.condition) for place in results.places} == asked
    assert [row.failed for place in results.places for row in results.failures(place)] == []


@pytest.mark.parametrize(("corpus", "split"), sorted({
    (task.dataset, task.memory)
    for path in READY for task in read_experiment(path).tasks.values() if task.memory not in ("starter", "none")
}))  # fmt: skip
def test_what_it_remembers_can_be_read(corpus: str, split: str, corpora: dict[str, Path]):
    assert any(exemplar for talk in DATASETS[corpus].read(corpora[corpus], split) for exemplar in exemplars_of(talk))


def test_the_experiment_that_the_documentation_shows_can_be_read(tmp_path: Path):
    shown = blocks(ROOT / "docs" / "how-to" / "run-an-experiment.md", "yaml")
    (tmp_path / "shown.yaml").write_text(shown[0], "utf-8")
    assert read_experiment(tmp_path / "shown.yaml").tables


def small(plan: Experiment, model: str) -> Experiment:
    """The same grid over two dialogues a task, in words alone and without weights."""
    tasks = {name: task.model_copy(update={"limit": 2, "memory": "none"}) for name, task in plan.tasks.items()}
    conditions = {name: each.model_copy(update={"media": "none", "voters": ()}) for name, each in plan.conditions.items()}
    return plan.model_copy(update={"tasks": tasks, "conditions": conditions, "models": (model,), "seeds": plan.seeds[:1]})


def commands(path: Path) -> list[str]:
    """Each `heartfelt …` of the comment at the head of a file, without its first word."""
    head = re.match(r"(?:#.*\n)+", path.read_text("utf-8"))
    lines = re.sub(r"^# ?", "", head[0] if head else "", flags=re.M).replace("\\\n", " ").splitlines()
    return [line.strip().removeprefix("heartfelt ") for line in lines if line.startswith("  heartfelt ")]
