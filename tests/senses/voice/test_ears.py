from pathlib import Path

import pytest

from heartfelt.errors import UnknownName, UsageError
from heartfelt.senses.voice import ears
from heartfelt.senses.voice.ears import open_ears
from heartfelt.weights import Store


@pytest.mark.parametrize(
    ("address", "name"),
    [("moonshine:", "moonshine-tiny-en"), ("whisper:base", "whisper-base"), ("whisper:small", "whisper-small")],
)
def test_an_address_opens_a_recogniser_and_loads_nothing(address: str, name: str):
    assert open_ears(address).name == name


@pytest.mark.parametrize(
    ("here", "name"),
    [
        ({"moonshine", "whisper-base"}, "whisper-base"),
        ({"moonshine"}, "moonshine-tiny-en"),
        ({"whisper-base"}, "whisper-base"),
        (set[str](), "whisper-base"),
    ],
)
def test_the_embedded_ears_are_whisper_unless_only_moonshine_is_there(
    here: set[str], name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setattr(ears, "Store", lambda: Store(tmp_path))
    monkeypatch.setattr(Store, "has", lambda _store, artefact: artefact in here)
    assert open_ears("embedded:").name == name


@pytest.mark.parametrize(
    ("address", "error", "message"),
    [
        ("cochlea:", UnknownName, "no recogniser 'cochlea'"),
        ("whisper:huge", UnknownName, "base, small"),
        ("embedded:whisper", UsageError, "takes nothing"),
        ("faster-whisper:", UsageError, "faster-whisper:small"),
    ],
)
def test_a_wrong_address_says_what_is_right(address: str, error: type[Exception], message: str):
    with pytest.raises(error, match=message):
        open_ears(address)
