"""What is in a folder, in plain words: which corpus, how much of it, what is missing or broken, and what is done about it."""

from collections import Counter
from pathlib import Path
from typing import Literal

from heartfelt.datasets import DATASETS, Dataset, recognised
from heartfelt.datasets.dataset import Found, existing
from heartfelt.datasets.duplicates import Fingerprints, Overlap
from heartfelt.datasets.notes import KINDS, DatasetNotes
from heartfelt.errors import InputError
from heartfelt.records import Record

ANOTHER_COPY = 0.01
"""Copies of a corpus differ by a few dialogues; what lacks more than this share is not whole."""
UNFINISHED = (".part", ".partial", ".crdownload", ".download", ".aria2", ".tmp")
ARCHIVES = (".tar", ".tgz", ".zip", ".tar.gz", ".7z", ".rar")
STRANGE = {
    b"version https://git-lfs": "is only a pointer of Git LFS, not the file",
    b"<!doctype": "is a web page, not the file",
    b"<html": "is a web page, not the file",
}


class Remark(Record):
    grade: Literal["fine", "odd", "broken"]
    text: str
    """What was found."""
    done: str = ""
    """What is done about it, or what to do."""
    examples: tuple[str, ...] = ()


class SplitFound(Record):
    name: str
    files: tuple[str, ...]
    dialogues: int
    turns: int
    published_dialogues: int | None
    published_turns: int | None
    emotions: dict[str, int]
    clips: int
    """Turns with a recording."""
    remarks: tuple[Remark, ...]


class Checked(Record):
    """What was found of one corpus."""

    dataset: str
    title: str
    version: int
    folder: str
    licence: str
    citation: str
    splits: tuple[SplitFound, ...]
    overlaps: tuple[Overlap, ...]
    remarks: tuple[Remark, ...]

    @property
    def is_whole(self) -> bool:
        remarks = [*self.remarks, *(remark for split in self.splits for remark in split.remarks)]
        return not any(remark.grade == "broken" for remark in remarks)


def check(folder: Path, *, splits: tuple[str, ...] = ()) -> list[Checked]:
    """Every corpus in a folder. With `splits`, only these are read, and only they are missed."""
    found = recognised(existing(folder))
    if not found:
        raise InputError(_nothing(folder))
    return [_checked(known, folder, files, splits) for known, files in found]


def _checked(known: Dataset, folder: Path, files: Found, wanted: tuple[str, ...]) -> Checked:
    asked = tuple(known.split_named(name) for name in wanted)
    fingerprints = Fingerprints()
    read = [
        _read(known, folder, name, files[name], fingerprints)
        for name in known.splits
        if name in files and (not asked or name in asked)
    ]
    overlaps = fingerprints.overlaps(split.name for split in read)
    return Checked(
        dataset=known.name,
        title=known.title,
        version=known.version,
        folder=str(folder),
        licence=known.licence,
        citation=known.citation,
        splits=tuple(read),
        overlaps=tuple(overlaps),
        remarks=(*_missing(known, files, asked), *map(_shared, overlaps), *_leftovers(folder)),
    )


def _read(known: Dataset, folder: Path, split: str, files: list[Path], fingerprints: Fingerprints) -> SplitFound:
    notes, dialogues, turns, clips = DatasetNotes(), 0, 0, 0
    emotions: Counter[str] = Counter()
    remarks: list[Remark] = []
    seen: set[str] = set()
    try:
        for talk in known.read(folder, split, notes):
            if talk.dialogue.id in seen:
                notes.add("duplicate", talk.dialogue.id)
            seen.add(talk.dialogue.id)
            dialogues, turns = dialogues + 1, turns + len(talk.dialogue.turns)
            clips += sum(bool(clip and (clip.video or clip.audio)) for clip in talk.clips)
            emotions.update(turn.emotion for turn in talk.dialogue.turns if turn.emotion)
            fingerprints.add(split, talk)
    except InputError as error:
        remarks.append(Remark(grade="broken", text=str(error), done="nothing of this split can be scored until it is mended"))
    published = known.splits[split]
    remarks += [_counted(published.dialogues, dialogues, "dialogues"), _counted(published.turns, turns, "turns")]
    return SplitFound(
        name=split,
        files=tuple(str(path.relative_to(folder)) for path in files),
        dialogues=dialogues,
        turns=turns,
        published_dialogues=published.dialogues,
        published_turns=published.turns,
        emotions=dict(emotions.most_common()),
        clips=clips,
        remarks=tuple(remark for remark in (*remarks, *_told(notes)) if remark.text),
    )


def _counted(published: int | None, found: int, what: str) -> Remark:
    """How many there are against how many there should be."""
    if published is None or published == found:
        return Remark(grade="fine", text="")
    by = f"{abs(found - published):,} {'more' if found > published else 'fewer'}"
    differs = f"{found:,} {what}, {by} than the {published:,} published"
    if found < published * (1 - ANOTHER_COPY):
        return Remark(grade="broken", text=differs, done="it is not whole, perhaps half-downloaded: fetch it again")
    return Remark(grade="odd", text=differs, done="another copy than the published one: say so beside a score")


def _told(notes: DatasetNotes) -> list[Remark]:
    return [
        Remark(
            grade=KINDS[kind].grade,
            text=f"{count:,} {KINDS[kind].told}",
            done=KINDS[kind].done,
            examples=tuple(notes.first[kind][:3]),
        )
        for kind, count in notes.counts.items()
    ]


def _missing(known: Dataset, files: Found, asked: tuple[str, ...]) -> list[Remark]:
    layout = max(known.layouts, key=lambda names: (len(set(names) & set(files)), -len(names)))
    return [
        Remark(grade="broken", text=f"the {name} split is missing", done=f"looked for: {known.expects}")
        for name in asked or layout
        if name not in files
    ]


def _shared(overlap: Overlap) -> Remark:
    one, other = overlap.splits
    return Remark(
        grade="odd",
        text=f"{overlap.same} dialogues of {other} stand in {one} word for word, {overlap.near} more nearly so",
        done="memory refuses such exemplars by their words; do not tune on the one and score on the other without saying so",
        examples=tuple(" = ".join(pair) for pair in overlap.examples),
    )


def _leftovers(folder: Path) -> list[Remark]:
    """What a download leaves behind when it is not finished."""
    found: list[Remark] = []
    for path in sorted(path for level in ("*", "*/*") for path in folder.glob(level) if path.is_file()):
        name = path.name.casefold()
        if name.endswith(UNFINISHED):
            found.append(Remark(grade="broken", text=f"{path.name} is an unfinished download", done="fetch it again"))
        elif name.endswith(ARCHIVES):
            found.append(
                Remark(grade="odd", text=f"{path.name} is packed", done="it is not looked into: unpack it if you need it")
            )
        elif strange := _strange(path):
            found.append(Remark(grade="broken", text=f"{path.name} {strange}", done="fetch it again"))
    return found


def _strange(path: Path) -> str:
    if path.suffix.casefold() not in (".csv", ".json", ".jsonl", ".tsv", ".txt", ".gz"):
        return ""
    try:
        with path.open("rb") as file:
            head = file.read(64).lstrip().lower()
    except OSError as error:
        return f"cannot be read ({error.strerror})"
    if not head:
        return "is empty"
    return next((what for mark, what in STRANGE.items() if head.startswith(mark)), "")


def _nothing(folder: Path) -> str:
    """Why nothing was recognised, with what could be the reason."""
    reasons = [f"{remark.text}: {remark.done}." for remark in _leftovers(folder)]
    known = "\n".join(f"  {each.title}: {each.expects}" for each in DATASETS.values())
    return f"No known corpus is in {folder}. {' '.join(reasons)}\nLooked for, by their content:\n{known}".replace(" \n", "\n")
