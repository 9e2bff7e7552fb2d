"""The corpora that the embedded brain learns from: which file of a folder is which split, and your own dialogues.

Four published ones, read by `heartfelt.datasets`, and `own`: whatever dialogues you have. Only official splits, and the test
splits only through `scored_test`: training code that wants one has to write that name. Every text goes through
`intake.cleaned`, as a live user's does.
"""

import gzip
import json
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from pydantic import ValidationError

from heartfelt.datasets import Dataset, DatasetNotes, Talk, empathetic_dialogues, esconv, goemotions, meld
from heartfelt.datasets.cleaning import LISTENER
from heartfelt.errors import InputError, UnknownName, UsageError
from heartfelt.intake import _first_problem, _name, _turn, decoded
from heartfelt.labels import fold, label_set
from heartfelt.records import Dialogue, Turn

Split: TypeAlias = Literal["train", "valid", "test"]
SPLITS: tuple[Split, ...] = ("train", "valid", "test")
Parse: TypeAlias = Callable[[Path, Split], Iterable[Talk]]

HELD_OUT = 10
"""One in so many dialogues is kept for validation where the corpus, as it is here, has only one of the two splits."""


def training(corpus: str, data: Path) -> list[Talk]:
    return _read(corpus, data, "train")


def validation(corpus: str, data: Path) -> list[Talk]:
    return _read(corpus, data, "valid")


def scored_test(corpus: str, data: Path) -> list[Talk]:
    """The official test split: to be scored on, never to be learnt from."""
    return _read(corpus, data, "test")


def held_out(corpus: str, data: Path, split: str) -> list[Talk]:
    return scored_test(corpus, data) if split == "test" else validation(corpus, data)


def _read(corpus: str, data: Path, split: Split) -> list[Talk]:
    if corpus not in CORPORA:
        raise UnknownName("corpus", corpus, CORPORA)
    known = CORPORA[corpus]
    return list(known.parse(_found(known.path(data, split)), split))


def _found(path: Path) -> Path:
    """The file, or the same compressed."""
    if found := _either(path):
        return found
    raise InputError(f"There is no {path} nor {path.name}.gz. Give the folder that holds the corpora with --data.")


def _either(path: Path) -> Path | None:
    return next((each for each in (path, path.with_name(f"{path.name}.gz")) if each.exists()), None)


def present(data: Path, split: Split = "train") -> list[str]:
    """The corpora that have this split in a folder. None at all is an error that says what was looked for."""
    found = [name for name, known in CORPORA.items() if _either(known.path(data, split))]
    if not found:
        looked = ", ".join(known.files[split] for known in CORPORA.values())
        raise InputError(
            f"There is no {split} split of any corpus in {data}. Looked for {looked}, each also as .gz. "
            "Give the folder that holds them with --data; your own dialogues go into its folder own, a dialogue a line."
        )
    return found


def files(data: Path, *, scored: bool = False) -> list[Path]:
    """What is read of a folder, in order; the test splits only where they are scored."""
    splits = SPLITS if scored else SPLITS[:2]
    paths = (known.path(data, split) for known in CORPORA.values() for split in splits)
    return sorted({found for path in paths if (found := _either(path))})


# ── the four ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _published(known: Dataset, order: Callable[[Talk], str | int] | None = None) -> Parse:
    """In an order that does not depend on the file's, where one is named: what a seed draws stays the same."""

    def parse(path: Path, split: Split) -> Iterable[Talk]:
        talks = known.parse(path, f"{known.name}/{known.split_named(split)}", DatasetNotes())
        return sorted(talks, key=order) if order else talks

    return parse


def _esconv(path: Path, split: Split) -> Iterator[Talk]:
    """The train split is seldom at hand, so the validation split is divided."""
    for talk in esconv.DATASET.parse(path, f"esconv/{'test' if split == 'test' else 'valid'}", DatasetNotes()):
        number = talk.dialogue.id.rpartition("/")[2]
        if split != "test" and _held_out(number) != (split == "valid"):
            continue
        if any(turn.emotion for turn in talk.dialogue.turns):
            yield replace(talk, situation="")  # written in another manner than it is told: nothing to learn recognition from


def _held_out(identity: object) -> bool:
    return _drawn(identity) % HELD_OUT == 0


def _drawn(identity: object) -> int:
    """A number that depends on nothing but the dialogue's own id."""
    return int(sha256(str(identity).encode()).hexdigest(), 16)


# ── your own ────────────────────────────────────────────────────────────────────────────────────────────────────────

MANY_PROBLEMS = 3
"""Lines that are named in one message; of more only the count."""
OWN_KEYS = {"turns", "listener", "speaker", "id", "split", "emotion"}


def _own(path: Path, split: Split) -> Iterator[Talk]:
    """Dialogues of docs/reference/dialogue.md, one a line. All lines are read before the first complaint."""
    talks: list[Talk] = []
    problems: list[str] = []
    for number, line in enumerate(_plain_lines(path), 1):
        try:
            talks += [_own_talk(line, split, number)] if line.strip() else []
        except UsageError as error:
            problems.append(f"{path}:{number}: {error}")
    if problems:
        more = f" {len(problems) - MANY_PROBLEMS} more lines are wrong." if len(problems) > MANY_PROBLEMS else ""
        raise InputError(f"{' '.join(problems[:MANY_PROBLEMS])}{more} Mend or remove them, and run the same command again.")
    whole = split == "test" or _either(path.with_name("valid.jsonl"))
    yield from talks if whole else _parted(talks, split)


def _parted(talks: list[Talk], split: Split) -> list[Talk]:
    """Without a validation file a tenth of the training dialogues is held out, at least one where there are two."""
    held = {talk.dialogue.id for talk in talks if _held_out(talk.dialogue.id)}
    if not held and len(talks) > 1:
        held = {min((talk.dialogue.id for talk in talks), key=_drawn)}
    return [talk for talk in talks if (talk.dialogue.id in held) == (split == "valid")]


def _own_talk(line: str, split: Split, number: int) -> Talk:
    told = _object(line)
    listener = _name(told.get("listener") or LISTENER, "The listener")
    try:
        turns = [_turn(turn, place, "the dialogue") for place, turn in enumerate(told["turns"])]
    except ValidationError as error:
        raise InputError(_first_problem(error)) from None
    felt = iter(_felt([turn for turn in turns if turn.speaker != listener], told.get("emotion")))
    kept = tuple(
        Turn(speaker=turn.speaker, text=turn.text, emotion=None if turn.speaker == listener else next(felt)) for turn in turns
    )
    identity = str(told.get("id") or f"own/{number}")
    return Talk(Dialogue(id=identity, split=f"own/{split}", listener=listener, turns=kept), "ed32")


def _object(line: str) -> dict[str, Any]:
    """A line's dialogue: an object with turns, or the list of turns alone."""
    try:
        told: Any = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"This is no JSON: {error}.") from None
    told = {"turns": told} if isinstance(told, list) else told
    if not isinstance(told, dict) or not isinstance(told.get("turns"), list) or not told["turns"]:
        raise InputError('There are no turns. A dialogue is {"turns": [{"speaker": "Ana", "text": "…", "emotion": "sad"}]}.')
    if unknown := sorted(set(told) - OWN_KEYS):
        raise UnknownName("field", str(unknown[0]), OWN_KEYS, where="a dialogue")
    return told


def _felt(turns: list[Turn], of_all: str | None) -> list[str]:
    """The emotion of each of the person's turns. One that names none goes on with the one before it, or after it."""
    if not turns:
        raise InputError("Nobody but the listener speaks, so there is nothing to learn.")
    named = [_named(turn.emotion or of_all) for turn in turns]
    known = next((emotion for emotion in named if emotion), "")
    if not known:
        raise InputError("No turn of the person names an emotion, so there is nothing to learn.")
    return [known := emotion or known for emotion in named]


def _named(emotion: str | None) -> str:
    """ED-32's name for it. Names of the other label sets are folded into it."""
    if not emotion:
        return ""
    found = fold(emotion, "ed32").label
    if not found:
        unknown = UnknownName("emotion", emotion, label_set("ed32").labels)
        raise InputError(f"{unknown} A turn whose emotion is not known may leave it out.")
    return found


def _plain_lines(path: Path) -> list[str]:
    """The lines of UTF-8 text. Only a newline ends one: texts may hold odd separators."""
    raw = path.read_bytes()
    try:
        raw = gzip.decompress(raw) if path.suffix == ".gz" else raw
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path} cannot be unpacked ({error}).") from None
    return decoded(raw, str(path)).replace("\r\n", "\n").split("\n")


# ── all of them ─────────────────────────────────────────────────────────────────────────────────────────────────────


class CorpusSource(NamedTuple):
    """Where a corpus lies below the folder of all, who may use it, and how it is read."""

    files: dict[Split, str]
    parse: Parse
    citation: str
    licence: str

    def path(self, data: Path, split: Split) -> Path:
        """Your own validation file is optional: without it, a part of the training file is held out."""
        path = data / self.files[split]
        return data / self.files["train"] if self.parse is _own and split == "valid" and not _either(path) else path


def _named_files(folder: str, *names: str) -> dict[Split, str]:
    return {split: f"{folder}/{name}" for split, name in zip(SPLITS, names, strict=True)}


CORPORA = {
    "empathetic_dialogues": CorpusSource(
        _named_files("empathetic_dialogues", "train.csv", "valid.csv", "test.csv"),
        _published(empathetic_dialogues.DATASET, lambda talk: talk.dialogue.id),
        "EmpatheticDialogues, Rashkin et al. 2019",
        "CC-BY-NC-4.0",
    ),
    "meld": CorpusSource(
        _named_files("meld", "train_sent_emo.csv", "dev_sent_emo.csv", "test_sent_emo.csv"),
        _published(meld.DATASET, lambda talk: int(talk.dialogue.id.rpartition("dia")[2])),
        "MELD, Poria et al. 2019",
        "GPL-3.0 for the annotations; the lines are those of a television series",
    ),
    "goemotions": CorpusSource(
        _named_files("goemotions", "ekman_train.tsv", "ekman_dev.tsv", "ekman_test.tsv"),
        _published(goemotions.DATASET),
        "GoEmotions, Demszky et al. 2020",
        "Apache-2.0",
    ),
    "esconv": CorpusSource(
        _named_files("esconv", "valid.jsonl", "valid.jsonl", "test.jsonl"), _esconv, "ESConv, Liu et al. 2021", "CC-BY-NC-4.0"
    ),
    "own": CorpusSource(_named_files("own", "train.jsonl", "valid.jsonl", "test.jsonl"), _own, "own dialogues", "yours to say"),
}
