"""What stands in for eSpeak and for Kokoro's network in tests."""

from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from heartfelt.expression.voice.espeak import Accent
from heartfelt.expression.voice.kokoro import Kokoro
from heartfelt.expression.voice.kokoro_graph import STRETCH
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
    """Each symbol takes four frames, stretched; letters hum and everything else is silent, two frames before their time."""

    SILENT = {0, *(NUMBERS[mark] for mark in " ,.!?;:—…")}

    def __init__(self) -> None:
        self.inputs: list[dict[str, np.ndarray]] = []

    def run(self, names: list[str], inputs: dict[str, np.ndarray], options: object) -> list[np.ndarray]:
        assert names == ["waveform", "/encoder/Clip_output_0"]
        self.inputs.append(inputs)
        durations = np.maximum(np.round(4 * inputs[STRETCH][0]), 1)
        humming = np.repeat([number not in self.SILENT for number in inputs["input_ids"][0]], durations.astype(int) * FRAME)
        tone = 0.3 * np.sin(2 * np.pi * 200 * np.arange(len(humming)) / 24000) * np.roll(humming, -2 * FRAME)
        return [tone[None].astype(np.float32), durations[None].astype(np.float32)]


def speaker(monkeypatch: pytest.MonkeyPatch, *joined: str) -> tuple[Kokoro, Network]:
    network = Network()
    monkeypatch.setattr(Kokoro, "_session", cast(Any, network))
    monkeypatch.setattr("heartfelt.expression.voice.kokoro.style", lambda voice, folder: np.zeros((510, 256), np.float32))
    kokoro = Kokoro(sounds=Letters(*joined))
    monkeypatch.setattr(kokoro.store, "path", lambda name, member=None: Path())
    return kokoro, network
