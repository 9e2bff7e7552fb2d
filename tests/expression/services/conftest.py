from pathlib import Path

import numpy as np
import pytest

from heartfelt.expression.persona import Persona, persona_named
from heartfelt.expression.style import Style
from heartfelt.expression.voice.spoken import RATE, Phone, SpokenAudio

PNG = b"\x89PNG\r\n\x1a\n and the rest"


@pytest.fixture
def maya() -> Persona:
    return persona_named("maya")


@pytest.fixture
def style() -> Style:
    return Style(emotion="caring", intensity=0.6, tone="gentle")


@pytest.fixture
def spoken() -> SpokenAudio:
    samples = (0.2 * np.sin(np.arange(2 * RATE) / 20)).astype(np.float32)
    return SpokenAudio(samples, (Phone(start=0, end=2, symbol="m"),), ())


@pytest.fixture
def target(tmp_path: Path) -> Path:
    folder = tmp_path / "films"
    folder.mkdir()
    return folder / "reply.mp4"


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
