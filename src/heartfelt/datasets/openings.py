"""The project's own openings: what somebody said, and the reply of a good listener (samples/exchanges).

One file holds all sets. `look` is for one figure at the end, so no experiment reads it.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from heartfelt.datasets.cleaning import LISTENER, said
from heartfelt.datasets.dataset import Dataset, Found, PublishedSplit
from heartfelt.datasets.files import files_below, json_items
from heartfelt.datasets.notes import DatasetNotes
from heartfelt.datasets.talk import Talk
from heartfelt.intake import PERSON
from heartfelt.labels import label_set
from heartfelt.records import Dialogue, Turn

LABELS = "ed32"
NAMES = ("openings.jsonl.gz", "openings.jsonl")
SPLITS = {
    "choose": PublishedSplit(130),
    "everyday": PublishedSplit(100),
    "strangers": PublishedSplit(174),
    "rate": PublishedSplit(8249),
}


def find(folder: Path) -> Found:
    path = next((path for path in files_below(folder, ".jsonl") if path.name in NAMES), None)
    return {} if path is None else {split: [path] for split in SPLITS}


def parse(path: Path, split: str, notes: DatasetNotes, *, media: Path | None = None) -> Iterator[Talk]:
    wanted = split.rpartition("/")[2]
    for number, item in json_items(path, notes):
        if item.get("set") != wanted:
            continue
        try:
            yield _talk(item, split, f"{path.name}:{number + 1}", notes)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            notes.add("row", f"{path.name}:{number + 1}", f"{type(error).__name__} {error}")


def _talk(item: dict[str, Any], split: str, where: str, notes: DatasetNotes) -> Talk:
    emotion: str | None = item.get("emotion") or None
    if emotion and emotion not in label_set(LABELS).labels:
        notes.add("label", where, repr(emotion))
        emotion = None
    texts = [said(text) for text in (*item["turns"], item["reference"])]
    if len(texts) % 2 or not all(texts):
        raise ValueError("the turns do not end with the person's, or one of them is empty")
    turns = tuple(
        Turn(speaker=(PERSON, LISTENER)[place % 2], text=text, emotion=None if place % 2 else emotion)
        for place, text in enumerate(texts)
    )
    return Talk(Dialogue(id=str(item["id"]), split=split, turns=turns), LABELS)


DATASET = Dataset(
    name="openings",
    title="Openings",
    about="everyday messages with the reply of a good listener, written for Heartfelt",
    version=1,
    citation="Heartfelt, samples/exchanges",
    licence="Apache-2.0",
    home="samples/exchanges",
    labels=LABELS,
    labelled="dialogue",
    tasks=("respond",),
    splits=SPLITS,
    test="everyday",
    memory="rate",
    layouts=(tuple(SPLITS),),
    find=find,
    parse=parse,
    expects="openings.jsonl.gz, as in samples/exchanges",
)
