"""The corpora that the embedded brain learns from, read as Heartfelt's own dialogues with their gold labels.

Only official splits, and the test splits only through `scored_test`: training code that wants one has to write that name.
Every text goes through `intake.cleaned`, as a live user's does.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from heartfelt.errors import InputError, UnknownName
from heartfelt.intake import PERSON, cleaned
from heartfelt.labels import fold
from heartfelt.memory.sources import _cells, _lines
from heartfelt.records import Dialogue, Turn

Split: TypeAlias = Literal["train", "valid", "test"]

LISTENER: str = Dialogue.model_fields["listener"].default
ESCONV_HELD_OUT = 10
"""One in so many dialogues of ESConv's `valid` is kept for validation; the rest teaches, for its train split is not here."""


@dataclass(frozen=True)
class Talk:
    """A whole dialogue. The gold emotion of a turn stands in `turn.emotion`, in the label set `labels`."""

    dialogue: Dialogue
    labels: str
    strategies: tuple[str, ...] = ()
    """ESConv: the strategy of each turn, empty for the speaker's."""


def training(corpus: str, data: Path) -> list[Talk]:
    return _read(corpus, data, "train")


def validation(corpus: str, data: Path) -> list[Talk]:
    return _read(corpus, data, "valid")


def scored_test(corpus: str, data: Path) -> list[Talk]:
    """The official test split: to be scored on, never to be learnt from."""
    return _read(corpus, data, "test")


def _read(corpus: str, data: Path, split: Split) -> list[Talk]:
    if corpus not in CORPORA:
        raise UnknownName("corpus", corpus, CORPORA)
    known = CORPORA[corpus]
    path = _found(data / known.files[split])
    return list(known.parse(path, split))


def _found(path: Path) -> Path:
    """The file, or the same compressed."""
    for candidate in (path, path.with_name(f"{path.name}.gz")):
        if candidate.exists():
            return candidate
    raise InputError(f"There is no {path} nor {path.name}.gz. Give the folder that holds the corpora with --data.")


# ── cleaning ────────────────────────────────────────────────────────────────────────────────────────────────────────


def said(text: str) -> str:
    """A text as intake would take it; empty where it would refuse it."""
    text = text.replace("_comma_", ",")
    text = "".join(_windows(character) for character in text)
    return cleaned(text, "A text") if text.strip() else ""


def name_of(name: str) -> str:
    return said(name.replace(":", " ")) or PERSON


def _windows(character: str) -> str:
    """MELD holds a few bytes of Windows' encoding that were read as control characters; other ones become a space."""
    if not (0x7F <= ord(character) < 0xA0 or (ord(character) < 0x20 and character not in "\n\r\t")):
        return character
    return bytes([ord(character)]).decode("cp1252", errors="replace") if ord(character) >= 0x80 else " "


# ── the four ────────────────────────────────────────────────────────────────────────────────────────────────────────


class _Row(NamedTuple):
    dialogue: str
    place: int
    turn: Turn


def _empathetic(path: Path, split: Split) -> Iterator[Talk]:
    """Odd turns speak, even turns listen; the gold emotion is the speaker's, so it stands on the speaker's turns."""

    def row(cells: dict[str, str]) -> _Row:
        index = int(cells["utterance_idx"])
        speaks = index % 2 == 1
        turn = Turn(
            speaker=PERSON if speaks else LISTENER,
            text=said(cells["utterance"]),
            emotion=cells["context"].strip() if speaks else None,
        )
        return _Row(cells["conv_id"], index, turn)

    for identity, turns in _grouped(_table(path, row)):
        yield Talk(Dialogue(id=identity, split=f"empathetic_dialogues/{split}", turns=turns), "ed32")


def _meld(path: Path, split: Split) -> Iterator[Talk]:
    def row(cells: dict[str, str]) -> _Row:
        turn = Turn(speaker=name_of(cells["Speaker"]), text=said(cells["Utterance"]), emotion=cells["Emotion"].strip())
        return _Row(f"{int(cells['Dialogue_ID']):05}", int(cells["Utterance_ID"]), turn)

    for identity, turns in _grouped(_table(path, row)):
        name = f"meld/{'dev' if split == 'valid' else split}"
        yield Talk(Dialogue(id=f"{name}/dia{int(identity)}", split=name, turns=turns), "meld")


def _goemotions(path: Path, split: Split) -> Iterator[Talk]:
    """One turn each. Comments with two emotions are left out: nothing says which one counts."""
    names = _lines(path.with_name("labels.txt"))
    for line in _lines(path):
        text, ids, identity = (*line.split("\t"), "", "")[:3]
        if ids.isdecimal() and said(text):
            turn = Turn(speaker=PERSON, text=said(text), emotion=names[int(ids)].strip())
            yield Talk(Dialogue(id=identity, split=f"goemotions/{split}", turns=(turn,)), "meld")


def _esconv(path: Path, split: Split) -> Iterator[Talk]:
    for number, line in enumerate(_lines(path)):
        if not line.strip() or (split != "test" and _held_out(number) != (split == "valid")):
            continue
        talk = json.loads(line)
        emotion = fold(talk["emotion_type"], "ed32").label
        if emotion:
            yield _supported(talk, emotion, f"esconv/{'test' if split == 'test' else 'valid'}", number)


_SPELT_OTHERWISE = {"Providing Suggestions or Information": "Providing Suggestions", "Greeting": "Others"}
"""Copies of ESConv merge or split a few of its eight strategies."""


def _supported(talk: dict[str, Any], emotion: str, split: str, number: int) -> Talk:
    turns: list[Turn] = []
    strategies: list[str] = []
    for item in talk["dialog"]:
        speaks = item["speaker"] in ("usr", "seeker")
        text = said(item.get("text", item.get("content", "")))
        strategy: str = item.get("strategy") or item.get("annotation", {}).get("strategy") or ""
        if text:
            turns.append(Turn(speaker=PERSON if speaks else LISTENER, text=_joined(text), emotion=emotion if speaks else None))
            strategies.append("" if speaks else _SPELT_OTHERWISE.get(strategy, strategy))
    return Talk(Dialogue(id=f"{split}/{number}", split=split, turns=tuple(turns)), "ed32", tuple(strategies))


def _held_out(number: int) -> bool:
    return int(sha256(str(number).encode()).hexdigest(), 16) % ESCONV_HELD_OUT == 0


def _joined(text: str) -> str:
    """ESConv is cut into words here: « I 'm sorry . » was typed «I'm sorry.»"""
    for mark in (".", ",", "?", "!", ";", ":", "'s", "'m", "'re", "'ve", "'ll", "'d", "n't"):
        text = text.replace(f" {mark}", mark)
    return text


def _table(path: Path, row: Callable[[dict[str, str]], _Row]) -> Iterator[_Row]:
    lines = _lines(path)
    header = _cells(lines[0])
    for line in lines[1:]:
        cells = _cells(line)
        cells = cells if len(cells) >= len(header) else line.split(",")
        if len(cells) >= len(header):
            made = row(dict(zip(header, cells, strict=False)))
            if made.turn.text:
                yield made


def _grouped(rows: Iterable[_Row]) -> Iterator[tuple[str, tuple[Turn, ...]]]:
    ordered = sorted(rows, key=lambda row: (row.dialogue, row.place))
    for identity, found in groupby(ordered, key=lambda row: row.dialogue):
        yield identity, tuple(row.turn for row in found)


class _Corpus(NamedTuple):
    files: dict[Split, str]
    parse: Callable[[Path, Split], Iterator[Talk]]


CORPORA = {
    "empathetic_dialogues": _Corpus(
        {split: f"empathetic_dialogues/{split}.csv" for split in ("train", "valid", "test")}, _empathetic
    ),
    "meld": _Corpus(
        {
            "train": "meld/train_sent_emo.csv",
            "valid": "meld/dev_sent_emo.csv",
            "test": "meld/test_sent_emo.csv",
        },
        _meld,
    ),
    "goemotions": _Corpus(
        {
            "train": "goemotions/ekman_train.tsv",
            "valid": "goemotions/ekman_dev.tsv",
            "test": "goemotions/ekman_test.tsv",
        },
        _goemotions,
    ),
    "esconv": _Corpus({"train": "esconv/valid.jsonl", "valid": "esconv/valid.jsonl", "test": "esconv/test.jsonl"}, _esconv),
}
