"""A person at the live socket, for tests: types, speaks, hears, and keeps everything that was told."""

import asyncio
import json
import struct
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any

import numpy as np
from websockets.asyncio.client import ClientConnection, connect

from ..serving import Served

Message = dict[str, Any]
CHUNK = 640
PATIENT = 60.0
"""Seconds, on a machine that has other things to do."""


class Person:
    def __init__(self, socket: ClientConnection):
        self.socket = socket
        self.told: list[Message] = []
        self.sounds: dict[tuple[int, int], bytes] = {}
        self.clock = 0.0
        self._changed = asyncio.Event()

    async def listen(self) -> None:
        async for message in self.socket:
            if isinstance(message, bytes):
                kind, turn, piece = struct.unpack_from("<BII", message)
                assert kind == 3
                self.sounds[turn, piece] = message[9:]
            else:
                self.told.append(json.loads(message) | {"at": time.monotonic()})
            self._changed.set()

    async def send(self, **message: Any) -> None:
        await self.socket.send(json.dumps(message))

    async def speak(self, seconds: float, *, loud: bool = True, at_once: bool = False) -> None:
        """In real time, as a microphone does, or all at once, as it comes after a line was broken."""
        began, start = time.monotonic(), self.clock
        while self.clock < start + seconds:
            times = self.clock + np.arange(CHUNK) / 16_000
            samples = (9000 * loud * np.sin(2 * np.pi * 180 * times)).astype("<i2")
            await self.socket.send(struct.pack("<Bd", 1, self.clock) + samples.tobytes())
            self.clock += CHUNK / 16_000
            if not at_once:
                await asyncio.sleep(max(0, began + self.clock - start - time.monotonic()))

    async def until(self, wanted: Callable[[Message], Any], seconds: float = PATIENT) -> Message:
        """The first message that is wanted, come or still to come."""
        async with asyncio.timeout(seconds):
            while True:
                found = next((each for each in self.told if wanted(each)), None)
                if found is not None:
                    return found
                self._changed.clear()
                await self._changed.wait()

    async def kind(self, kind: str, seconds: float = PATIENT) -> Message:
        return await self.until(lambda each: each["kind"] == kind, seconds)

    async def turn(self, state: str, number: int = 0, seconds: float = PATIENT) -> Message:
        found = await self.until(
            lambda each: each["kind"] == "turn" and each["turn"]["number"] == number and each["turn"]["state"] == state, seconds
        )
        return found["turn"]

    def events(self, kind: str) -> list[Message]:
        return [each["event"] for each in self.told if each["kind"] == "happened" and each["event"]["kind"] == kind]


@asynccontextmanager
async def person(served: Served, session: str, who: str = "ana") -> AsyncGenerator[Person, None]:
    async with connect(served.live.format(session), additional_headers={"authorization": f"Bearer {who}"}) as socket:
        someone = Person(socket)
        listening = asyncio.create_task(someone.listen())
        try:
            yield someone
        finally:
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)
