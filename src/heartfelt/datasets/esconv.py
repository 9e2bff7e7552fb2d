"""ESConv: somebody in need and a supporter who names the strategy of every utterance.

Two layouts: JSON lines cut into words (`usr`, `sys`), and the original list (`seeker`, `supporter`). Utterances that follow
each other by the same person are joined, as the first layout has them already, so that both give the same dialogues.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from heartfelt.datasets.cleaning import LISTENER, spoken
from heartfelt.datasets.dataset import Dataset, Found, PublishedSplit
from heartfelt.datasets.files import files_below, json_items, split_of
from heartfelt.datasets.notes import DatasetNotes
from heartfelt.datasets.talk import Talk
from heartfelt.errors import InputError
from heartfelt.intake import PERSON
from heartfelt.labels import fold, label_set
from heartfelt.records import Dialogue, Turn

SPLITS = {"train": "train", "valid": "valid", "dev": "valid", "test": "test", "failed": "failed", "failedesconv": "failed"}
SEEKERS, SUPPORTERS = frozenset({"usr", "seeker", "speaker"}), frozenset({"sys", "supporter", "listener"})
SPELT_OTHERWISE = {
    "Providing Suggestions or Information": "Providing Suggestions",
    "Greeting": "Others",
    "Greetings": "Others",
    "Other": "Others",
    "Questions": "Question",
    "Restatement": "Restatement or Paraphrasing",
    "Approval and Reassurance": "Affirmation and Reassurance",
    "Direct Guidance": "Providing Suggestions",
}
"""Copies of ESConv merge, split or rename a few of its eight strategies."""
MERGED = {"Providing Suggestions": ("Providing Suggestions", "Information")}


def find(folder: Path) -> Found:
    found: Found = {}
    for path in files_below(folder, ".jsonl", ".json", ".txt"):
        split = split_of(path, SPLITS) or ("all" if path.name.casefold().startswith("esconv") else "")
        if split and split not in found and _is_esconv(path):
            found[split] = [path]
    return found


def parse(path: Path, split: str, notes: DatasetNotes, *, media: Path | None = None) -> Iterator[Talk]:
    for number, item in json_items(path, notes):
        where = f"{path.name}, dialogue {number}"
        try:
            talk = _talk(item, split, number, where, notes)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            notes.add("row", where, f"{type(error).__name__} {error}")
            continue
        if talk:
            yield talk
        else:
            notes.add("empty", where)


def _is_esconv(path: Path) -> bool:
    """Told by its first item. A file that is damaged later on is still ESConv: that is told where it is read."""
    try:
        return next((set(item) >= {"emotion_type", "dialog"} for _, item in json_items(path, DatasetNotes())), False)
    except InputError:
        return False


def _talk(item: dict[str, Any], split: str, number: int, where: str, notes: DatasetNotes) -> Talk | None:
    emotion = fold(str(item["emotion_type"]), "ed32").label
    if emotion is None:
        notes.add("label", where, repr(item["emotion_type"]))
    turns: list[Turn] = []
    strategies: list[str] = []
    merged = False
    for said in item["dialog"]:
        seeks, text = _seeks(said["speaker"]), joined(spoken(said.get("text") or said.get("content") or ""))
        raw: str = said.get("strategy") or said.get("annotation", {}).get("strategy") or ""
        merged = merged or raw.endswith("or Information")
        if not text:
            continue
        if turns and (turns[-1].speaker == PERSON) == seeks:
            turns[-1] = turns[-1].model_copy(update={"text": f"{turns[-1].text} {text}"})
            continue
        turns.append(Turn(speaker=PERSON if seeks else LISTENER, text=text, emotion=emotion if seeks else None))
        strategies.append("" if seeks else _strategy(raw, where, notes))
    if merged:
        notes.add("merged", where, "Providing Suggestions or Information")
    if not turns:
        return None
    return Talk(
        Dialogue(id=f"{split}/{number}", split=split, turns=tuple(turns)),
        "ed32",
        tuple(strategies),
        situation=spoken(str(item.get("situation") or "")),
        topic=str(item.get("problem_type") or ""),
        merged=MERGED if merged else {},
    )


def _seeks(speaker: str) -> bool:
    if speaker not in SEEKERS | SUPPORTERS:
        raise ValueError(f"nobody is called {speaker!r} in this corpus")
    return speaker in SEEKERS


def _strategy(raw: str, where: str, notes: DatasetNotes) -> str:
    name = SPELT_OTHERWISE.get(raw, raw)
    if name and name not in label_set("esconv").labels:
        notes.add("label", where, repr(raw))
        return ""
    return name


def joined(text: str) -> str:
    """One copy is cut into words: « I 'm sorry . » was typed «I'm sorry.»"""
    for mark in (".", ",", "?", "!", ";", ":", "'s", "'m", "'re", "'ve", "'ll", "'d", "n't"):
        text = text.replace(f" {mark}", mark)
    return text


DATASET = Dataset(
    name="esconv",
    title="ESConv",
    about="emotional support by trained workers, eight strategies",
    version=1,
    citation="Liu et al., Towards Emotional Support Dialog Systems, ACL 2021, arXiv 2106.01144",
    licence="CC BY-NC 4.0",
    home="https://github.com/thu-coai/Emotional-Support-Conversation",
    labels="ed32",
    labelled="dialogue",
    tasks=("respond", "recognise", "strategy", "audit"),
    splits={
        "train": PublishedSplit(910),
        "valid": PublishedSplit(195),
        "test": PublishedSplit(195),
        "all": PublishedSplit(1300),
        "failed": PublishedSplit(196),
    },
    test="test",
    memory="valid",
    layouts=(("train", "valid", "test"), ("all",)),
    find=find,
    parse=parse,
    expects="train.jsonl, valid.jsonl and test.jsonl, or the original ESConv.json; failed talks in FailedESConv.json",
)
