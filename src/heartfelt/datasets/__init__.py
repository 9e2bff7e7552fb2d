"""Corpora of the field, read as dialogues with their gold labels: one versioned, cited file each."""

from pathlib import Path

from heartfelt.datasets import avamerg, empathetic_dialogues, esconv, goemotions, iemocap, meld, openings
from heartfelt.datasets.dataset import Dataset, Found, PublishedSplit, existing
from heartfelt.datasets.notes import KINDS, DatasetNotes
from heartfelt.datasets.submission import AnsweredTurn, Submitted, response_media, write_submission
from heartfelt.datasets.talk import Chain, Talk, TurnClip
from heartfelt.errors import UnknownName
from heartfelt.plugins import Registry

DATASETS = Registry(
    "heartfelt.datasets",
    {
        module.DATASET.name: module.DATASET
        for module in (meld, iemocap, empathetic_dialogues, avamerg, esconv, goemotions, openings)
    },
)


def dataset(name: str) -> Dataset:
    if name not in DATASETS:
        raise UnknownName("dataset", name, DATASETS)
    return DATASETS[name]


def recognised(folder: Path) -> list[tuple[Dataset, Found]]:
    """The corpora in a folder and in those below it, told by their content, with the files of each split."""
    existing(folder)
    return [(known, found) for known in DATASETS.values() if (found := known.find(folder))]


__all__ = [
    "DATASETS",
    "KINDS",
    "AnsweredTurn",
    "Chain",
    "Dataset",
    "DatasetNotes",
    "Found",
    "PublishedSplit",
    "Submitted",
    "Talk",
    "TurnClip",
    "dataset",
    "existing",
    "recognised",
    "response_media",
    "write_submission",
]
