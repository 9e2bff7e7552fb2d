"""Files of dialogues, read as exemplars: Heartfelt's own JSON, EmpatheticDialogues and MELD.

A row that cannot be used is counted and named, and the rest is read; a file of no known format is refused.
"""

import csv
import gzip
import json
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from pydantic import ValidationError

from heartfelt.errors import InputError
from heartfelt.records import Dialogue, Exemplar, Turn

Situations: TypeAlias = Literal["words", "gold"]
"""What stands for the situation: the speaker's own words so far, as a live user gives them, or the corpus's summary."""

KNOWN = """\
  .json .jsonl  Heartfelt's own: {"id", "split", "turns": [{"speaker", "text", "emotion"?}], "emotion"?, "listener"?},
                or exchanges: {"situation", "reply", "emotion"}
  .csv          EmpatheticDialogues: conv_id,utterance_idx,context,prompt,speaker_idx,utterance,…
  .csv          MELD: Sr No.,Utterance,Speaker,Emotion,Sentiment,Dialogue_ID,Utterance_ID,…
Each may be compressed as .gz."""

_SUFFIXES = {".json", ".jsonl", ".csv"}


@dataclass
class Reading:
    """One file as it was read."""

    path: Path
    split: str = ""
    """What the file's name says of its split, such as `meld/test`; empty where the name says nothing."""
    corpus: str = ""
    """The published corpus, if it is one."""
    dialogues: int = 0
    exemplars: list[Exemplar] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    """`FILE:LINE: what is wrong` for each row that was left out."""

    def complain(self, line: int, problem: str) -> None:
        self.problems.append(f"{self.path.name}:{line}: {problem}")


class _Line(NamedTuple):
    """One utterance of a corpus that is kept as one row each."""

    number: int
    dialogue: str
    place: int
    """Its number within the dialogue, which may skip some."""
    turn: Turn
    gold: str = ""


def _files(folder: Path) -> list[Path]:
    """All files of a folder that look like dialogues, in a fixed order."""
    if not folder.exists():
        raise InputError(f"There is nothing at {folder}. Give a file of dialogues, or a folder of them.")
    return sorted(path for path in folder.rglob("*") if path.is_file() and _suffix(path) in _SUFFIXES)


def read_all(source: Path, *, split: str | None = None, situations: Situations = "words") -> list[Reading]:
    """Read a file, or a folder in which some files may be something else: those become a problem each."""
    if source.is_file():
        return [read(source, split=split, situations=situations)]
    readings: list[Reading] = []
    for path in _files(source):
        try:
            readings.append(read(path, split=split, situations=situations))
        except InputError as error:
            readings.append(Reading(path, problems=[f"{path.name}: left out. {str(error).splitlines()[0]}"]))
    if not any(reading.dialogues for reading in readings):
        raise InputError(f"No file in {source} holds dialogues. These formats are known:\n{KNOWN}")
    return readings


def read(path: Path, *, split: str | None = None, situations: Situations = "words") -> Reading:
    """Read one file. `split` names the split of rows that do not name their own."""
    lines = _lines(path)
    if _suffix(path) in {".json", ".jsonl"}:
        return _read_own(path, lines, split)
    header = set(_cells(lines[0]))
    for corpus, columns, parse in _CORPORA:
        if columns <= header:
            return _read_corpus(Reading(path, _named_split(corpus, path), corpus), lines, parse, split, situations)
    raise _unknown(path)


# ── Heartfelt's own ─────────────────────────────────────────────────────────────────────────────────────────────────


def _read_own(path: Path, lines: list[str], split: str | None) -> Reading:
    reading = Reading(path)
    for number, item in _items(reading, lines):
        try:
            found = _own(item, split or "")
        except (ValidationError, ValueError, TypeError, KeyError, AttributeError) as error:
            reading.complain(number, f"not a dialogue ({_brief(error)})")
            continue
        reading.dialogues += 1
        reading.exemplars += found
    if not reading.dialogues:
        raise _unknown(path)
    return reading


def _items(reading: Reading, lines: list[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a file: one JSON value for the whole of it, or one on each line."""
    if _suffix(reading.path) == ".json":
        try:
            value = json.loads("\n".join(lines))
        except ValueError as error:
            raise InputError(f"{reading.path} is not JSON ({error}). Mend it, or name it .jsonl.") from error
        yield from enumerate(value if isinstance(value, list) else [value], 1)
        return
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield number, json.loads(line)
        except ValueError as error:
            reading.complain(number, f"not JSON ({error})")


def _own(item: dict[str, Any], split: str) -> list[Exemplar]:
    if "situation" in item:
        chosen = {name: item[name] for name in ("situation", "reply", "emotion", "dialogue", "split") if name in item}
        return [Exemplar.model_validate({"split": split, **chosen})]
    turns = tuple(_own_turn(turn, item.get("emotion")) for turn in item["turns"])
    chosen = {name: item[name] for name in ("id", "split", "listener") if item.get(name)}
    dialogue = Dialogue.model_validate({"split": split, **chosen, "turns": turns})
    answered = "listener" in chosen or any(turn.speaker == dialogue.listener for turn in turns)
    return list(_answers(dialogue) if answered else _exchanges(dialogue))


def _own_turn(turn: dict[str, Any], emotion: object) -> Turn:
    return Turn.model_validate({"speaker": turn["speaker"], "text": turn["text"], "emotion": turn.get("emotion") or emotion})


def _answers(dialogue: Dialogue) -> Iterator[Exemplar]:
    """Each turn of the listener, after all that the others have said so far."""
    said: list[Turn] = []
    for before, turn in pairwise(dialogue.turns):
        if before.speaker != dialogue.listener:
            said.append(before)
            if turn.speaker == dialogue.listener:
                yield from _exemplar(dialogue, " ".join(item.text.strip() for item in said), said[-1], turn)


def _exchanges(dialogue: Dialogue) -> Iterator[Exemplar]:
    """Among many speakers nobody is the listener: each utterance and the next one of somebody else."""
    for before, turn in pairwise(dialogue.turns):
        if before.speaker != turn.speaker:
            yield from _exemplar(dialogue, before.text, before, turn)


def _exemplar(dialogue: Dialogue, situation: str, last: Turn, reply: Turn) -> Iterator[Exemplar]:
    """The emotion is that of the last words before the reply: it is what a live turn knows when it searches."""
    if situation.strip() and reply.text.strip():
        yield Exemplar(
            situation=situation.strip(),
            reply=reply.text.strip(),
            emotion=last.emotion or "",
            dialogue=dialogue.id,
            split=dialogue.split,
        )


# ── published corpora, one utterance a row ──────────────────────────────────────────────────────────────────────────


def _read_corpus(reading: Reading, lines: list[str], parse: "_Parse", split: str | None, situations: Situations) -> Reading:
    header = _cells(lines[0])
    rows = (_row(reading, number, header, line, parse) for number, line in enumerate(lines[1:], 2) if line.strip())
    # Rows of a dialogue are together in the published files, but nothing promises it.
    ordered = sorted((row for row in rows if row), key=lambda row: (row.dialogue, row.place, row.number))
    for name, utterances in groupby(ordered, key=lambda row: row.dialogue):
        reading.dialogues += 1
        reading.exemplars += _paired(reading, list(utterances), split or reading.split, situations, name)
    return reading


def _row(reading: Reading, number: int, header: list[str], line: str, parse: "_Parse") -> _Line | None:
    cells = _cells(line)
    if len(cells) < len(header):
        # EmpatheticDialogues as published does not escape quotes, and has no comma inside a cell.
        cells = line.split(",")
    if len(cells) < len(header):
        reading.complain(number, f"{len(cells)} columns instead of {len(header)}")
        return None
    try:
        return parse(number, dict(zip(header, cells, strict=False)))
    except ValueError as error:
        reading.complain(number, str(error))
        return None


def _paired(reading: Reading, lines: list[_Line], split: str, situations: Situations, name: str) -> Iterator[Exemplar]:
    if reading.corpus == "empathetic_dialogues":
        dialogue = Dialogue(id=name, split=split, turns=tuple(line.turn for line in lines))
        found = _answers(dialogue)
        gold = lines[0].gold
        yield from (item.model_copy(update={"situation": gold}) for item in found) if situations == "gold" else found
        return
    identity = f"{split}/dia{name}" if split else f"dia{name}"
    for before, line in pairwise(lines):
        # Ids have gaps: what follows a gap does not answer what stands before it.
        if line.place == before.place + 1:
            yield from _exchanges(Dialogue(id=identity, split=split, turns=(before.turn, line.turn)))


def _empathetic(number: int, row: dict[str, str]) -> _Line:
    index = _integer(row, "utterance_idx")
    text = _filled(row, "utterance").replace("_comma_", ",")
    emotion = _filled(row, "context")
    # Odd turns speak, even turns listen; `speaker_idx` means nothing across copies of the corpus.
    turn = Turn(speaker="Speaker" if index % 2 else "Listener", text=text, emotion=emotion)
    return _Line(number, _filled(row, "conv_id"), index, turn, row["prompt"].replace("_comma_", ",").strip())


def _meld(number: int, row: dict[str, str]) -> _Line:
    turn = Turn(speaker=_filled(row, "Speaker"), text=_filled(row, "Utterance"), emotion=_filled(row, "Emotion"))
    return _Line(number, str(_integer(row, "Dialogue_ID")), _integer(row, "Utterance_ID"), turn)


_Parse: TypeAlias = Callable[[int, dict[str, str]], _Line]
_CORPORA: tuple[tuple[str, frozenset[str], _Parse], ...] = (
    ("empathetic_dialogues", frozenset({"conv_id", "utterance_idx", "context", "prompt", "utterance"}), _empathetic),
    ("meld", frozenset({"Utterance", "Speaker", "Emotion", "Dialogue_ID", "Utterance_ID"}), _meld),
)
_SPLITS = {
    "empathetic_dialogues": {"train": "train", "valid": "valid", "dev": "valid", "test": "test"},
    "meld": {"train": "train", "dev": "dev", "valid": "dev", "test": "test"},
}


# ── cells and files ─────────────────────────────────────────────────────────────────────────────────────────────────


def _named_split(corpus: str, path: Path) -> str:
    """`test_sent_emo.csv` of MELD is `meld/test`."""
    words = re.split(r"[^a-z]+", path.name.casefold())
    found = next((split for name, split in _SPLITS[corpus].items() if name in words), None)
    return f"{corpus}/{found}" if found else ""


def _cells(line: str) -> list[str]:
    """One line is one row in both corpora, so an unbalanced quote spoils no more than its own row."""
    try:
        return next(csv.reader([line]), [])
    except csv.Error:  # such as a cell of more than 128 KiB
        return []


def _filled(row: dict[str, str], column: str) -> str:
    if not row[column].strip():
        raise ValueError(f"the column {column} is empty")
    return row[column].strip()


def _integer(row: dict[str, str], column: str) -> int:
    if not row[column].strip().isdecimal():
        raise ValueError(f"the column {column} is not a number: {row[column]!r}")
    return int(row[column])


def _suffix(path: Path) -> str:
    suffixes = [suffix.casefold() for suffix in path.suffixes if suffix.casefold() != ".gz"]
    return suffixes[-1] if suffixes else ""


def _lines(path: Path) -> list[str]:
    try:
        raw = path.read_bytes()
        raw = gzip.decompress(raw) if path.suffix.casefold() == ".gz" else raw
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path} cannot be read ({error}).") from error
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        # MELD circulates in Windows' encoding too. A few bytes mean nothing in it; they must not cost the file.
        text = raw.decode("cp1252", errors="replace")
    # Only these end a line: `splitlines` would also cut at odd separators that people's texts contain.
    return text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n").split("\n")


def _unknown(path: Path) -> InputError:
    return InputError(f"{path} is not in a format that can be remembered. These are known:\n{KNOWN}")


def _brief(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    return f"{type(error).__name__}: {error}"
