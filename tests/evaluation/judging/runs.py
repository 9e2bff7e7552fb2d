"""Made-up runs: a folder as an evaluation leaves it, with replies of two systems or more. Every sentence is our own."""

from pathlib import Path

from heartfelt.evaluation.experiments.answered import AnsweredRow, Done, Failed, GridPlace
from heartfelt.evaluation.experiments.experiment import Condition, Experiment, TaskRequest
from heartfelt.evaluation.experiments.folder import DrawnItem, RunFolder
from heartfelt.evaluation.tasks.item import Gold, Item
from heartfelt.records import Carried, Dialogue, Identity, Performance, Turn

TROUBLES = (
    "my kite tore",
    "the bakery closed",
    "my brother moved abroad",
    "I failed the boat test",
    "the cat ran off",
    "I got lost",
)
GOLD = "THE GOLD ANSWER NOBODY MAY SEE"


def item(number: int) -> Item:
    turns = (
        Turn(speaker="Mara", text="You look far away today.", emotion="curious"),
        Turn(speaker="Jon", text=f"Well, {TROUBLES[number % len(TROUBLES)]} and I cannot get over it.", emotion="gold-sadness"),
    )
    dialogue = Dialogue(turns=turns, listener="Mara", id=f"d{number}")
    return Item(
        id=f"made/test/d{number}#1", place=1, dialogue=dialogue, gold=Gold(emotion="sad", labels="ed32", reference=GOLD)
    )


def performance(recognised: str, *, agrees: bool = True) -> Performance:
    carried = Carried(channel="voice", intended="sad", expected="sadness", recognised=recognised, agrees=agrees)
    return Performance(
        emotion="sad", intensity=0.6, identity=Identity(), voice="secret-voice-maker", seconds=2.5, carried=(carried,)
    )


def run(
    path: Path,
    *,
    items: int = 4,
    systems: tuple[str, ...] = ("warm-system", "cold-system"),
    replies: dict[str, str] | None = None,
    performed: bool = False,
    failed: tuple[str, ...] = (),
    models: tuple[str, ...] = ("embedded:",),
) -> RunFolder:
    """A run; `failed` are `system/number` of rows without an answer."""
    asked = TaskRequest(task="respond", dataset="made", split="test")
    experiment = Experiment(
        name="made-up", tasks={"talk": asked}, conditions={name: Condition() for name in systems}, models=models
    )
    drawn = [DrawnItem(task="talk", item=item(number)) for number in range(items)]
    folder = RunFolder(path)
    folder.begin(experiment, {"made": "up"}, drawn)
    with folder.journal() as journal:
        for model in models:
            for number, each in enumerate(drawn):
                rows = [_row(name, model, number, each.item, replies or {}, performed, failed) for name in systems]
                journal.add(Done(unit=f"talk/{model}/0/{each.item.id}", rows=tuple(rows), times=()))
    return folder


def _row(
    name: str, model: str, number: int, asked: Item, replies: dict[str, str], performed: bool, failed: tuple[str, ...]
) -> AnsweredRow:
    place = GridPlace(task="talk", model=model, seed=0, condition=name)
    if f"{name}/{number}" in failed:
        return AnsweredRow(place=place, item=asked.id, failed=Failed(error="ModelTimeout", message="too slow"))
    usual = f"Oh, {TROUBLES[number % len(TROUBLES)]}? " + ("That hurts, I am sorry." if name.startswith("warm") else "Noted.")
    made = performance("sadness", agrees=name.startswith("warm")) if performed else None
    return AnsweredRow(place=place, item=asked.id, reply=replies.get(name, usual), performance=made)
