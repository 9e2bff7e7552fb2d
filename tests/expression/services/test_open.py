"""Generators by address, and another in their place for those who ask."""

import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from heartfelt.errors import GeneratorError, GeneratorUnavailable, InputError, UnknownName, UsageError
from heartfelt.expression.persona import Persona
from heartfelt.expression.services import open_face, open_voice, or_else
from heartfelt.expression.services.face import ServiceFace
from heartfelt.expression.services.fallback import FallbackFace, FallbackVoice
from heartfelt.expression.services.voice import ServiceVoice
from heartfelt.expression.style import Style
from heartfelt.expression.voice.spoken import Phone, SpokenAudio


class Double:
    """A voice and a face of no service."""

    def __init__(self, name: str = "double", error: Exception | None = None, after: int = 0):
        self.name, self.error, self.after, self.calls = name, error, after, 0

    def _part(self) -> SpokenAudio:
        return SpokenAudio(np.full(2400, 0.1, np.float32), (Phone(start=0, end=0.1, symbol="m"),), ())


class Voice(Double):
    def say(self, text: str, style: Style, persona: Persona) -> Iterator[SpokenAudio]:
        self.calls += 1
        for turn in range(2):
            if self.error and turn == self.after:
                raise self.error
            yield self._part()


class Face(Double):
    def film(self, spoken: SpokenAudio, style: Style, persona: Persona, target: Path) -> Path:
        self.calls += 1
        if self.error:
            raise self.error
        return target


AWAY = GeneratorUnavailable("Nobody is there.")


@pytest.mark.parametrize("name", ["openvoice", "styletts2", "service"])
def test_voices_by_address(name: str):
    voice = open_voice(f"{name}:http://127.0.0.1:8001?timeout=7")
    assert isinstance(voice, ServiceVoice) and voice.name == name and voice.address.timeout == 7
    assert repr(voice) == f"ServiceVoice('http://127.0.0.1:8001', '{name}')"


@pytest.mark.parametrize("name", ["dice-talk", "dreamtalk", "service"])
def test_faces_by_address(name: str):
    face = open_face(f"{name}:http://127.0.0.1:8002", mark="AI")
    assert isinstance(face, ServiceFace) and face.name == name and face.address.timeout == 900 and face.mark == "AI"
    assert repr(face) == f"ServiceFace('http://127.0.0.1:8002', '{name}')"


def test_the_embedded_ones_are_made_only_when_wanted(monkeypatch: pytest.MonkeyPatch):
    module: Any = ModuleType("heartfelt.expression.embedded")
    module.EmbeddedVoice, module.EmbeddedFace = lambda: "the voice", lambda: "the face"
    monkeypatch.setitem(sys.modules, module.__name__, module)
    assert open_voice("embedded:") == "the voice" and open_face("embedded:") == "the face"
    voice, face = Voice(), Face()
    assert open_voice("embedded:", embedded=lambda: voice) is voice and open_face("embedded:", embedded=lambda: face) is face


@pytest.mark.parametrize("address", ["", "openvoice", "http://127.0.0.1:8001", "dice-talk:http://h", "opnvoice:http://h"])
def test_an_unknown_voice_is_told_with_those_there_are(address: str):
    with pytest.raises((UnknownName, InputError), match=r"openvoice:URL|no address of a service"):
        open_voice(address)


def test_a_voice_is_no_face_and_nothing_stands_behind_embedded():
    with pytest.raises(UnknownName, match="dice-talk:URL"):
        open_face("openvoice:http://h")
    with pytest.raises(UsageError, match="alone"):
        open_voice("embedded:kokoro")


def test_the_other_speaks_where_the_first_is_away_and_somebody_hears_of_it(style: Style, maya: Persona):
    told, other = list[str](), Voice("other")
    voice = or_else(Voice("first", AWAY), other, notice=told.append)
    assert isinstance(voice, FallbackVoice) and voice.name == "first"
    assert len(list(voice.say("Hi.", style, maya))) == 2
    assert told == ["Nobody is there. other speaks instead."] and other.calls == 1
    assert voice.name == "other", "the record says who spoke"


def test_nobody_is_replaced_who_is_there(style: Style, maya: Persona):
    told, other = list[str](), Voice("other")
    assert len(list(or_else(Voice("first"), other, notice=told.append).say("Hi.", style, maya))) == 2
    assert not told and not other.calls


def test_nobody_changes_voice_in_the_middle(style: Style, maya: Persona):
    told, other = list[str](), Voice("other")
    stretches = or_else(Voice("first", AWAY, after=1), other, notice=told.append).say("Hi.", style, maya)
    next(stretches)
    with pytest.raises(GeneratorUnavailable):
        next(stretches)
    assert not told and not other.calls


def test_a_broken_contract_is_no_reason_to_take_another(style: Style, maya: Persona):
    other = Voice("other")
    voice = or_else(Voice("first", GeneratorError("Wrong.")), other, notice=print)
    with pytest.raises(GeneratorError, match="Wrong"):
        list(voice.say("Hi.", style, maya))
    assert not other.calls


def test_the_other_is_shown_where_the_first_is_away(spoken: SpokenAudio, style: Style, maya: Persona, target: Path):
    told, other = list[str](), Face("other")
    face = or_else(Face("first", AWAY), other, notice=told.append)
    assert isinstance(face, FallbackFace)
    assert face.film(spoken, style, maya, target) == target and face.name == "other"
    assert told == ["Nobody is there. other is shown instead."]
    with pytest.raises(GeneratorError, match="Wrong"):
        or_else(Face("first", GeneratorError("Wrong.")), other, notice=told.append).film(spoken, style, maya, target)
    assert other.calls == 1


def test_without_asking_nothing_else_is_used(style: Style, maya: Persona, spoken: SpokenAudio, target: Path):
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{held.getsockname()[1]}"
    from ..voice.doubles import Letters

    with pytest.raises(GeneratorUnavailable, match=f"No service answers at {url}, where openvoice"):
        list(ServiceVoice(url, generator=_named("openvoice"), sounds=Letters(), attempts=1).say("No.", style, maya))
    with pytest.raises(GeneratorUnavailable, match="dice-talk"):
        ServiceFace(url, generator=_named("dice-talk"), attempts=1).film(spoken, style, maya, target)
    assert not list(target.parent.iterdir())


def _named(name: str) -> Any:
    from heartfelt.expression.services.open import FACES, VOICES

    return {**VOICES, **FACES}[name]
