"""IEMOCAP: ten actors in pairs, five sessions, filmed side by side. Licensed: Heartfelt has a loader and no file of it.

Quirks: latin-1; files that begin with `._`; lines without a time; ids with `XX`; of many labels six are scored. The letter
after the session's number is the actor with markers, who is in the left half of the frame; the last letter is the one who
speaks.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from heartfelt.datasets.cleaning import said
from heartfelt.datasets.dataset import Dataset, Found, PublishedSplit
from heartfelt.datasets.files import folders_named
from heartfelt.datasets.notes import DatasetNotes
from heartfelt.datasets.talk import Talk, TurnClip
from heartfelt.labels import label_set
from heartfelt.records import Dialogue, Turn

SESSIONS = {"train": (1, 3, 4), "memory": (2,), "test": (5,)}
SPEAKERS = {"F": "Woman", "M": "Man"}
_SAID = re.compile(r"(?P<id>Ses0\d[FM]_\w+_(?P<who>[FM])\d+)\s*\[(?P<start>[\d.]+)\s*-\s*(?P<end>[\d.]+)\]\s*:\s*(?P<text>.*)")
_FELT = re.compile(r"\[(?P<start>[\d.]+)\s*-\s*(?P<end>[\d.]+)\]\t(?P<id>\S+)\t(?P<label>\w+)\t\[")


class Utterance(NamedTuple):
    id: str
    who: str
    start: float
    end: float
    text: str


def find(folder: Path) -> Found:
    sessions = {
        path.name: path
        for path in folders_named(folder, "Session[1-5]", depth=4)
        if (path / "dialog" / "transcriptions").is_dir()
    }
    return {
        split: found
        for split, numbers in SESSIONS.items()
        if (found := [sessions[f"Session{number}"] for number in numbers if f"Session{number}" in sessions])
    }


def parse(path: Path, split: str, notes: DatasetNotes, *, media: Path | None = None) -> Iterator[Talk]:
    """The dialogues of a session."""
    for file in _texts(path / "dialog" / "transcriptions"):
        spoken = _spoken(file, notes)
        felt = _felt(path / "dialog" / "EmoEvaluation" / file.name, notes)
        turns = [(each, Turn(speaker=SPEAKERS[each.who], text=each.text, emotion=felt.get(each.id))) for each in spoken]
        if turns:
            yield Talk(
                Dialogue(id=f"{split}/{file.stem}", split=split, turns=tuple(turn for _, turn in turns)),
                "iemocap",
                clips=tuple(_clip(path, file.stem, each, notes) for each, _ in turns),
            )


def half(utterance: str) -> str:
    """Where in the frame the one who speaks is: `Ses01F_impro01_M003` is spoken by the man, and the woman has the markers."""
    markers, who = utterance[5], utterance.rpartition("_")[2][0]
    return "left" if markers == who else "right"


def _spoken(file: Path, notes: DatasetNotes) -> list[Utterance]:
    found: list[Utterance] = []
    for number, line in enumerate(_lines(file), 1):
        match = _SAID.fullmatch(line.strip())
        text = said(match["text"]) if match else ""
        if match and text:
            found.append(Utterance(match["id"], match["who"], float(match["start"]), float(match["end"]), text))
        elif line.strip():
            notes.add("unaddressed", f"{file.name}:{number}")
    return sorted(found, key=lambda each: each.start)


def _felt(file: Path, notes: DatasetNotes) -> dict[str, str]:
    """The emotions of the six classes, by utterance."""
    if not file.is_file():
        notes.add("row", str(file), "there is no evaluation of this dialogue")
        return {}
    codes, found = dict(label_set("iemocap").aliases), dict[str, str]()
    for line in _lines(file):
        if match := _FELT.match(line):
            if match["label"] in codes:
                found[match["id"]] = codes[match["label"]]
            else:
                notes.add("unlabelled", f"{file.name}, {match['id']}", match["label"])
    return found


def _clip(session: Path, dialogue: str, each: Utterance, notes: DatasetNotes) -> TurnClip:
    video = session / "dialog" / "avi" / "DivX" / f"{dialogue}.avi"
    audio = session / "sentences" / "wav" / dialogue / f"{each.id}.wav"
    if not audio.is_file() or not video.is_file():
        notes.add("clip", f"{session.name}, {each.id}")
    return TurnClip(
        video=video if video.is_file() else None,
        audio=audio if audio.is_file() else None,
        start=each.start,
        end=each.end,
        half="left" if half(each.id) == "left" else "right",
        seconds=round(each.end - each.start, 4),
    )


def _texts(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("*.txt") if not path.name.startswith("._"))


def _lines(file: Path) -> list[str]:
    return file.read_bytes().decode("latin-1").replace("\r\n", "\n").split("\n")


DATASET = Dataset(
    name="iemocap",
    title="IEMOCAP",
    about="actors in pairs, improvised and scripted, filmed; six emotions",
    version=1,
    citation="Busso et al., IEMOCAP: Interactive emotional dyadic motion capture database, Language Resources and Evaluation "
    "2008",
    licence="by agreement with the University of Southern California; no redistribution",
    home="https://sail.usc.edu/iemocap",
    labels="iemocap",
    labelled="turn",
    tasks=("respond", "forecast", "recognise"),
    splits={"train": PublishedSplit(90, 6058), "memory": PublishedSplit(30, 1811), "test": PublishedSplit(31, 2170)},
    test="test",
    memory="memory",
    layouts=(("train", "memory", "test"),),
    find=find,
    parse=parse,
    expects="IEMOCAP_full_release/Session1 … Session5, each with dialog/transcriptions and dialog/EmoEvaluation",
)
