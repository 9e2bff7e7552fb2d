"""The utterances of RAVDESS, dealt into folds by who speaks."""

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from heartfelt.errors import InputError
from heartfelt.senses.media.media import open_media
from heartfelt.senses.voice.samples import Samples

NAMES = ("neutral", "calm", "happy", "sad", "angry", "fearful", "disgust", "surprised")
"""In the order of the number in the file's name."""
CITATION = "RAVDESS, Livingstone and Russo, PLoS ONE 13(5), 2018, doi 10.1371/journal.pone.0196391"
_NAME = re.compile(r"03-01-(\d\d)-(\d\d)-(\d\d)-(\d\d)-(\d\d)\.(?:flac|wav)")


@dataclass(frozen=True)
class Voices:
    paths: tuple[Path, ...]
    labels: NDArray[np.int64]
    actors: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.paths)


def found(folder: Path) -> Voices:
    """All utterances of speech, by the published names of their files."""
    named = [(path, match) for path in sorted(folder.glob("*.*")) if (match := _NAME.fullmatch(path.name))]
    if not named:
        raise InputError(f"There is no utterance of RAVDESS in {folder}; give the folder of its sound files with --data.")
    return Voices(
        tuple(path for path, _ in named),
        np.array([int(match[1]) - 1 for _, match in named], np.int64),
        np.array([int(match[5]) for _, match in named], np.int64),
    )


def actor_folds(actors: NDArray[np.int64], count: int) -> list[NDArray[np.int64]]:
    """The actors that each fold leaves out: as many men (odd numbers) as women (even ones), in the order of their numbers."""
    men, women = (np.unique(actors[actors % 2 == odd]) for odd in (1, 0))
    if not 2 <= count <= min(len(men), len(women)):
        raise InputError(
            f"{count} folds cannot each leave out a man and a woman of {len(men)} men and {len(women)} women; "
            f"give 2 to {min(len(men), len(women))}."
        )
    return [np.concatenate([men[fold::count], women[fold::count]]) for fold in range(count)]


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
