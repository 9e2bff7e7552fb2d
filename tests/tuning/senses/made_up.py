"""Small corpora that are made of numbers: bars for faces, tones for voices, in the formats of the real ones."""

import wave as wave_file
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from heartfelt.senses.voice.samples import RATE

FACES = ("angry", "disgust", "fear", "happy", "neutral", "sad", "surprise")


def bars(count: int, *, seed: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Grey pictures with level bars, the more of them the later the label; their mirror images are the same."""
    random = np.random.default_rng(seed)
    labels = random.integers(0, len(FACES), count).astype(np.uint8)
    height = np.arange(48)[None, :, None] / 48
    wave = np.sin(2 * np.pi * (1 + 3 * labels[:, None, None]) * height + random.uniform(0, 6, (count, 1, 1)))
    return (120 + 70 * wave + random.normal(0, 8, (count, 48, 48))).clip(0, 255).astype(np.uint8), labels


def write_faces(folder: Path, *, count: int = 320) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for number, name in enumerate(("train_1", "train_2", "dev")):
        pictures, labels = bars(count // 2, seed=number)
        np.savez(folder / f"{name}.npz", images=pictures, labels=labels, names=np.array(FACES))
    return folder


def tone(label: int, actor: int, *, seed: int, seconds: float = 0.5) -> NDArray[np.int16]:
    """A humming whose melody and brightness tell the label, and whose height tells the speaker."""
    random = np.random.default_rng(seed)
    time = np.arange(int(seconds * RATE)) / RATE
    pitch = (110 if actor % 2 else 200) * (1 + 0.02 * actor) * (1 + 0.25 * np.sin(2 * np.pi * (1 + label) * time))
    phase = 2 * np.pi * np.cumsum(pitch) / RATE
    bright = 0.35 + 0.08 * label
    hum = sum(bright**overtone * np.sin((overtone + 1) * phase) for overtone in range(8))
    loud = np.sin(np.pi * time / seconds) * 0.2
    return ((hum * loud + random.normal(0, 1e-3, len(time))) * 20_000).astype(np.int16)


RAVDESS, EMODB = ("01", "02", "03", "04", "05", "06", "07", "08"), ("N", "L", "F", "T", "W", "A", "E")


def write_voices(folder: Path, *, actors: int = 4) -> tuple[Path, Path]:
    """Two corpora, in files that are named as the published ones are. The same label sounds alike in both."""
    one, other = folder / "ravdess", folder / "emodb"
    for actor in range(1, actors + 1):
        for label, mark in enumerate(RAVDESS):
            _write(one / f"03-01-{mark}-01-01-01-{actor:02}.wav", tone(label, actor, seed=1000 * actor + 10 * label))
    for actor in range(5, actors + 5):
        for label, mark in zip((0, 1, 2, 3, 4, 5, 6), EMODB, strict=True):
            _write(other / f"{actor:02}a01{mark}a.wav", tone(label, actor, seed=1000 * actor + 10 * label))
    return one, other


def _write(path: Path, wave: NDArray[np.int16]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with wave_file.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(wave.tobytes())
