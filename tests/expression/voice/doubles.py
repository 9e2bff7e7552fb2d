"""What stands in for eSpeak and for Kokoro's network in tests."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from heartfelt.expression.voice.espeak import Accent
from heartfelt.expression.voice.kokoro import Kokoro
from heartfelt.expression.voice.kokoro_graph import BLEND, FEATURES, GIVEN, SOURCE, STRETCH
from heartfelt.expression.voice.symbols import NUMBERS

FRAME = 600
LETTERS = "abdefhijklmnoprstuvwz"


class Letters:
    """Every letter is its own sound; words that are given as joined are run together, as eSpeak does with «of the»."""

    def __init__(self, *joined: str):
        self.joined = joined
        self.asked: list[str] = []

    def sounds(self, words: str, accent: Accent) -> str:
        self.asked.append(words)
        said = "".join(letter for letter in words.lower() if letter in LETTERS + " ")
        for pair in self.joined:
            said = said.replace(pair, pair.replace(" ", ""))
        return said


class Network:
    """Each symbol takes four frames, stretched; letters hum and everything else is silent, two frames before their time.

    It is both halves of Kokoro: the first gives which samples hum, the second hums them. With own norms it is twice as loud.
    """

    SILENT = {0, *(NUMBERS[mark] for mark in " ,.!?;:—…")}

    def __init__(self) -> None:
        self.inputs: list[dict[str, np.ndarray]] = []
        self.made: list[float] = []
        """Seconds of sound, for each run of the second half."""

    def run(self, names: list[str], inputs: dict[str, np.ndarray], options: object) -> list[np.ndarray]:
        return self._features(inputs) if STRETCH in inputs else self._sound(inputs)

    def get_inputs(self) -> list[Any]:
        return [SimpleNamespace(name=GIVEN, shape=[1, 3, 1])]

    def _features(self, inputs: dict[str, np.ndarray]) -> list[np.ndarray]:
        self.inputs.append(inputs)
        durations = np.maximum(np.round(4 * inputs[STRETCH][0]), 1)
        humming = np.repeat([number not in self.SILENT for number in inputs["input_ids"][0]], durations.astype(int) * FRAME)
        tone = 0.3 * np.sin(2 * np.pi * 200 * np.arange(len(humming)) / 24000) * np.roll(humming, -2 * FRAME)
        source = np.zeros((1, 1, len(tone) // 5 + 1), np.float32)
        return [tone.reshape(1, -1, FRAME // 2).swapaxes(1, 2).astype(np.float32), source, np.zeros(1), durations[None]]

    def _sound(self, inputs: dict[str, np.ndarray]) -> list[np.ndarray]:
        columns = inputs[FEATURES]
        assert inputs[SOURCE].shape[2] == 60 * columns.shape[2] + 1
        sound = columns[0].T.reshape(1, -1)
        self.made.append(sound.size / 24000)
        return [sound * (1 - inputs[BLEND] / 2), np.ones((1, 3, 1), np.float32)]


def speaker(monkeypatch: pytest.MonkeyPatch, *joined: str) -> tuple[Kokoro, Network]:
    network = Network()
    for half in ("_speaker", "_vocoder"):
        monkeypatch.setattr(Kokoro, half, cast(Any, network))
    monkeypatch.setattr("heartfelt.expression.voice.kokoro.style", lambda voice, folder: np.zeros((510, 256), np.float32))
    kokoro = Kokoro(sounds=Letters(*joined))
    monkeypatch.setattr(kokoro.store, "path", lambda name, member=None: Path())
    monkeypatch.setattr(kokoro.store, "made", lambda name, filename: None)
    return kokoro, network
