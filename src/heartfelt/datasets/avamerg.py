"""AvaMERG: EmpatheticDialogues with voices and talking faces, a profile of both people, and a chain of empathy for every turn.

A conversation is told several times over, each time with a longer history; it is put together again here, by the index of its
utterances. The challenge's test file has no responses. Media are named after conversation, utterance and profile.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from heartfelt.datasets.cleaning import LISTENER, said
from heartfelt.datasets.dataset import Dataset, Found, PublishedSplit
from heartfelt.datasets.files import files_below, json_items, split_of
from heartfelt.datasets.notes import DatasetNotes
from heartfelt.datasets.talk import Chain, Talk, TurnClip
from heartfelt.errors import InputError
from heartfelt.intake import PERSON
from heartfelt.labels import fold, label_set
from heartfelt.records import Dialogue, Identity, Turn

SPLITS = {"train": "train", "valid": "valid", "val": "valid", "dev": "valid", "test": "test"}
KEYS = frozenset({"conversation_id", "turns"})


def find(folder: Path) -> Found:
    found: Found = {}
    for path in files_below(folder, ".json"):
        split = split_of(path, SPLITS)
        if split and split not in found and _is_avamerg(path):
            found[split] = [path]
    return found


def parse(path: Path, split: str, notes: DatasetNotes, *, media: Path | None = None) -> Iterator[Talk]:
    folders, seen = media_folders(media) if media else [], set[int]()
    for number, item in json_items(path, notes):
        where = f"{path.name}, item {number}"
        try:
            identity = int(str(item["conversation_id"]))
            told = _utterances(item, where, notes)
        except (KeyError, TypeError, ValueError, AttributeError, InputError) as error:
            notes.add("row", where, f"{type(error).__name__} {error}")
            continue
        if identity in seen:
            notes.add("duplicate", where, f"conversation {identity} was there already")
        elif told:
            seen.add(identity)
            yield _talk(item, identity, told, split, folders, where, notes)
        else:
            notes.add("empty", where)


def media_name(conversation: int, utterance: int, profile: int) -> str:
    """Without its ending: `dia00012utt3_7`."""
    return f"dia{conversation:05}utt{utterance}_{profile}"


def media_folders(folder: Path) -> list[Path]:
    """Folders, the given one among them, that hold recordings."""
    below = [folder, *(path for level in ("*/", "*/*/", "*/*/*/") for path in folder.glob(level))]
    return [path for path in below if path.is_dir() and any(_recordings(path))]


def _recordings(folder: Path) -> Iterator[Path]:
    return (path for path in folder.glob("dia*utt*") if path.suffix in (".wav", ".mp4"))


def _is_avamerg(path: Path) -> bool:
    try:
        return next((set(item) >= KEYS for _, item in json_items(path, DatasetNotes())), False)
    except InputError:
        return False


def _utterances(item: dict[str, Any], where: str, notes: DatasetNotes) -> dict[int, tuple[bool, str]]:
    """Whether the speaker says it, and what, by index."""
    told: dict[int, tuple[bool, str]] = {}

    def add(index: int, speaks: bool, text: str) -> None:
        if text and told.setdefault(index, (speaks, text)) != (speaks, text):
            notes.add("history", where, f"utterance {index}")

    for turn in item["turns"]:
        history: list[dict[str, Any]] = turn["dialogue_history"]
        for utterance in history:
            add(int(utterance["index"]), str(utterance["role"]).casefold() == "speaker", said(str(utterance["utterance"])))
        add(_last(history) + 1, False, said(str(turn.get("response") or "")))
    return dict(sorted(told.items()))


def _last(history: list[dict[str, Any]]) -> int:
    return max((int(utterance["index"]) for utterance in history), default=-1)


def _talk(
    item: dict[str, Any],
    identity: int,
    told: dict[int, tuple[bool, str]],
    split: str,
    folders: list[Path],
    where: str,
    notes: DatasetNotes,
) -> Talk:
    places = {index: place for place, index in enumerate(told)}
    felt: dict[int, str] = {}
    chains: dict[int, Chain] = {}
    turn_ids: dict[int, str] = {}
    for turn in item["turns"]:
        spoke = [index for index in told if told[index][0] and index <= _last(turn["dialogue_history"])]
        chain = turn.get("chain_of_empathy") or {}
        if spoke and (emotion := _emotion(chain.get("speaker_emotion"), where, notes)):
            felt.setdefault(spoke[-1], emotion)
        if spoke and chain:
            chains.setdefault(places[spoke[-1]], _chain(chain))
        if spoke and "turn_id" in turn:
            turn_ids.setdefault(places[spoke[-1]], str(turn["turn_id"]))
    if list(told) != list(range(len(told))):
        notes.add("gap", where, f"has the utterances {', '.join(map(str, told))}")
    people = {True: _profile(item, "speaker_profile", where, notes), False: _profile(item, "listener_profile", where, notes)}
    return Talk(
        Dialogue(
            id=f"{split}/dia{identity:05}",
            split=split,
            turns=tuple(
                Turn(speaker=PERSON if speaks else LISTENER, text=text, emotion=felt.get(index))
                for index, (speaks, text) in told.items()
            ),
        ),
        "ed32",
        numbers=tuple(told),
        clips=tuple(_clip(folders, identity, index, people[speaks], notes) for index, (speaks, _) in told.items()),
        speaker=people[True],
        listener=people[False],
        topic=str(item.get("topic") or ""),
        situation=said(str((item["turns"][0].get("context") if item["turns"] else "") or "")),
        chains=chains,
        turn_ids=turn_ids,
    )


def _emotion(named: object, where: str, notes: DatasetNotes) -> str | None:
    if not named:
        return None
    label = str(named).strip().casefold()
    if label in label_set("ed32").labels:
        return label
    found = fold(label, "ed32").label
    if found is None:
        notes.add("label", where, repr(named))
    return found


def _chain(fields: dict[str, Any]) -> Chain:
    return Chain(
        scenario=str(fields.get("event_scenario") or ""),
        cause=str(fields.get("emotion_cause") or ""),
        goal=str(fields.get("goal_to_response") or ""),
    )


def read_profile(fields: Mapping[str, Any]) -> Identity:
    """A profile as AvaMERG's files have it: `{"age": "young", "gender": "male", "timbre": "mid", "ID": 7}`.

    The number alone is enough. A number that does not belong to the other fields is refused: one of them must be wrong.
    """
    number = fields.get("ID")
    named = {name: str(fields[name]).strip().lower() for name in ("age", "gender", "timbre") if fields.get(name)}
    if named.get("age") == "middle_aged":
        named["age"] = "middle-aged"
    if number is None and len(named) < 3:
        raise InputError(f"The profile {dict(fields)} is not whole: give age, gender and timbre, or an ID from 0 to 23.")
    if number is not None and not str(number).strip().isdecimal():
        raise InputError(f"The ID of the profile {dict(fields)} is no number: AvaMERG counts from 0 to 23.")
    found = Identity.numbered(int(number)) if number is not None else None
    try:
        identity = Identity.model_validate((found.model_dump() if found else {}) | named)
    except ValueError:
        raise InputError(
            f"The profile {dict(fields)} cannot be read. Ages: child, young, middle-aged, elderly; genders: male, female; "
            "timbres: high, mid, low."
        ) from None
    if found is not None and identity.number != found.number:
        raise InputError(f"The ID {number} stands for {found.words}, and the profile says {identity.words}.")
    return identity


def _profile(item: dict[str, Any], key: str, where: str, notes: DatasetNotes) -> Identity | None:
    if not item.get(key):
        return None
    try:
        return read_profile(item[key])
    except (InputError, ValueError) as error:
        notes.add("profile", f"{where}, {key}", str(error))
        return None


def _clip(folders: list[Path], conversation: int, utterance: int, who: Identity | None, notes: DatasetNotes) -> TurnClip | None:
    if not folders or who is None:
        return None
    name = media_name(conversation, utterance, who.number)
    found = {kind: _there(folders, f"{name}.{kind}") for kind in ("mp4", "wav")}
    if not any(found.values()):
        notes.add("clip", name)
        return None
    return TurnClip(video=found["mp4"], audio=found["wav"])


def _there(folders: list[Path], name: str) -> Path | None:
    return next((path for folder in folders if (path := folder / name).is_file() and path.stat().st_size), None)


DATASET = Dataset(
    name="avamerg",
    title="AvaMERG",
    about="empathetic dialogues with voices, talking faces and profiles, 32 emotions",
    version=1,
    citation="Zhang et al., Towards Multimodal Empathetic Response Generation: A Rich Text-Speech-Vision Avatar-based "
    "Benchmark, WWW 2025, arXiv 2502.04976",
    licence="for research, as its authors state; built on EmpatheticDialogues (CC BY-NC 4.0)",
    home="https://avamerg.github.io",
    labels="ed32",
    labelled="dialogue",
    tasks=("respond", "recognise", "audit"),
    splits={"train": PublishedSplit(), "valid": PublishedSplit(), "test": PublishedSplit()},
    test="test",
    memory="valid",
    layouts=(("train", "valid", "test"), ("train", "test"), ("train",), ("test",)),
    find=find,
    parse=parse,
    expects="train.json, valid.json and test.json; recordings anywhere below",
)
