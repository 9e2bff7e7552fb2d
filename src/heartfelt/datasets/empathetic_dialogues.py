"""EmpatheticDialogues: two crowd workers, one tells of a situation and an emotion, the other listens.

Quirks: `_comma_` stands for a comma; quotes are not escaped; `context` is the emotion and `prompt` the situation, which is
gold; odd turns speak and even turns listen, whatever `speaker_idx` says.
"""

from collections.abc import Iterator
from pathlib import Path

from heartfelt.datasets.cleaning import LISTENER, spoken
from heartfelt.datasets.dataset import Dataset, Found, PublishedSplit
from heartfelt.datasets.files import cells, files_below, first_line, split_of
from heartfelt.datasets.notes import DatasetNotes
from heartfelt.datasets.rows import DatasetRow, dialogues, filled, integer
from heartfelt.datasets.talk import Talk
from heartfelt.intake import PERSON
from heartfelt.labels import fold, label_set
from heartfelt.records import Dialogue, Turn

COLUMNS = frozenset({"conv_id", "utterance_idx", "context", "prompt", "utterance"})
SPLITS = {"train": "train", "valid": "valid", "dev": "valid", "validation": "valid", "test": "test"}


def find(folder: Path) -> Found:
    found: Found = {}
    for path in files_below(folder, ".csv"):
        split = split_of(path, SPLITS)
        if split and split not in found and set(cells(first_line(path))) >= COLUMNS:
            found[split] = [path]
    return found


def parse(path: Path, split: str, notes: DatasetNotes, *, media: Path | None = None) -> Iterator[Talk]:
    """The gold emotion is the speaker's, so it stands on the speaker's turns alone."""
    for identity, rows in dialogues(path, COLUMNS, _key, notes):
        turns = [(row.place, turn) for row in rows if (turn := _turn(row, path, notes))]
        if not turns:
            continue
        places = tuple(place for place, _ in turns)
        if places != tuple(range(1, len(places) + 1)):
            notes.add("gap", f"{path.name}, {identity}", f"has the turns {', '.join(map(str, places))}")
        yield Talk(
            Dialogue(id=identity, split=split, turns=tuple(turn for _, turn in turns)),
            "ed32",
            situation=_situation(rows[0], path, notes),
            numbers=places,
        )


def _key(row: dict[str, str]) -> tuple[str, int]:
    return filled(row, "conv_id"), integer(row, "utterance_idx")


def _turn(row: DatasetRow, path: Path, notes: DatasetNotes) -> Turn | None:
    where, speaks = f"{path.name}:{row.number}", row.place % 2 == 1
    try:
        text = spoken(filled(row.cells, "utterance"))
    except ValueError as error:
        notes.add("empty", where, str(error))
        return None
    return Turn(
        speaker=PERSON if speaks else LISTENER,
        text=text,
        emotion=_emotion(row.cells["context"], where, notes) if speaks else None,
    )


def _situation(row: DatasetRow, path: Path, notes: DatasetNotes) -> str:
    try:
        return spoken(row.cells["prompt"])
    except ValueError as error:
        notes.add("row", f"{path.name}:{row.number}", str(error))
        return ""


def _emotion(context: str, where: str, notes: DatasetNotes) -> str | None:
    named = context.strip().casefold()
    if named in label_set("ed32").labels:
        return named
    notes.add("label", where, repr(context))
    return fold(context, "ed32").label


DATASET = Dataset(
    name="empathetic_dialogues",
    title="EmpatheticDialogues",
    about="crowd workers tell a listener of a situation, 32 emotions",
    version=1,
    citation="Rashkin et al., Towards Empathetic Open-domain Conversation Models, ACL 2019, arXiv 1811.00207",
    licence="CC BY-NC 4.0",
    home="https://github.com/facebookresearch/EmpatheticDialogues",
    labels="ed32",
    labelled="dialogue",
    tasks=("respond", "recognise", "audit"),
    splits={"train": PublishedSplit(19533), "valid": PublishedSplit(2770), "test": PublishedSplit(2547)},
    test="test",
    memory="valid",
    layouts=(("train", "valid", "test"),),
    find=find,
    parse=parse,
    expects="train.csv, valid.csv and test.csv, each also as .gz",
)
