"""How long a person waits for an answer, and where the time goes: spoken turns by several voices, and typed ones.

Part of `make bench`; alone: `python bench/turns.py [--turns 20] [--plot FILE]`. The server is a process of its own with the
embedded models; who speaks are voices that nobody in the app has, saying sentences of everyday talk in real time.
"""

import argparse
import asyncio
import json
import statistics
import struct
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2 as httpx
import numpy as np
from numpy.typing import NDArray
from websockets.asyncio.client import ClientConnection, connect

from heartfelt.expression.voice.kokoro import Kokoro
from server import CHUNK, served

VOICES = ("nicole", "lewis", "bella", "fenrir")
SAID = (
    "My sister forgot my birthday again, and I pretended it was fine.",
    "I got the job! I start on Monday, and I can hardly believe it.",
    "The dog has been limping since Tuesday, and the vet cannot see us until next week.",
    "I made soup for two again. He has been gone since March.",
    "My landlord wants to raise the rent, and I don't know how to tell my kids.",
    "We finally finished painting the kitchen. It's yellow, and I love it.",
    "I snapped at my mother on the phone today. She only asked how I was.",
    "Nobody said a word about the report I worked on all week.",
    "My grandson took his first steps right into my arms.",
    "I keep waking up at four, and then I lie there and count the bills.",
    "My best friend is moving to Canada in the spring.",
    "I passed my driving test on the fourth try!",
    "They gave my desk to the new girl while I was on leave.",
    "I can't find my grandmother's ring anywhere.",
    "We had our first date at that café. It closed last week.",
    "My son came home from school crying again.",
    "The surgery went well. She is awake, and she asked for tea.",
    "I burned the whole dinner, and everybody laughed, me included.",
    "I have to give a speech tomorrow, and my hands are shaking already.",
    "My brother and I haven't spoken in three years. Today he called.",
)
TYPED = 6
STEPS = ("understood", "first_word", "first_sound")
TARGETS: dict[str, Callable[[float], bool]] = {
    "end of speech to first sound, median, ms": lambda ms: ms <= 2000,
    "end of speech to first sound, p95, ms": lambda ms: ms <= 3000,
    "largest gap within a reply, s": lambda seconds: seconds <= 0.4,
    "typed: first word, median, ms": lambda ms: ms <= 1500,
}


@dataclass
class TurnTimes:
    """Milliseconds since the person ended, and what the parts took."""

    times: dict[str, float]
    parts: dict[str, float] = field(default_factory=dict[str, float])
    gap: float = 0.0
    """Seconds of silence within the reply beyond what belongs to it."""
    said: str = ""
    reply: str = ""


def measure(turns: int = 20, plot: Path | None = None) -> dict[str, Any]:
    said = _spoken(turns)
    with tempfile.TemporaryDirectory() as folder, served(folder) as (url, _pid):
        _let_warm(url)
        spoken, typed = asyncio.run(_talked(url, said))
    if plot is not None:
        _drawn(spoken, plot)
    figures: dict[str, Any] = {"spoken turns": len(spoken)}
    for step in STEPS:
        ms = [turn.times[step] for turn in spoken]
        name = f"end of speech to {step.replace('_', ' ')}"
        figures[f"{name}, median, ms"] = round(statistics.median(ms))
        figures[f"{name}, p95, ms"] = round(float(np.percentile(ms, 95)))
    parts = sorted({part for turn in spoken for part in turn.parts})
    figures["parts, medians, ms"] = {
        part: round(statistics.median(turn.parts.get(part, 0.0) for turn in spoken)) for part in parts
    }
    slowest = max(spoken, key=lambda turn: turn.times["first_sound"])
    figures["slowest turn"] = {"said": slowest.said, "reply": slowest.reply} | slowest.times | slowest.parts
    figures["largest gap within a reply, s"] = round(max(turn.gap for turn in spoken), 2)
    figures["typed: first word, median, ms"] = round(statistics.median(turn.times["first_word"] for turn in typed))
    return figures


def _let_warm(url: str, most: float = 600) -> None:
    """Until the frequent sentences are spoken ahead: after some minutes a server has them for good."""
    until = time.monotonic() + most
    while time.monotonic() < until:
        metrics = httpx.get(f"{url}metrics", timeout=60).raise_for_status().text
        if "heartfelt_speech_unmade 0.0" in metrics:
            return
        time.sleep(2)


def _spoken(turns: int) -> list[NDArray[np.int16]]:
    """Sixteen thousand samples a second."""
    voice = Kokoro()
    return [said_by(voice, number, SAID[number % len(SAID)]) for number in range(turns)]


def said_by(voice: Kokoro, number: int, text: str) -> NDArray[np.int16]:
    """As the next of some people would say it, after half a second of silence."""
    from scipy.signal import resample_poly

    sound = resample_poly(voice.say(text, voice=VOICES[number % len(VOICES)]).samples, 2, 3)
    return np.concatenate([np.zeros(8000, "<i2"), np.clip(sound * 32767, -32768, 32767).astype("<i2")])


async def _talked(url: str, said: list[NDArray[np.int16]]) -> tuple[list[TurnTimes], list[TurnTimes]]:
    await _turn(url, said[0], None)  # warms up
    spoken = list[TurnTimes]()
    for sound in said:
        spoken.append(turn := await _turn(url, sound, None))
        first = turn.times["first_sound"] / 1000
        print(f"{len(spoken)}: first sound {first:.2f} s, gap {turn.gap:.2f} s: {turn.reply}", file=sys.stderr)
    typed = [await _turn(url, None, text) for text in SAID[:TYPED]]
    return spoken, typed


async def _turn(url: str, sound: NDArray[np.int16] | None, text: str | None) -> TurnTimes:
    headers = {"authorization": "Bearer me"}
    async with httpx.AsyncClient(base_url=url, headers=headers, timeout=60) as client:
        session = (await client.post("/api/sessions", json={})).raise_for_status().json()["id"]
    live = f"{url.replace('http', 'ws')}api/sessions/{session}/live"
    async with connect(live, additional_headers=headers, max_size=None, compression=None) as socket:
        begin = {"kind": "begin", "microphone": sound is not None, "tone": sound is not None, "voice": True}
        await socket.send(json.dumps(begin))
        saying = asyncio.create_task(_speak(socket, sound) if sound is not None else _type(socket, text or ""))
        try:
            async with asyncio.timeout(90):
                return await _answered(socket)
        finally:
            saying.cancel()
            await asyncio.gather(saying, return_exceptions=True)


async def _type(socket: ClientConnection, text: str) -> None:
    await socket.send(json.dumps({"kind": "say", "text": text}))


async def _speak(socket: ClientConnection, sound: NDArray[np.int16]) -> None:
    """In real time, and then silence."""
    began, place = time.monotonic(), 0
    silence = np.zeros(CHUNK, "<i2")
    while True:
        piece = sound[place : place + CHUNK] if place + CHUNK <= len(sound) else silence
        await socket.send(struct.pack("<Bd", 1, place / 16_000) + piece.tobytes())
        place += CHUNK
        await asyncio.sleep(max(0.0, began + place / 16_000 - time.monotonic()))


async def _answered(socket: ClientConnection) -> TurnTimes:
    parts: dict[str, float] = {}
    heard_until, gap = 0.0, 0.0
    async for message in socket:
        if isinstance(message, bytes):
            continue
        told = json.loads(message)
        if told["kind"] == "speech":
            now = time.monotonic()
            gap = max(gap, now - heard_until) if heard_until else gap
            heard_until = max(heard_until, now) + told["seconds"]
        elif told["kind"] == "happened" and not told.get("looking_back"):
            event = told["event"]
            if event["kind"] == "screened":
                parts["screen"] = event["alert"]["ms"]
            elif event["kind"] == "step finished":
                parts[event["record"]["step"]] = event["record"]["ms"]
        turn = told.get("turn")
        if isinstance(turn, dict) and turn["state"] == "failed":
            raise RuntimeError(f"A turn failed: {turn['error']}")
        if isinstance(turn, dict) and turn["times"]["last_sound_ms"] and turn["times"]["first_sound_ms"]:
            times = {step: turn["times"][f"{step}_ms"] for step in STEPS}
            return TurnTimes(times, parts, gap, turn["said"], turn["reply"])
    raise RuntimeError("The server closed the socket.")


def _drawn(turns: list[TurnTimes], target: Path) -> None:
    """Each turn a bar of seconds since the end of speech, quickest first: what was waited for."""
    from matplotlib.figure import Figure

    turns = sorted(turns, key=lambda turn: turn.times["first_sound"])
    until = {
        "until the words are understood": [turn.times["understood"] for turn in turns],
        "looking for danger": [turn.times["understood"] + turn.parts.get("screen", 0) for turn in turns],
        "finding the reply": [turn.times["first_word"] for turn in turns],
        "making its first sound": [turn.times["first_sound"] for turn in turns],
    }
    figure = Figure(figsize=(7, 0.2 * len(turns) + 1.2), layout="constrained")
    axes = figure.add_subplot(xlabel="seconds since the person has finished")
    before = np.zeros(len(turns))
    for (name, ends), colour in zip(until.items(), ("#1f4e79", "#c8553d", "#6b9080", "#9db8d2"), strict=True):
        ends = np.maximum(np.array(ends) / 1000, before)
        axes.barh(range(len(turns)), ends - before, left=before, height=0.75, color=colour, label=name)
        before = ends
    axes.invert_yaxis()
    axes.set_yticks([])
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.legend(frameon=False, loc="upper right")
    figure.savefig(target, dpi=120)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--turns", type=int, default=20)
    parser.add_argument("--plot", type=Path, help="a picture of where the time goes")
    options = parser.parse_args()
    print(json.dumps(measure(options.turns, options.plot), indent=2))
