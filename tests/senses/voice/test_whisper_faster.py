import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from heartfelt.errors import MissingExtra
from heartfelt.records import Word
from heartfelt.senses.voice.whisper_faster import FasterWhisper


class StandIn:
    def __init__(self, model: str, **options: object):
        self.options = options

    def transcribe(self, samples: np.ndarray, **options: object):
        assert options == {"language": "de", "word_timestamps": True}
        word = SimpleNamespace(start=0.1, end=0.5, word=" Hallo", probability=0.9)
        return iter([SimpleNamespace(words=[word]), SimpleNamespace(words=None)]), SimpleNamespace(language="de")


def test_its_words_become_ours(monkeypatch: pytest.MonkeyPatch):
    module = ModuleType("faster_whisper")
    module.WhisperModel = StandIn  # pyright: ignore[reportAttributeAccessIssue]
    monkeypatch.setitem(sys.modules, "faster_whisper", module)
    whisper = FasterWhisper("tiny", language="de")
    assert whisper.name == "faster-whisper:tiny"
    hallo = Word(start=0.1, end=0.5, text="Hallo", confidence=0.9)
    assert whisper.transcribe(np.zeros(16000, np.float32)) == ((hallo,), "de")


def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "faster_whisper", None)
    with pytest.raises(MissingExtra, match=r"heartfelt\[whisper\]"):
        FasterWhisper("tiny")
