"""Sentences that are said often, spoken before anybody waits for them.

Most replies begin with one of some dozens of short reactions, and nearly all others with one of a few interjections («Oh no,»):
the first stretch of sound is what a person waits for. Only what stands in the list is kept, never what was written for
somebody: nothing of a conversation lies on the disk.
"""

import csv
import hashlib
import json
import re
from collections.abc import Iterator
from functools import cache
from importlib import resources
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np

from heartfelt.expression.embedded import EmbeddedVoice, manner_for
from heartfelt.expression.persona import Persona
from heartfelt.expression.style import Style
from heartfelt.expression.voice.emotions import manner_of
from heartfelt.expression.voice.spoken import Phone, SaidWord, SpokenAudio
from heartfelt.version import VERSION
from heartfelt.weights import Store

ARTEFACT = "kokoro"
"""What is kept lies beside the network that said it, and goes with it."""
_STEPS = 4
"""Intensities that are told apart, between nothing and everything: an eighth more or less is not heard in one sentence."""
_NEAR = 1.0
"""Steps by which the manner of a kept sentence may differ from the one that is wanted, at most in any of its parts: a
difference that is about as small as can be heard."""
_OPENING = re.compile(r"([^\s,.!?…]+(?: [^\s,.!?…]+)?,)\s+(\S.*)", re.S)
"""A word or two before a comma, and what comes after it."""
_FULL = 32767


class StockPhrase(NamedTuple):
    """A sentence of many replies, and how it is then said."""

    text: str
    style: Style


class SpeechCache:
    """The embedded voice; what is kept of its sentences is at hand at once, all else is made piece by piece."""

    def __init__(self, voice: EmbeddedVoice | None = None, store: Store | None = None):
        self._voice, self._store = voice or EmbeddedVoice(), store or Store()
        self.name = self._voice.name

    def say(self, text: str, style: Style, persona: Persona) -> Iterator[SpokenAudio]:
        """All of it where it is kept; else the interjection that it begins with, while the rest is made."""
        if (file := self._found(text, style, persona)) is not None:
            return iter(_read(file))
        begun, rest = opened(text)
        if begun and (file := self._found(begun, style, persona)) is not None:
            following = self._voice.say(rest, style, persona, piecewise=True)
            return chain(_read(file), (_moved(spoken, text.index(rest)) for spoken in following))
        return self._voice.say(text, style, persona, piecewise=True)

    def _found(self, text: str, style: Style, persona: Persona) -> Path | None:
        phrase = _nearest(text, style)
        return self._kept(phrase, persona) if phrase is not None else None

    def missing(self, persona: Persona) -> Iterator[StockPhrase]:
        """What is still to be made for a person, the most frequent first."""
        return (phrase for phrase in stock_phrases() if self._kept(phrase, persona) is None)

    def prepare(self, persona: Persona) -> Iterator[None]:
        """What lets all else that this person says be heard piece by piece; a sentence at a time."""
        return self._voice.prepare(persona)

    def make(self, phrase: StockPhrase, persona: Persona) -> Iterator[None]:
        """Stretch by stretch, so that somebody who wants to be answered meanwhile waits for one at most."""
        spoken: list[SpokenAudio] = []
        for stretch in self._voice.say(phrase.text, phrase.style, persona):
            spoken.append(stretch)
            yield
        self._store.converted(ARTEFACT, _name(phrase, persona), lambda target: _write(spoken, target))

    def _kept(self, phrase: StockPhrase, persona: Persona) -> Path | None:
        return self._store.made(ARTEFACT, _name(phrase, persona))


@cache
def stock_phrases() -> dict[StockPhrase, int]:
    """By frequency, each with how often it was said in answer to 2,169 messages (`tools/stock_phrases.py`)."""
    with resources.files("heartfelt.expression").joinpath("stock_phrases.tsv").open(encoding="utf-8") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {StockPhrase(row["text"], _style(row)): int(row["times"]) for row in rows}


@cache
def _styles() -> dict[str, list[Style]]:
    """In which styles a sentence is kept."""
    found: dict[str, list[Style]] = {}
    for text, style in stock_phrases():
        found.setdefault(text, []).append(style)
    return found


def _nearest(text: str, style: Style) -> StockPhrase | None:
    """The kept sentence that sounds most like it, if any does."""
    best = min(_styles().get(text, ()), key=lambda kept: _apart(kept, style), default=None)
    return StockPhrase(text, best) if best is not None and near(best, style) else None


def near(one: Style, other: Style) -> bool:
    """Whether the same words in both can hardly be told apart."""
    return _apart(one, other) <= _NEAR


def _apart(one: Style, other: Style) -> float:
    first, second = (manner_of(style.emotion, style.intensity, style.tone).steps for style in (one, other))
    return max(abs(here - there) for here, there in zip(first, second, strict=True))


def opened(text: str) -> tuple[str, str]:
    """A sentence after its first comma, if that comes soon: «Oh no,» and the rest."""
    found = _OPENING.match(text)
    return (found[1], found[2]) if found else ("", "")


def _moved(spoken: SpokenAudio, letters: int) -> SpokenAudio:
    words = tuple(word.model_copy(update={"at": word.at + letters}) for word in spoken.words)
    return SpokenAudio(spoken.samples, spoken.phones, words, spoken.rate)


def stepped(style: Style) -> Style:
    """The style that a sentence is kept in."""
    return style.model_copy(update={"intensity": max(round(style.intensity * _STEPS), 1) / _STEPS})


def _style(row: dict[str, str]) -> Style:
    return Style(emotion=row["emotion"], intensity=float(row["intensity"]), tone=row["tone"])


def _name(phrase: StockPhrase, persona: Persona) -> str:
    """Another release, voice or manner, another file."""
    manner = manner_for(phrase.style, persona).model_dump_json()
    told = json.dumps([VERSION, repr(persona.voice), manner, phrase.text])
    return f"said-{hashlib.sha256(told.encode()).hexdigest()[:24]}.npz"


def _write(spoken: list[SpokenAudio], target: Path) -> None:
    timing = [
        {
            "samples": len(each.samples),
            "phones": [phone.model_dump() for phone in each.phones],
            "words": [word.model_dump() for word in each.words],
        }
        for each in spoken
    ]
    sound = np.concatenate([each.samples for each in spoken])
    with target.open("wb") as file:
        np.savez(file, sound=(np.clip(sound, -1, 1) * _FULL).astype(np.int16), timing=np.array(json.dumps(timing)))


def _read(file: Path) -> list[SpokenAudio]:
    with np.load(file, allow_pickle=False) as kept:
        sound, timing = kept["sound"].astype(np.float32) / _FULL, json.loads(str(kept["timing"]))
    stretches: list[SpokenAudio] = []
    for each in timing:
        here, sound = np.split(sound, [each["samples"]])
        phones = tuple(Phone.model_validate(phone) for phone in each["phones"])
        stretches.append(SpokenAudio(here, phones, tuple(SaidWord.model_validate(word) for word in each["words"])))
    return stretches
