"""A reply spoken sentence by sentence: what was heard of it, and what cannot be said."""

import asyncio
from collections.abc import Iterator

import pytest

from heartfelt.expression.persona import persona_named
from heartfelt.expression.style import Style
from heartfelt.expression.voice.spoken import SaidWord
from heartfelt.server.runtime import Runtime
from heartfelt.server.settings import ServerSettings
from heartfelt.server.speaking import HeardWords, Speaking, SpeakingStretch

REPLY = "That must hurt. I am here, and I listen."


@pytest.fixture
def runtime() -> Iterator[Runtime]:
    made = Runtime(ServerSettings(models=("scripted:",), voice="hum:", memory="none"))
    yield made
    made.mouth.shutdown()


async def spoken(runtime: Runtime, pieces: list[str], reply: str) -> tuple[Speaking, list[SpeakingStretch]]:
    told: list[SpeakingStretch] = []
    speaking = Speaking(runtime, persona_named("maya"), told.append)
    speaking.begin(Style())
    for piece in pieces:
        speaking.write(piece)
        await asyncio.sleep(0)
    await speaking.finish(reply)
    return speaking, told


@pytest.mark.parametrize("pieces", [[REPLY], REPLY.split(), list(REPLY), []])
async def test_however_it_is_written_it_is_said_whole_and_once(runtime: Runtime, pieces: list[str]):
    pieces = [piece + " " for piece in pieces] if len(pieces) == len(REPLY.split()) else pieces
    speaking, told = await spoken(runtime, pieces, REPLY)
    words = [REPLY[word.at : word.at + len(word.text)] for word in speaking.heard.words]
    assert words == ["That", "must", "hurt", "I", "am", "here", "and", "I", "listen"]
    assert told[-1].last and not any(stretch.last for stretch in told[:-1])
    assert speaking.seconds == pytest.approx(sum(stretch.seconds for stretch in told))


async def test_what_was_written_and_then_taken_back_is_not_said(runtime: Runtime):
    speaking, _ = await spoken(runtime, ["That must hurt. And then it tr"], "That must hurt.")
    assert [word.text for word in speaking.heard.words] == ["That", "must", "hurt"]


async def test_what_cannot_be_said_is_passed_over(runtime: Runtime):
    _, told = await spoken(runtime, [], "🙂")
    assert told == []


async def test_a_hush_ends_it(runtime: Runtime):
    told: list[SpeakingStretch] = []
    speaking = Speaking(runtime, persona_named("maya"), told.append)
    speaking.begin(Style())
    speaking.write(REPLY)
    speaking.hush()
    with pytest.raises(asyncio.CancelledError):
        await speaking.finish(REPLY)
    assert told == []


@pytest.mark.parametrize(
    ("seconds", "heard"),
    [(0.0, ""), (0.5, "That"), (1.5, "That must"), (2.9, "That must hurt"), (99, "That must hurt")],
)
def test_whole_words_were_heard_and_never_what_is_still_to_be_made(seconds: float, heard: str):
    words = [
        SaidWord(start=i, end=i + 0.8, text=text, at=REPLY.index(text), spoken=text)
        for i, text in enumerate(["That", "must", "hurt"])
    ]
    assert HeardWords(words).until(seconds, REPLY) == heard
    assert HeardWords(words).until(99, "That must hurt.") == "That must hurt."
