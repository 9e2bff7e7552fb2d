"""Speaking ahead in the server: while it is calm, for who answers last first, and never in anybody's way."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from heartfelt.errors import StoreError
from heartfelt.expression.persona import Persona, persona_named
from heartfelt.expression.speech_cache import SpeechCache, StockPhrase
from heartfelt.expression.style import Style
from heartfelt.server import speech_warming
from heartfelt.server.speech_warming import SpeechWarming

MAYA, OMAR = persona_named("maya"), persona_named("omar")
PHRASES = tuple(StockPhrase(text, Style()) for text in ("Oh no.", "I see.", "How lovely!"))


class Kept(SpeechCache):
    """Keeps in memory that it was asked."""

    def __init__(self, *, full: bool = False):
        self.full, self.done = full, list[tuple[str, str]]()
        self.prepared: list[str] = []

    def missing(self, persona: Persona) -> Iterator[StockPhrase]:
        return (phrase for phrase in PHRASES if (persona.name, phrase.text) not in self.done)

    def prepare(self, persona: Persona) -> Iterator[None]:
        yield
        self.prepared.append(persona.name)

    def make(self, phrase: StockPhrase, persona: Persona) -> Iterator[None]:
        yield
        if self.full:
            raise StoreError("The disk is full.")
        self.done.append((persona.name, phrase.text))


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(speech_warming, "CALM", 0.05)


async def lets(warming: SpeechWarming, seconds: float = 0.5) -> None:
    running = asyncio.create_task(warming.run())
    await asyncio.wait([running], timeout=seconds)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def test_everything_is_made_for_whoever_was_wanted_last_and_then_for_the_others():
    with ThreadPoolExecutor(1) as mouth:
        warming = SpeechWarming(kept := Kept(), mouth)
        warming.want(OMAR)
        warming.want(MAYA)
        assert warming.missing == 6
        await lets(warming)
    assert [name for name, _ in kept.done] == ["maya"] * 3 + ["omar"] * 3 and not warming.missing
    assert kept.prepared[:2] == ["maya", "omar"]


async def test_nothing_is_made_while_somebody_is_answered():
    with ThreadPoolExecutor(1) as mouth:
        warming = SpeechWarming(kept := Kept(), mouth)
        warming.want(MAYA)
        with warming.paused():
            await lets(warming, 0.2)
        assert not kept.done
        await lets(warming)
    assert len(kept.done) == 3


async def test_nothing_is_made_while_somebody_speaks(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(speech_warming, "CALM", 10.0)
    with ThreadPoolExecutor(1) as mouth:
        warming = SpeechWarming(kept := Kept(), mouth)
        warming.want(MAYA)
        warming.stir()
        await lets(warming, 0.2)
    assert not kept.done


async def test_a_full_disk_ends_it_and_nothing_else():
    with ThreadPoolExecutor(1) as mouth:
        warming = SpeechWarming(kept := Kept(full=True), mouth)
        warming.want(MAYA)
        await asyncio.wait_for(warming.run(), 5)
    assert not kept.done


async def test_another_voice_has_nothing_to_make():
    with ThreadPoolExecutor(1) as mouth:
        warming = SpeechWarming(None, mouth)
        warming.want(MAYA)
        await asyncio.wait_for(warming.run(), 5)
        assert not warming.missing
