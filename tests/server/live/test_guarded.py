"""A model that says what may not be said: its words are streamed, and none of them is ever spoken."""

import asyncio
from pathlib import Path

import pytest

from heartfelt.models import Completion, Request, Scripted
from safety.test_forbidden import CAUGHT
from scripts import FULL, fine

from ..serving import serving
from .person import person

SAID = "I failed my driving test today, and my father laughed at me."
SENTENCES = [text.replace("\n", "|").split("|")[2].strip() for text in CAUGHT.values()]


class Forbidden(Scripted):
    """Says one forbidden thing after the other, word by word, each after a good sentence and before another."""

    def __init__(self) -> None:
        said = [f"I hear how hard that was. {sentence} I am with you." for sentence in SENTENCES]
        super().__init__(FULL | {"audit": fine, "respond": said})

    async def stream(self, request: Request):
        completion: Completion = await self.complete(request)
        for word in completion.text.split(" "):
            yield word + " "
            await asyncio.sleep(0.001)
        yield completion


@pytest.mark.parametrize("pace", ["quick", "thorough"])
async def test_none_of_it_reaches_the_voice(tmp_path: Path, pace: str):
    with serving(tmp_path, model=Forbidden()) as served:
        async with person(served, served.session(recipe="direct", pace=pace)) as ana:
            await ana.send(kind="begin", voice=True)
            for number in range(len(SENTENCES)):
                await ana.send(kind="say", text=SAID)
                await ana.until(lambda each, n=number: each["kind"] == "speech" and each["turn"] == n and each["last"])
            speech = [each for each in ana.told if each["kind"] == "speech"]
            turns = [each["turn"] for each in ana.told if each["kind"] == "turn" and each["turn"]["state"] == "answered"]
    spoken = " ".join(word["text"] for each in speech for word in each["timeline"]["words"])
    assert spoken.count("hear how hard") == len(SENTENCES)
    for sentence in SENTENCES:
        assert " ".join(sentence.rstrip(".!?").split()[:4]) not in spoken
        assert not any(sentence in turn["reply"] for turn in turns)


async def test_what_is_said_to_somebody_in_danger_is_spoken_to_its_end(tmp_path: Path):
    with serving(tmp_path, model=Scripted(FULL | {"audit": fine})) as served:
        async with person(served, served.session()) as ana:
            await ana.send(kind="begin", voice=True)
            await ana.send(kind="say", text="I want to kill myself tonight.")
            await ana.until(lambda each: each["kind"] == "speech" and each["last"])
            told = await ana.until(lambda each: each["kind"] == "turn" and each["turn"]["times"]["last_sound_ms"])
            speech = [each for each in ana.told if each["kind"] == "speech"]
    spoken = " ".join(word["text"] for each in speech for word in each["timeline"]["words"])
    assert told["turn"]["alarm"] and spoken.endswith(told["turn"]["reply"].split()[-1].rstrip("?.!"))
