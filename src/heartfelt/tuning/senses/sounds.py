"""The utterances of RAVDESS, as they lie on the disk and as they were packed, dealt into folds by who speaks."""

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from heartfelt.errors import InputError, MissingExtra
from heartfelt.tuning.senses.features import RATE, Floats, features, spoken
from heartfelt.tuning.senses.pack import Wave, packed_waves, unpacked_waves

NAMES = ("neutral", "calm", "happy", "sad", "angry", "fearful", "disgust", "surprised")
"""In the order of the number in the file's name."""
PACKED = "voices.npz"
SPEEDS = (1.0, 0.86, 0.93, 1.07, 1.14)
"""Each utterance is also heard slower and lower, faster and higher: of so few voices, every one is needed."""
CITATION = "RAVDESS, Livingstone and Russo, PLoS ONE 13(5), 2018, doi 10.1371/journal.pone.0196391"
_NAME = re.compile(r"03-01-(\d\d)-(\d\d)-(\d\d)-(\d\d)-(\d\d)\.flac")


@dataclass(frozen=True)
class Voices:
    waves: list[Wave]
    labels: NDArray[np.int64]
    actors: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.labels)


@dataclass(frozen=True)
class Heard:
    """The log-mel bands of every utterance at every speed, one after the other."""

    bands: NDArray[np.float16]
    """(all frames, bands)"""
    starts: NDArray[np.int64]
    """(utterances, speeds)"""
    lengths: NDArray[np.int64]
    """(utterances, speeds)"""
    labels: NDArray[np.int64]
    actors: NDArray[np.int64]

    def one(self, row: int, speed: int = 0) -> Floats:
        """(bands, frames) of one utterance."""
        start = int(self.starts[row, speed])
        return self.bands[start : start + int(self.lengths[row, speed])].T.astype(np.float32)

    def save(self, path: Path) -> Path:
        np.savez(path, bands=self.bands, starts=self.starts, lengths=self.lengths, labels=self.labels, actors=self.actors)
        return path

    @classmethod
    def load(cls, path: Path) -> "Heard":
        with np.load(path, allow_pickle=False) as data:
            return cls(data["bands"], data["starts"], data["lengths"], data["labels"], data["actors"])


def read(folder: Path) -> Voices:
    """All utterances, from the packed file where there is one."""
    if (folder / PACKED).exists():
        with np.load(folder / PACKED, allow_pickle=False) as data:
            waves = unpacked_waves(data["packed"], data["lengths"])
            return Voices(waves, data["labels"].astype(np.int64), data["actors"].astype(np.int64))
    found = [(path, match) for path in sorted(folder.glob("*.flac")) if (match := _NAME.fullmatch(path.name))]
    if not found:
        raise InputError(f"There is no utterance of RAVDESS in {folder}; give the folder of its FLAC files with --data.")
    return Voices(
        [_decoded(path) for path, _ in found],
        np.array([int(match[1]) - 1 for _, match in found], np.int64),
        np.array([int(match[5]) for _, match in found], np.int64),
    )


def pack(folder: Path, target: Path) -> Path:
    """The speech alone, without the silence around it, which the features leave out anyway."""
    voices = read(folder)
    waves = [_cut(wave) for wave in voices.waves]
    lengths = np.array([len(wave) for wave in waves], np.int64)
    np.savez(target, packed=packed_waves(waves), lengths=lengths, labels=voices.labels, actors=voices.actors)
    return target


def actor_folds(actors: NDArray[np.int64], count: int) -> list[NDArray[np.int64]]:
    """The actors that each fold leaves out: as many men (odd numbers) as women (even ones), in the order of their numbers."""
    men, women = (np.unique(actors[actors % 2 == odd]) for odd in (1, 0))
    if not 2 <= count <= min(len(men), len(women)):
        raise InputError(
            f"{count} folds cannot each leave out a man and a woman of {len(men)} men and {len(women)} women; "
            f"give 2 to {min(len(men), len(women))}."
        )
    return [np.concatenate([men[fold::count], women[fold::count]]) for fold in range(count)]


def heard(voices: Voices, speeds: tuple[float, ...] = SPEEDS) -> Heard:
    shown = [[features(resampled(wave, speed)) for speed in speeds] for wave in voices.waves]
    lengths = np.array([[each.shape[1] for each in row] for row in shown], np.int64)
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]]).reshape(lengths.shape)
    joined = np.concatenate([each.T for row in shown for each in row]).astype(np.float16)
    return Heard(joined, starts, lengths, voices.labels, voices.actors)


def resampled(wave: Wave | Floats, speed: float) -> Floats:
    """The sound played faster, and so higher, or slower and lower."""
    sound = wave.astype(np.float32) / np.float32(32_768 if wave.dtype == np.int16 else 1)
    if speed == 1:
        return sound
    length = round(len(sound) / speed)
    spectrum = np.fft.rfft(sound)
    kept = np.zeros(length // 2 + 1, spectrum.dtype)
    shared = min(len(kept), len(spectrum))
    kept[:shared] = spectrum[:shared]
    return (np.fft.irfft(kept, length) * (length / len(sound))).astype(np.float32)


def _cut(wave: Wave) -> Wave:
    """Speech cut at the same samples as `spoken` cuts it."""
    return (spoken(wave.astype(np.float32) / np.float32(32_768)) * 32_768).round().astype(np.int16)


def _decoded(path: Path) -> Wave:
    try:
        import soundfile
    except ImportError:
        raise MissingExtra("Reading FLAC", "tune") from None
    wave, rate = soundfile.read(path, dtype="int16")
    if rate != RATE or wave.ndim != 1:
        raise InputError(f"{path} is not one channel of {RATE} samples a second; convert it first.")
    return wave.astype(np.int16, copy=False)
