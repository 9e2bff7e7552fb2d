"""MELD: scenes of a television series, an emotion for every utterance, and a clip of each.

Quirks: times with one digit of hours; ids with gaps (train has no dialogue 60, test dia93 no 5 to 7); about 132 test clips
published again with corrected content as `final_videos_testdia…`; one corrupt clip, one that never was.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from heartfelt.datasets.cleaning import name_of, spoken
from heartfelt.datasets.dataset import Dataset, Found, PublishedSplit
from heartfelt.datasets.files import cells, files_below, first_line, folders_named, split_of
from heartfelt.datasets.notes import DatasetNotes
from heartfelt.datasets.rows import DatasetRow, dialogues, filled, integer
from heartfelt.datasets.talk import Talk, TurnClip
from heartfelt.labels import label_set
from heartfelt.records import Dialogue, Turn

COLUMNS = frozenset({"Utterance", "Speaker", "Emotion", "Dialogue_ID", "Utterance_ID"})
SPLITS = {"train": "train", "dev": "dev", "valid": "dev", "test": "test"}
CLIPS = {"train": "train_splits", "dev": "dev_splits_complete", "test": "output_repeated_splits_test"}
CORRECTED = "final_videos_test"
CORRUPT = {("train", 125, 3)}
"""Clips that are there and cannot be played."""
_TIME = re.compile(r"(\d+):(\d{1,2}):(\d{1,2})(?:[,.](\d{1,3}))?")


def find(folder: Path) -> Found:
    found: Found = {}
    for path in files_below(folder, ".csv"):
        split = split_of(path, SPLITS)
        dyadic = "dya" in path.name.casefold()  # a selection of the same dialogues, for another task
        if split and not dyadic and split not in found and set(cells(first_line(path))) >= COLUMNS:
            found[split] = [path]
    return found


def parse(path: Path, split: str, notes: DatasetNotes, *, media: Path | None = None) -> Iterator[Talk]:
    bare = split.rpartition("/")[2]
    clips = clip_folder(media, bare) if media else None
    for number, rows in dialogues(path, COLUMNS, _key, notes):
        turns = [(row, turn) for row in rows if (turn := _turn(row, path, notes))]
        if not turns:
            continue
        name = f"{split}/dia{number}" if split else f"dia{number}"
        if lacking := missing([row.place for row, _ in turns]):
            notes.add("gap", f"{path.name}, dia{number}", f"lacks {_told(lacking)}")
        yield Talk(
            Dialogue(id=name, split=split, turns=tuple(turn for _, turn in turns)),
            "meld",
            numbers=tuple(row.place for row, _ in turns),
            clips=tuple(_clip(clips, bare, row, path, notes) for row, _ in turns),
        )


def clip_folder(folder: Path, split: str) -> Path | None:
    return next(iter(folders_named(folder, CLIPS[split], depth=4)), None) if split in CLIPS else None


def clip_path(clips: Path, split: str, dialogue: int, utterance: int) -> Path | None:
    """The clip of an utterance: the corrected one where there is one; none where it cannot be played."""
    if (split, dialogue, utterance) in CORRUPT:
        return None
    name = f"dia{dialogue}_utt{utterance}.mp4"
    places = (clips / f"{CORRECTED}{name}", clips / name)
    return next((place for place in places if place.is_file() and place.stat().st_size), None)


def seconds(time: str) -> float | None:
    """`0:16:16,059` and `00:16:16,05` as seconds."""
    found = _TIME.fullmatch(time.strip())
    if found is None:
        return None
    hours, minutes, whole, part = found.groups()
    return int(hours) * 3600 + int(minutes) * 60 + float(f"{whole}.{part or 0}")


def missing(places: list[int]) -> list[int]:
    """Numbers that a run from 0 should hold and does not."""
    return sorted(set(range(max(places) + 1)) - set(places))


def _key(row: dict[str, str]) -> tuple[str, int]:
    return str(integer(row, "Dialogue_ID")), integer(row, "Utterance_ID")


def _turn(row: DatasetRow, path: Path, notes: DatasetNotes) -> Turn | None:
    where = f"{path.name}:{row.number}"
    try:
        speaker, text = name_of(filled(row.cells, "Speaker")), spoken(filled(row.cells, "Utterance"))
    except ValueError as error:
        notes.add("empty", where, str(error))
        return None
    emotion = row.cells["Emotion"].strip().casefold()
    if emotion not in label_set("meld").labels:
        notes.add("label", where, repr(emotion))
    return Turn(speaker=speaker, text=text, emotion=emotion if emotion in label_set("meld").labels else None)


def _clip(clips: Path | None, split: str, row: DatasetRow, path: Path, notes: DatasetNotes) -> TurnClip | None:
    start, end = (seconds(row.cells.get(column, "")) for column in ("StartTime", "EndTime"))
    length = end - start if start is not None and end is not None else None
    if length is None and "StartTime" in row.cells:
        notes.add("time", f"{path.name}:{row.number}", row.cells["StartTime"])
    if clips is None:
        return TurnClip(seconds=length) if length is not None else None
    video = clip_path(clips, split, int(row.dialogue), row.place)
    if video is None:
        corrupt = (split, int(row.dialogue), row.place) in CORRUPT
        notes.add("damaged clip" if corrupt else "clip", f"{clips.name}/dia{row.dialogue}_utt{row.place}.mp4")
    elif video.name.startswith(CORRECTED):
        notes.add("corrected clip", f"{clips.name}/{video.name}")
    return TurnClip(video=video, seconds=length)


def _told(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers[:6])) + (", …" if len(numbers) > 6 else "")


DATASET = Dataset(
    name="meld",
    title="MELD",
    about="television scenes of several speakers, seven emotions, a clip of each utterance",
    version=1,
    citation="Poria et al., MELD: A Multimodal Multi-Party Dataset for Emotion Recognition in Conversations, ACL 2019, "
    "arXiv 1810.02508",
    licence="GPL-3.0 for the annotations; the lines are those of a television series",
    home="https://affective-meld.github.io",
    labels="meld",
    labelled="turn",
    tasks=("respond", "forecast", "recognise"),
    splits={"train": PublishedSplit(1038, 9989), "dev": PublishedSplit(114, 1109), "test": PublishedSplit(280, 2610)},
    test="test",
    memory="dev",
    layouts=(("train", "dev", "test"),),
    find=find,
    parse=parse,
    expects="train_sent_emo.csv, dev_sent_emo.csv and test_sent_emo.csv, each also as .gz; clips in MELD.Raw",
)
