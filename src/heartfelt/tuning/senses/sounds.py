"""The utterances of published corpora of acted speech, told from one another by the names of their files."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from heartfelt.errors import InputError
from heartfelt.fusion.fuse import LABELS
from heartfelt.labels import label_set
from heartfelt.senses.media.media import open_media
from heartfelt.senses.voice.samples import Samples

NAMES = label_set(LABELS).labels
"""What all senses tell; the words of the corpora are read as these."""


@dataclass(frozen=True)
class Corpus:
    name: str
    file: re.Pattern[str]
    """The name of a sound file, with the groups `speaker` and `emotion`."""
    marks: dict[str, str]
    """What stands for each emotion in a file's name. What has none of these is left out."""
    citation: str
    licence: str


RAVDESS = Corpus(
    "RAVDESS",
    re.compile(r"03-01-(?P<emotion>\d\d)-\d\d-\d\d-\d\d-(?P<speaker>\d\d)\.(?:flac|wav)"),
    {
        "01": "neutral",
        "02": "neutral",  # calm
        "03": "joy",
        "04": "sadness",
        "05": "anger",
        "06": "fear",
        "07": "disgust",
        "08": "surprise",
    },
    "RAVDESS, Livingstone and Russo, PLoS ONE 13(5), 2018, doi 10.1371/journal.pone.0196391",
    "CC-BY-NC-SA-4.0",
)
EMODB = Corpus(
    "EmoDB",
    re.compile(r"(?P<speaker>\d\d)[ab]\d\d(?P<emotion>[A-Z])[a-z]?\.(?:flac|wav)"),
    {"N": "neutral", "L": "neutral", "F": "joy", "T": "sadness", "W": "anger", "A": "fear", "E": "disgust"},
    "EmoDB, Burkhardt, Paeschke, Rolfes, Sendlmeier and Weiss, Interspeech 2005",
    "free for research, with its citation",
)
CORPORA = (RAVDESS, EMODB)


@dataclass(frozen=True)
class Voices:
    paths: tuple[Path, ...]
    labels: NDArray[np.int64]
    """By their place in `NAMES`."""
    corpora: NDArray[np.str_]
    speakers: NDArray[np.str_]
    """Named with their corpus, for numbers occur in several."""

    def __len__(self) -> int:
        return len(self.paths)


def found(folders: Sequence[Path]) -> Voices:
    """All utterances of speech, by the published names of their files."""
    rows = [row for folder in folders for row in _rows(folder)]
    paths, labels, corpora, speakers = zip(*rows, strict=True)
    return Voices(paths, np.array(labels, np.int64), np.array(corpora), np.array(speakers))


def _rows(folder: Path) -> Iterator[tuple[Path, int, str, str]]:
    rows = [
        (path, NAMES.index(corpus.marks[match["emotion"]]), corpus.name, f"{corpus.name} {match['speaker']}")
        for path in sorted(folder.glob("*.*"))
        for corpus in CORPORA
        if (match := corpus.file.fullmatch(path.name)) and match["emotion"] in corpus.marks
    ]
    if not rows:
        known = " or ".join(corpus.name for corpus in CORPORA)
        raise InputError(f"There is no utterance of {known} in {folder}; give the folder of its sound files.")
    yield from rows


def speaker_folds(speakers: NDArray[np.str_], count: int) -> NDArray[np.int64]:
    """The fold in which each utterance is left out, with all others of its speaker; speakers are dealt out in their order."""
    names, of = np.unique(speakers, return_inverse=True)
    if not 2 <= count <= len(names):
        raise InputError(f"{count} folds cannot each leave out one of {len(names)} speakers; give 2 to {len(names)}.")
    return of.astype(np.int64) % count


def decoded(path: Path) -> Samples:
    return np.concatenate([piece.samples for piece in open_media(path).audio()])


def resampled(wave: Samples, speed: float) -> Samples:
    """The sound played faster, and so higher, or slower and lower."""
    length = round(len(wave) / speed)
    spectrum = np.fft.rfft(wave)
    kept = np.zeros(length // 2 + 1, spectrum.dtype)
    shared = min(len(kept), len(spectrum))
    kept[:shared] = spectrum[:shared]
    return (np.fft.irfft(kept, length) * (length / len(wave))).astype(np.float32)
