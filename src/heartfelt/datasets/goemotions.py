"""GoEmotions: single comments in seven classes. Comments with two emotions are left out: nothing says which one counts."""

from collections.abc import Iterator
from pathlib import Path

from heartfelt.datasets.cleaning import said
from heartfelt.datasets.dataset import Dataset, Found, PublishedSplit
from heartfelt.datasets.files import files_below, lines, split_of
from heartfelt.datasets.notes import DatasetNotes
from heartfelt.datasets.talk import Talk
from heartfelt.intake import PERSON
from heartfelt.labels import label_set
from heartfelt.records import Dialogue, Turn

SPLITS = {"train": "train", "dev": "valid", "valid": "valid", "test": "test"}
NAMES = "labels.txt"


def find(folder: Path) -> Found:
    found: Found = {}
    for path in files_below(folder, ".tsv"):
        split = split_of(path, SPLITS)
        if split and split not in found and path.with_name(NAMES).is_file():
            found[split] = [path]
    return found


def parse(path: Path, split: str, notes: DatasetNotes, *, media: Path | None = None) -> Iterator[Talk]:
    names = [name.strip() for _, name in lines(path.with_name(NAMES), notes)]
    for number, line in lines(path, notes):
        text, ids, identity = (*line.split("\t"), "", "")[:3]
        if not said(text):
            notes.add("empty", f"{path.name}:{number}")
        elif "," in ids:
            notes.add("unlabelled", f"{path.name}:{number}", "two emotions")
        elif not ids.isdecimal() or int(ids) >= len(names) or names[int(ids)] not in label_set("meld").labels:
            notes.add("label", f"{path.name}:{number}", repr(ids))
        else:
            turn = Turn(speaker=PERSON, text=said(text), emotion=names[int(ids)])
            yield Talk(Dialogue(id=identity, split=split, turns=(turn,)), "meld")


DATASET = Dataset(
    name="goemotions",
    title="GoEmotions",
    about="comments of one turn in seven emotions, to recognise and to tune",
    version=1,
    citation="Demszky et al., GoEmotions: A Dataset of Fine-Grained Emotions, ACL 2020, arXiv 2005.00547",
    licence="Apache-2.0",
    home="https://github.com/google-research/google-research/tree/master/goemotions",
    labels="meld",
    labelled="turn",
    tasks=("recognise",),
    splits={"train": PublishedSplit(), "valid": PublishedSplit(), "test": PublishedSplit()},
    test="test",
    memory="valid",
    layouts=(("train", "valid", "test"),),
    find=find,
    parse=parse,
    expects="ekman_train.tsv, ekman_dev.tsv and ekman_test.tsv, and labels.txt beside them",
)
