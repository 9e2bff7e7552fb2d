"""Made-up runs: folders as an evaluation writes them, with answers that a die decided. Every sentence is our own."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from heartfelt.evaluation.experiments.answered import AnsweredRow, Done, Failed, GridPlace, StepTimes
from heartfelt.evaluation.experiments.experiment import Experiment
from heartfelt.evaluation.experiments.folder import DrawnItem, RunFolder
from heartfelt.evaluation.metrics.rows import Spent
from heartfelt.evaluation.tasks.item import Gold, Item
from heartfelt.records import (
    Audit,
    Dialogue,
    Evidence,
    Exemplars,
    Finding,
    Forecast,
    Identity,
    Pass,
    Plan,
    Reply,
    StepRecord,
    Turn,
    Verdict,
)

FELT = {
    "ed": ("sad", "proud", "afraid", "angry", "grateful", "lonely", "joyful", "annoyed"),
    "meld": ("neutral", "joy", "sadness", "anger", "surprise", "neutral", "fear"),
}
LABELS = {"ed": "ed32", "meld": "meld"}
OPENINGS = (
    "They pulled the old lighthouse down this morning, and I stood there until it was gone.",
    "My niece built a whole boat out of scrap wood!",
    "There were steps in my attic last night, and nobody lives up there.",
    "The garage kept my van for six weeks and then lost the keys.",
    "Somebody shovelled the snow off my drive before I woke up.",
    "The house is so quiet since the dog is gone.",
    "I can hardly believe it, the choir took me!",
    "He borrowed my ladder again without asking.",
)
STARTS = ("Oh,", "I hear you;", "Well,", "Goodness,", "Truly,", "Ah,")
MIDDLES = (
    "losing a place like that really hurts",
    "you must be so proud of her",
    "that sounds frightening, did you look what it was",
    "I would be furious as well",
    "how kind of them",
    "an empty house can be so loud",
    "that is a wonderful piece of news",
    "you had every right to mind",
)
ENDS = (
    "tell me more about it.",
    "what happened then?",
    "how are you now?",
    "I am glad that you told me.",
    "what do you need today?",
)
TONES = ("gentle", "warm", "calm", "tender", "bright", "sincere")
STANCES = ("friend", "ally", "witness", "companion", "admirer")
STEPS = ("perceive", "forecast", "plan", "recall", "respond")
CONDITIONS: dict[str, dict[str, Any]] = {
    "full": {},
    "no audit": {"without": ["audit"]},
    "independent": {"independent": True},
    "no recall": {"without": ["recall"]},
    "no plan": {"without": ["plan"], "limit": 25},
    "direct": {"recipe": "direct"},
}
SKILL = {"full": 0.78, "no audit": 0.62, "independent": 0.48, "no recall": 0.74, "no plan": 0.7, "direct": 0.5}
COLUMNS = [
    {"metric": "dist_corpus-1/lower-whitespace", "name": "Dist-1"},
    {"metric": "dist_corpus-2/lower-whitespace", "name": "Dist-2"},
    {"metric": "length/lower-words", "name": "length"},
    {"metric": "cost/calls", "name": "calls"},
    {"metric": "cost/ms", "name": "time"},
]
PUBLISHED = {
    "source": "the reference paper",
    "differs": "another model, and 31 dialogues of another corpus",
    "figures": {"full": {"accuracy": 0.8387, "Dist-1": 0.3725, "Dist-2": 0.811}, "no audit": {"accuracy": 0.7419}},
}


def experiment(**changes: Any) -> Experiment:
    """Six conditions and two tasks, with a table each."""
    tables = [
        {
            "title": "Ablations",
            "tasks": [task],
            "against": "full",
            "columns": [{"metric": f"accuracy/{LABELS[task]}", "name": "accuracy"}, *COLUMNS],
            "published": [PUBLISHED] if task == "meld" else [],
        }
        for task in ("ed", "meld")
    ]
    fields = {
        "name": "ablations",
        "about": "What each part of the reflective system is worth.",
        "cites": "the reference paper",
        "tasks": {
            "ed": {"task": "respond", "dataset": "empathetic_dialogues", "split": "test"},
            "meld": {"task": "respond", "dataset": "meld", "split": "test"},
        },
        "conditions": CONDITIONS,
        "tables": tables,
    }
    return Experiment.model_validate(fields | changes)


def items(task: str, count: int) -> list[Item]:
    return [_item(task, number) for number in range(count)]


def make_run(path: Path, *, count: int = 8, plan: Experiment | None = None, finish: bool = True, seed: int = 1) -> RunFolder:
    """A run that is done, or (`finish` False) half done."""
    plan, folder = plan or experiment(), RunFolder(path)
    drawn = {task: items(task, count) for task in plan.tasks}
    machine = {"heartfelt": "0.0.0", "machine": {"system": "a made-up machine", "cores": 8}}
    folder.begin(plan, machine, [DrawnItem(task=task, item=item) for task, found in drawn.items() for item in found])
    units = list(_units(plan, drawn, Random(seed)))
    with folder.journal() as journal:
        for done in units if finish else units[: len(units) // 2]:
            journal.add(done)
    if finish:
        folder.finish([done.unit for done in units])
    return folder


def _item(task: str, number: int) -> Item:
    emotion, text = FELT[task][number % len(FELT[task])], OPENINGS[number % len(OPENINGS)]
    before = [Turn(speaker="Rosa", text="Do you have a minute?"), Turn(speaker="Listener", text="Of course.")] * (number % 3)
    dialogue = Dialogue(turns=(*before, Turn(speaker="Rosa", text=text)), id=f"{task}/test/{number}", split=f"{task}/test")
    gold = Gold(
        emotion=emotion, labels=LABELS[task], answered_with=emotion, reference=f"{STARTS[number % 6]} {ENDS[number % 5]}"
    )
    speaker = Identity.numbered(number % 24) if task == "ed" else None
    return Item(id=f"{task}/test/{number}#{len(before)}", place=len(before), dialogue=dialogue, gold=gold, speaker=speaker)


def _units(plan: Experiment, drawn: dict[str, list[Item]], random: Random) -> Iterator[Done]:
    for task, found in drawn.items():
        for model in plan.models:
            for seed in plan.seeds:
                for number, item in enumerate(found):
                    asked = {name: each for name, each in plan.asked_of(task).items() if number < (each.limit or len(found))}
                    places = [GridPlace(task=task, model=model, seed=seed, condition=name) for name in asked]
                    made = [_answer(plan, place, item, random) for place in places]
                    unit = f"{task}/{model}/{seed}/{item.id}"
                    yield Done(unit=unit, rows=tuple(row for row, _ in made), times=tuple(times for _, times in made))


def _answer(plan: Experiment, place: GridPlace, item: Item, random: Random) -> tuple[AnsweredRow, StepTimes]:
    row = AnsweredRow(place=place, item=item.id)
    if random.random() < 0.03:
        failed = Failed(error="ModelTimeout", message="The model gave no answer within 120 s.", step="respond")
        return row.model_copy(update={"failed": failed}), StepTimes(id=row.id, ms={"perceive": 120_000.0})
    asked = plan.conditions[place.condition]
    steps = ("respond",) if asked.recipe == "direct" else tuple(step for step in STEPS if step not in asked.without)
    audits = asked.recipe != "direct" and "audit" not in asked.without
    passes = _passes(place, item, steps, audits, random)
    spent = tuple(
        Spent(step=step, calls=len(passes), prompt_tokens=400, output_tokens=40) for step in (*steps, *["audit"] * audits)
    )
    ms = {each.step: round(len(passes) * random.uniform(300, 900), 1) for each in spent}
    chosen = len(passes) - 1
    stopped = (
        ("all checks passed" if passes[-1].audit and not passes[-1].audit.blamed else "refinements spent")
        if audits
        else "no audit"
    )
    update = {"reply": passes[chosen].reply, "chosen": chosen, "stopped": stopped, "passes": passes, "spent": spent}
    return row.model_copy(update=update), StepTimes(id=row.id, ms=ms)


def _passes(place: GridPlace, item: Item, steps: tuple[str, ...], audits: bool, random: Random) -> tuple[Pass, ...]:
    made: list[Pass] = []
    for number in range(3 if audits else 1):
        outputs = [_step(step, place, item, random, number) for step in steps]
        blamed = random.choice(steps) if audits and random.random() < 0.45 else None
        verdicts = tuple(Verdict(step=step, ok=step != blamed) for step in steps)
        finding = (Finding(step=blamed, problem="It misses the point.", instruction="Quote other words."),) if blamed else ()
        audit = Audit(verdicts=verdicts, findings=finding) if audits else None
        made.append(Pass(number=number, started_from=steps[0], steps=tuple(outputs), audit=audit))
        if not blamed:
            break
    return tuple(made)


def _step(step: str, place: GridPlace, item: Item, random: Random, number: int) -> StepRecord:
    felt, labels = item.gold.emotion or "sad", item.gold.labels
    named = felt if random.random() < SKILL.get(place.condition, 0.6) else random.choice(FELT[place.task])
    sure = round(random.uniform(0.52, 0.99), 2)
    shares = {named: sure, next(each for each in FELT[place.task] if each != named): round(1 - sure, 2)}
    painful = felt in ("sad", "sadness", "lonely", "afraid", "fear")
    plan = Plan(
        goal="comfort" if painful else "connect",
        stance=random.choice(STANCES[2:4] if painful else STANCES),
        tactic="reflecting the feeling",
        tone=random.choice(TONES[:3] if painful else TONES),
    )
    heard = MIDDLES[OPENINGS.index(item.dialogue.last.text)]
    text = f"{random.choice(STARTS)} {heard}, {random.choice(ENDS)}"
    outputs = {
        "forecast": Forecast(emotion=named, labels=labels, confidence=sure, distribution=shares),
        "plan": plan,
        "respond": Reply(text=text),
    }
    spare = {"perceive": Evidence(cues=(), summary="The voice is small."), "recall": Exemplars(found=())}
    return StepRecord(step=step, made_in=number, output=(outputs | spare)[step])
