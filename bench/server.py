"""What the server bears: many live sessions that are idle and some that talk.

Part of `make bench`, in processes of its own; alone: `python bench/server.py [--minutes 5]`. The load is put on a server with a
scripted model and a voice that hums, so that what is measured is the server; the talkers' sound is really listened to.
"""

import argparse
import asyncio
import json
import os
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2 as httpx
import numpy as np
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from heartfelt.senses.media import open_media

TALK = Path(__file__).parent.parent / "samples" / "talk.mp4"
IDLE, TALKING = 200, 8
CHUNK = 640
SPOKEN = 4.8
"""Seconds of the sample that are said: two sentences without a pause."""
SCRIPT = {
    "perceive": {"cues": [{"source": "words", "quote": "I", "meaning": "speaks of themselves"}], "summary": "A failure."},
    "forecast": {"why": "It hurts.", "emotion": "disappointed", "conflict": "none"},
    "recognise": {"emotion": "sadness"},
    "cause": {"spans": ["I"], "summary": "A failure.", "category": "Loss & Failure"},
    "plan": {"why": "Warmth.", "goal": "comfort", "stance": "ally", "tactic": "naming what was hard", "tone": "gentle"},
    "respond": "That is a hard thing to carry home. What would help you most tonight?",
    "audit": {
        step: {"ok": "yes", "finding": "none", "instruction": "none"}
        for step in ("perceive", "forecast", "cause", "plan", "respond")
    },
}
TARGETS: dict[str, Callable[[float], bool]] = {
    "event latency with 200 idle and 8 talking, p95, ms": lambda ms: ms < 150,
    "errors under that load": lambda count: count == 0,
    "memory after it against a minute in": lambda ratio: ratio < 1.1,
}


@dataclass
class Seen:
    """What the load showed."""

    latencies: list[float] = field(default_factory=list[float])
    errors: list[str] = field(default_factory=list[str])
    answered: int = 0
    memory: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])


def measure(minutes: float = 5.0) -> dict[str, Any]:
    seen = asyncio.run(_load(minutes * 60))
    late = np.percentile(seen.latencies, [50, 95, 99])
    begun = [megabytes for at, megabytes in seen.memory if at < min(60, minutes * 20)][-1]
    return {
        "event latency with 200 idle and 8 talking, p95, ms": round(float(late[1]), 1),
        "event latency, median and p99, ms": [round(float(late[0]), 1), round(float(late[2]), 1)],
        "turns answered meanwhile": seen.answered,
        "minutes": minutes,
        "errors under that load": len(seen.errors),
        "memory after it against a minute in": round(seen.memory[-1][1] / begun, 3),
        "memory at the end, MB": round(seen.memory[-1][1]),
    } | ({"first error": seen.errors[0]} if seen.errors else {})


# ── the load ────────────────────────────────────────────────────────────────────────────────────────────────────────


async def _load(seconds: float) -> Seen:
    seen, until = Seen(), time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "script.json"
        script.write_text(json.dumps(SCRIPT))
        with served(folder, "--model", f"scripted:{script}", "--voice", "hum:", "--messages-a-minute", "10000") as (url, pid):
            idle = [_idle(url, number, until, seen) for number in range(IDLE)]
            talking = [_talk(url, number, until, seen) for number in range(TALKING)]
            await asyncio.gather(*idle, *talking, _watch(pid, until, seen))
    return seen


async def _idle(url: str, number: int, until: float, seen: Seen) -> None:
    async with _person(url, f"idle-{number}", seen) as socket:
        await asyncio.sleep(number / IDLE * 2)
        while time.monotonic() < until:
            await _ping(socket)
            await asyncio.sleep(2)


async def _talk(url: str, number: int, until: float, seen: Seen) -> None:
    """Speaks the same sentences again and again, each time until it was answered."""
    speech, clock = _speech(), 0.0
    async with _person(url, f"talking-{number}", seen) as socket:
        await socket.send(json.dumps({"kind": "begin", "microphone": True, "voice": True}))
        await asyncio.sleep(number)
        while time.monotonic() < until:
            began, start = time.monotonic(), clock
            for place in range(0, len(speech) - CHUNK, CHUNK):
                await socket.send(struct.pack("<Bd", 1, clock) + speech[place : place + CHUNK].tobytes())
                clock = start + (place + CHUNK) / 16_000
                if place % (25 * CHUNK) == 0:
                    await _ping(socket)
                await asyncio.sleep(max(0.0, began + clock - start - time.monotonic()))


async def _ping(socket: ClientConnection) -> None:
    await socket.send(json.dumps({"kind": "ping", "sent": time.monotonic()}))


@asynccontextmanager
async def _person(url: str, who: str, seen: Seen) -> AsyncGenerator[ClientConnection, None]:
    """A live session; everything that it is told is looked at."""
    headers = {"authorization": f"Bearer {who}"}
    async with httpx.AsyncClient(base_url=url, headers=headers, timeout=60) as client:
        session = (await client.post("/api/sessions", json={})).raise_for_status().json()["id"]
    live = f"{url.replace('http', 'ws')}api/sessions/{session}/live"
    async with connect(live, additional_headers=headers, max_size=None, compression=None) as socket:
        listening = asyncio.create_task(_listen(socket, seen))
        try:
            yield socket
        finally:
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)


async def _listen(socket: ClientConnection, seen: Seen) -> None:
    try:
        async for message in socket:
            if isinstance(message, bytes):
                continue
            told = json.loads(message)
            if told["kind"] == "pong":
                seen.latencies.append((time.monotonic() - told["sent"]) * 1000)
            elif told["kind"] == "error":
                seen.errors.append(told["message"])
            elif told["kind"] == "happened" and told["event"]["kind"] == "turn failed":
                seen.errors.append(told["event"]["message"])
            elif told["kind"] == "happened" and told["event"]["kind"] == "turn finished" and not told["looking_back"]:
                seen.answered += 1
    except ConnectionClosed as error:
        seen.errors.append(f"a socket ended: {error}")


async def _watch(pid: int, until: float, seen: Seen) -> None:
    began = time.monotonic()
    while time.monotonic() < until:
        seen.memory.append((time.monotonic() - began, _megabytes(pid)))
        await asyncio.sleep(2)


def _megabytes(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


# ── parts ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _speech() -> np.ndarray:
    """The sample's first sentences, and then silence in which to be answered."""
    sound = np.concatenate([piece.samples for piece in open_media(TALK).audio()])[: round(SPOKEN * 16_000)]
    samples = np.clip(sound * 32767, -32768, 32767).astype("<i2")
    return np.concatenate([np.zeros(8000, "<i2"), samples, np.zeros(12 * 16_000, "<i2")])


@contextmanager
def served(folder: str, *options: str, program: tuple[str, ...] = ("-m", "heartfelt")) -> Iterator[tuple[str, int]]:
    command = [
        sys.executable,
        *program,
        "serve",
        "--port",
        "0",
        "--store",
        f"sqlite:///{folder}/sessions.db",
        *options,
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().split()[-1], process.pid
        finally:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(30)
            process.kill()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=5.0)
    print(json.dumps(measure(parser.parse_args().minutes), indent=2))
