"""What is known of a corpus: where it comes from, who may use it, how much of it there should be, and how it is read."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple, Protocol, TypeAlias

from heartfelt.datasets.notes import DatasetNotes
from heartfelt.datasets.talk import Talk
from heartfelt.errors import InputError, UnknownName

Found: TypeAlias = dict[str, list[Path]]
"""The files, or the folders, of each split that is there."""


class PublishedSplit(NamedTuple):
    """How much a split should hold. None: its publication does not say."""

    dialogues: int | None = None
    turns: int | None = None


class Parse(Protocol):
    def __call__(self, path: Path, split: str, notes: DatasetNotes, *, media: Path | None = None) -> Iterator[Talk]:
        """The dialogues of one file. `split` is the full name, such as `meld/test`; clips are looked for below `media`."""
        ...


@dataclass(frozen=True, kw_only=True)
class Dataset:
    name: str
    title: str
    about: str
    version: int
    """Of this loader: it grows whenever the same files give other dialogues."""
    citation: str
    licence: str
    home: str
    labels: str
    """The label set of the gold emotions."""
    labelled: Literal["turn", "dialogue"]
    """Whether a turn has an emotion of its own, or all turns of the speaker have the dialogue's."""
    tasks: tuple[str, ...]
    splits: Mapping[str, PublishedSplit]
    test: str
    memory: str
    """The split that exemplars are taken from when `test` is scored."""
    layouts: tuple[tuple[str, ...], ...]
    """Splits that are published together. A folder has one of these layouts."""
    find: Callable[[Path], Found]
    parse: Parse
    expects: str
    """The files that are looked for, in words."""

    def read(self, folder: Path, split: str, notes: DatasetNotes | None = None) -> Iterator[Talk]:
        """The dialogues of a split, one at a time, in the order of the files."""
        split = self.split_named(split)
        found = self.find(existing(folder))
        if not found.get(split):
            here = ", ".join(found) or "none at all"
            raise InputError(
                f"There is no {split} split of {self.title} in {folder}; splits that are: {here}. Looked for: {self.expects}. "
                f"See what is there with: heartfelt data check {folder}"
            )
        for path in found[split]:
            yield from self.parse(path, f"{self.name}/{split}", notes if notes is not None else DatasetNotes(), media=folder)

    def split_named(self, name: str) -> str:
        """The split of that name. `dev` and `valid` are the same."""
        bare = name.removeprefix(f"{self.name}/")
        other = {"dev": "valid", "valid": "dev", "validation": "dev" if "dev" in self.splits else "valid"}.get(bare, bare)
        found = next((split for split in (bare, other) if split in self.splits), None)
        if found is None:
            raise UnknownName("split", name, self.splits, where=self.title)
        return found


def existing(folder: Path) -> Path:
    """The folder, or one clear message."""
    if not folder.exists():
        raise InputError(f"There is nothing at {folder}. Give the folder that holds the corpus.")
    if not folder.is_dir():
        raise InputError(f"{folder} is a file. Give the folder that holds the corpus: {folder.parent}")
    return folder
