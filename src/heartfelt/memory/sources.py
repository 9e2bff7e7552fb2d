"""Files of dialogues, read as exemplars: Heartfelt's own JSON, EmpatheticDialogues and MELD.

A row that cannot be used is counted and named, and the rest is read; a file of no known format is refused.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, TypeAlias

from pydantic import ValidationError

from heartfelt.datasets import Dataset, DatasetNotes, Talk, empathetic_dialogues, meld
from heartfelt.datasets.files import cells, lines, split_of, suffix
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
class SourceReading:
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

    def heard(self, kind: str, problem: str) -> None:
        """What a loader noticed, where it cost a row."""
        if kind in ("row", "empty", "duplicate"):
            self.problems.append(problem)


def _files(folder: Path) -> list[Path]:
    """All files of a folder that look like dialogues, in a fixed order."""
    if not folder.exists():
        raise InputError(f"There is nothing at {folder}. Give a file of dialogues, or a folder of them.")
    return sorted(path for path in folder.rglob("*") if path.is_file() and suffix(path) in _SUFFIXES)


def read_all(source: Path, *, split: str | None = None, situations: Situations = "words") -> list[SourceReading]:
    """Read a file, or a folder in which some files may be something else: those become a problem each."""
    if source.is_file():
        return [read(source, split=split, situations=situations)]
    readings: list[SourceReading] = []
    for path in _files(source):
        try:
            readings.append(read(path, split=split, situations=situations))
        except InputError as error:
            readings.append(SourceReading(path, problems=[f"{path.name}: left out. {str(error).splitlines()[0]}"]))
    if not any(reading.dialogues for reading in readings):
        raise InputError(f"No file in {source} holds dialogues. These formats are known:\n{KNOWN}")
    return readings


def read(path: Path, *, split: str | None = None, situations: Situations = "words") -> SourceReading:
    """Read one file. `split` names the split of rows that do not name their own."""
    if suffix(path) in {".json", ".jsonl"}:
        return _read_own(path, [line for _, line in lines(path, DatasetNotes())], split)
    header = set(cells(next(lines(path, DatasetNotes()), (1, ""))[1]))
    for known, columns, splits in _CORPORA:
        if columns <= header:
            named = split_of(path, splits)
            reading = SourceReading(path, f"{known.name}/{named}" if named else "", known.name)
            return _read_corpus(reading, known, split, situations)
    raise _unknown(path)


# ── Heartfelt's own ─────────────────────────────────────────────────────────────────────────────────────────────────


def _read_own(path: Path, lines: list[str], split: str | None) -> SourceReading:
    reading = SourceReading(path)
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


def _items(reading: SourceReading, lines: list[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a file: one JSON value for the whole of it, or one on each line."""
    if suffix(reading.path) == ".json":
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


# ── published corpora ───────────────────────────────────────────────────────────────────────────────────────────────


def _read_corpus(reading: SourceReading, known: Dataset, split: str | None, situations: Situations) -> SourceReading:
    for talk in known.parse(reading.path, split or reading.split, DatasetNotes(tell=reading.heard)):
        reading.dialogues += 1
        reading.exemplars += exemplars_of(talk, situations)
    return reading


def exemplars_of(talk: Talk, situations: Situations = "words") -> Iterator[Exemplar]:
    """What a dialogue of a corpus teaches: the listener's answers, or, where nobody is the listener, each exchange."""
    if any(turn.speaker == talk.dialogue.listener for turn in talk.dialogue.turns):
        found = _answers(talk.dialogue)
        yield from (item.model_copy(update={"situation": talk.situation}) for item in found) if situations == "gold" else found
        return
    for place, (before, turn) in enumerate(pairwise(talk.dialogue.turns), 1):
        if talk.follows(place):  # ids have gaps
            yield from _exchanges(talk.dialogue.model_copy(update={"turns": (before, turn)}))


_CORPORA = (
    (empathetic_dialogues.DATASET, empathetic_dialogues.COLUMNS, empathetic_dialogues.SPLITS),
    (meld.DATASET, meld.COLUMNS, meld.SPLITS),
)


# ── what is refused ─────────────────────────────────────────────────────────────────────────────────────────────────


def _unknown(path: Path) -> InputError:
    return InputError(f"{path} is not in a format that can be remembered. These are known:\n{KNOWN}")


def _brief(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    return f"{type(error).__name__}: {error}"
