"""Whether anything that was said is lost: a long spoken talk with people who interrupt, pages that are loaded again, and a
server that is killed twice.

    python bench/talks.py [--turns 30] [--seed 7]

Every sentence holds a word that no other has. At the end each of these words must stand in the stored talk exactly once, and no
turn may be without an end. A sentence counts as said once the server has told that it has it; it may be killed right then.
"""

import argparse
import asyncio
import json
import os
import random
import signal
import struct
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sized
from contextlib import ExitStack, suppress
from typing import Any

import httpx2 as httpx
import numpy as np
from numpy.typing import NDArray
from turns import said_by
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from heartfelt.expression.voice.kokoro import Kokoro
from server import CHUNK, served

SAID = {
    "birthday": "My sister forgot my birthday again.",
    "soup": "I made soup for two last night.",
    "kitchen": "We finally finished painting the kitchen.",
    "landlord": "The landlord wants more money from us.",
    "grandson": "My grandson took his first steps today.",
    "report": "Nobody said a word about my report.",
    "bicycle": "Somebody stole my bicycle this morning.",
    "guitar": "I played the guitar for three hours.",
    "dentist": "I have to see the dentist tomorrow.",
    "garden": "The garden is full of roses now.",
    "neighbour": "My neighbour brought me a cake.",
    "train": "I missed the last train home.",
    "piano": "My daughter plays the piano so well.",
    "wedding": "We danced all night at the wedding.",
    "hospital": "He is still in the hospital.",
    "window": "The storm broke our big window.",
    "letter": "I found an old letter from my father.",
    "doctor": "The doctor called me on Friday.",
    "holiday": "Our holiday starts in two weeks.",
    "coffee": "I spilled coffee over my new shirt.",
    "football": "The children play football in the street.",
    "airport": "I said goodbye to her at the airport.",
    "mountain": "We climbed a mountain on Sunday.",
    "teacher": "His teacher was very kind to him.",
    "library": "I spent the whole day in the library.",
    "camera": "I bought a camera for my son.",
    "bridge": "The bridge is closed for repairs.",
    "music": "The music was far too loud.",
    "dinner": "She cooked dinner for all of us.",
    "river": "We walked along the river for hours.",
}
DOES = ("listens", "listens", "interrupts", "goes on", "loads the page again")
PATIENCE = 60.0
LOST, DOUBLED, ENDLESS = "sentences of it that were lost", "that stand there twice", "turns of it without an end"
TARGETS: dict[str, Callable[[Sized], bool]] = dict.fromkeys((LOST, DOUBLED, ENDLESS), lambda found: not found)


class Page:
    """A browser with its microphone on: what is to be said goes out in real time, and silence between."""

    def __init__(self, socket: ClientConnection):
        self.socket, self.told = socket, list[dict[str, Any]]()
        self._to_say: list[NDArray[np.int16]] = []
        self._changed = asyncio.Event()
        self._tasks = [asyncio.create_task(work) for work in (self._hear(), self._speak())]

    def say(self, sound: NDArray[np.int16]) -> None:
        self._to_say.append(sound)

    async def until(self, wanted: str, since: int) -> int:
        """How much had been told when this was."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            for place in range(since, len(self.told)):
                if _is(self.told[place], wanted):
                    return place + 1
            self._changed.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), until - time.monotonic())
        told = [_short(each) for each in self.told if each["kind"] != "happened"]
        raise RuntimeError(f"Nothing was {wanted} within {PATIENCE:.0f} s. Told was, at last: {told[-40:]}")

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with suppress(ConnectionClosed, TimeoutError):
            await self.socket.close()

    async def _hear(self) -> None:
        with suppress(ConnectionClosed):
            async for message in self.socket:
                if isinstance(message, str):
                    self.told.append(json.loads(message))
                    self._changed.set()

    async def _speak(self) -> None:
        began, sent, silence = time.monotonic(), 0, np.zeros(CHUNK, "<i2")
        with suppress(ConnectionClosed):
            while True:
                piece = silence
                if self._to_say:
                    piece, self._to_say[0] = np.split(self._to_say[0], [CHUNK])
                    piece = np.pad(piece, (0, CHUNK - len(piece)))
                    if not len(self._to_say[0]):
                        self._to_say.pop(0)
                await self.socket.send(struct.pack("<Bd", 1, sent / 16_000) + piece.astype("<i2").tobytes())
                sent += CHUNK
                await asyncio.sleep(max(0.0, began + sent / 16_000 - time.monotonic()))


def _is(told: dict[str, Any], wanted: str) -> bool:
    turn = told.get("turn") if told["kind"] == "turn" else None
    match wanted:
        case "stored":
            return isinstance(turn, dict) and turn["state"] in ("waiting", "answering")
        case "sounding":
            return told["kind"] == "speech"
        case "over":
            return (told["kind"] == "speech" and told["last"]) or (isinstance(turn, dict) and turn["state"] == "failed")
        case _:
            return told["kind"] == wanted


def _short(told: dict[str, Any]) -> str:
    turn = told.get("turn")
    return f"{told['kind']} {turn['number']} {turn['state']} «{turn['said']}»" if isinstance(turn, dict) else str(told)[:120]


class Talk:
    def __init__(self, folder: str, turns: int, seed: int):
        self.folder, self.chance, self.did = folder, random.Random(seed), Counter[str]()
        self.words = list(SAID)[:turns]
        self.kills = set(self.chance.sample(range(2, turns - 1), 2)) if turns > 4 else set[int]()
        self.server = ExitStack()
        self.session = ""

    async def go(self, sounds: dict[str, NDArray[np.int16]]) -> dict[str, Any]:
        self._serve()
        async with self._client() as client:
            self.session = (await client.post("/api/sessions", json={"kept": True})).raise_for_status().json()["id"]
        page = await self._open()
        for place, word in enumerate(self.words):
            page = await self._turn(page, sounds[word], kill=place in self.kills)
        await asyncio.sleep(5)
        await page.close()
        async with self._client() as client:
            stored = (await client.get(f"/api/sessions/{self.session}")).raise_for_status().json()["conversation"]
        self.server.close()
        return self._judged(stored)

    async def _turn(self, page: Page, sound: NDArray[np.int16], *, kill: bool) -> Page:
        since = len(page.told)
        page.say(sound)
        since = await page.until("stored", since)
        does = "kills the server" if kill else self.chance.choice(DOES)
        self.did[does] += 1
        match does:
            case "listens":
                await page.until("over", since)
            case "interrupts":
                await page.until("sounding", since)
            case "goes on":
                await asyncio.sleep(self.chance.uniform(0, 0.4))
            case "loads the page again":
                await asyncio.sleep(self.chance.uniform(0, 3))
                await page.close()
                page = await self._open()
            case _:
                await asyncio.sleep(self.chance.uniform(0, 2))
                os.kill(self.pid, signal.SIGKILL)
                await page.close()
                self.server.close()
                self._serve()
                page = await self._open()
        return page

    def _judged(self, stored: list[dict[str, Any]]) -> dict[str, Any]:
        said = " ".join(turn["said"] for turn in stored).lower().replace("neighbor", "neighbour")
        found = {word: said.count(word) for word in self.words}
        return {
            "sentences of a long talk": len(self.words),
            "turns of it": len(stored),
            "what the person did in it": dict(self.did),
            LOST: [word for word, times in found.items() if not times],
            DOUBLED: {
                word: [f"{turn['number']}: {turn['said']}" for turn in stored if word in turn["said"].lower()]
                for word, times in found.items()
                if times > 1
            },
            ENDLESS: [turn["number"] for turn in stored if turn["state"] in ("waiting", "answering")],
            "states of its turns": dict(Counter(turn["state"] for turn in stored)),
        }

    def _serve(self) -> None:
        self.url, self.pid = self.server.enter_context(served(self.folder))

    def _client(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(base_url=self.url, headers={"authorization": "Bearer me"}, timeout=60)

    async def _open(self) -> Page:
        live = f"{self.url.replace('http', 'ws')}api/sessions/{self.session}/live"
        socket = await connect(live, additional_headers={"authorization": "Bearer me"}, max_size=None, compression=None)
        await socket.send(json.dumps({"kind": "begin", "microphone": True, "tone": True, "voice": True}))
        page = Page(socket)
        await page.until("ready", 0)
        return page


def _spoken(words: list[str]) -> dict[str, NDArray[np.int16]]:
    voice = Kokoro()
    return {word: said_by(voice, number, SAID[word]) for number, word in enumerate(words)}


def measure(turns: int = 30, seed: int = 7) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        talk = Talk(folder, turns, seed)
        return asyncio.run(talk.go(_spoken(talk.words)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=30, help=f"at most {len(SAID)}")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    print(json.dumps(measure(min(options.turns, len(SAID)), options.seed), indent=2))
