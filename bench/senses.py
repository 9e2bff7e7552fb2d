"""How fast the senses are, on a drawn face and a made-up voice: the face path, live sound, and a clip beside its length.

Part of `make bench`; alone: `python bench/senses.py`, which needs no language model.
"""

import asyncio
import itertools
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))  # the makers of faces, voices and films stand with the tests

from tests.senses.face.drawing import drawn
from tests.senses.media.studio import Film, Voice, every
from tests.senses.voice.sounds import contour, joined, sentence, silence

from heartfelt.errors import HeartfeltError
from heartfelt.models import Scripted
from heartfelt.models.seam import Model
from heartfelt.senses.default import usual_senses
from heartfelt.senses.live import FaceSeen, Live, Spoken, VoiceActivity
from heartfelt.senses.media import Picture, Sound, open_media
from heartfelt.senses.media.pieces import SAMPLE_RATE, Samples
from heartfelt.senses.voice.segments import Pacing

SAID = "I studied for it all summer. The results came this morning and I failed by two points. I don't know how to tell them."
"""What a person says in ten seconds, for the model to read: the made-up voice has no words."""
CHUNK = 1024
"""Samples that come at once: 64 ms."""
SECONDS = 10.0
CAMERA = 15.0
"""Frames a second that come."""
WARMED = 20.0
"""When the timed part of a live session begins, on its own clock."""

TARGETS: dict[str, Callable[[float], bool]] = {
    "face, frames a second at 640 pixels": lambda rate: rate >= 12,
    "face, live readings a second on one core": lambda rate: rate >= 10,
    "live, readings a second beside sound in real time": lambda rate: rate >= 10,
    "live, from the chunk to its end of speech, largest ms": lambda ms: ms <= 300,
    "a clip of 10 s through all senses / its length": lambda ratio: ratio <= 1.5,
}


async def measure(model: Model | None) -> dict[str, Any]:
    """All of it, or why it could not be had. Without a model the clip's words are not read, and so it is not timed."""
    try:
        return await _measured(model)
    except HeartfeltError as error:
        return {"senses": f"not measured: {error}"}


async def _measured(model: Model | None) -> dict[str, Any]:
    with _one_core() as pinned:
        alone = await _readings_a_second()
    timed = await _in_real_time()
    frames, core = _frames_a_second()
    result: dict[str, Any] = {
        "face, frames a second at 640 pixels": round(frames, 1),
        "face, milliseconds of one core a frame": round(core, 1),
        f"face, live readings a second on one {'core' if pinned else 'thread'}": round(alone, 1),
        "live, readings a second beside sound in real time": round(timed.faces / timed.seconds, 1),
        "live, cores that it takes": round(timed.worked / timed.seconds, 2),
        "live, a chunk of 64 ms heard, median ms": round(statistics.median(timed.chunks), 1),
        "live, a chunk of 64 ms heard, p95 ms": round(_p95(timed.chunks), 1),
        "live, from the chunk to its end of speech, median ms": round(statistics.median(timed.ends), 1),
        "live, from the chunk to its end of speech, largest ms": round(max(timed.ends), 1),
        "live, from the chunk to its words, median ms": round(statistics.median(timed.words), 1),
        "live, silence that ends a stretch, ms": round(Pacing().silence * 1000),
    }
    if model is not None:
        result["a clip of 10 s through all senses / its length"] = round(await _clip(model), 2)
    return result


def _frames_a_second(count: int = 60) -> tuple[float, float]:
    """The whole face path on frames in which the face moves; and the milliseconds of one core that each takes."""
    eyes = usual_senses(Scripted({})).eyes()
    frames = _moving(count + 1)
    eyes.see(frames[0])
    began, worked = time.perf_counter(), time.process_time()
    for picture in frames[1:]:
        eyes.see(picture)
    return count / (time.perf_counter() - began), (time.process_time() - worked) / count * 1000


async def _readings_a_second(count: int = 60) -> float:
    """Frames come faster than they can be looked at; the newest wins, and what is read is counted."""
    frames = _moving(count * 4)
    async with Live(usual_senses(Scripted({})), rate=1000) as live:
        await live.frame(frames[0])
        await live.settled()
        began = time.perf_counter()
        given = asyncio.create_task(_give(live, frames[1:]))
        read = 0
        try:
            async for event in live:
                read += isinstance(event, FaceSeen) and event.time > 0
                if read == count:
                    break
        finally:
            given.cancel()
        return count / (time.perf_counter() - began)


async def _give(live: Live, frames: list[Picture]) -> None:
    for number in itertools.count():
        picture = frames[number % len(frames)]
        await live.frame(Picture((number + 1) / 200, picture.pixels))
        await asyncio.sleep(1 / 200)


@dataclass
class Timed:
    """Milliseconds since the chunk was due: until it was heard, until an end of speech in it was told, until its words were."""

    chunks: list[float] = field(default_factory=list[float])
    ends: list[float] = field(default_factory=list[float])
    words: list[float] = field(default_factory=list[float])
    faces: int = 0
    seconds: float = 0.0
    worked: float = 0.0
    """Seconds of a core."""
    due: float = 0.0

    def since_due(self) -> float:
        return (time.perf_counter() - self.due) * 1000


async def _in_real_time() -> Timed:
    """Sound and frames at their own pace, from when each was due: a chunk that waits behind a transcript counts as late."""
    sound, frames, timed = _speech(), _moving(round(SECONDS * CAMERA)), Timed()
    async with Live(usual_senses(Scripted({}))) as live:
        await _warm(live)
        zero, worked = time.perf_counter(), time.process_time()
        reading = asyncio.create_task(_read(live, timed))
        try:
            await asyncio.gather(_speak(live, sound, zero, timed), _show(live, frames, zero))
        finally:
            reading.cancel()
        timed.seconds, timed.worked = time.perf_counter() - zero, time.process_time() - worked
    return timed


async def _read(live: Live, timed: Timed) -> None:
    """What belongs to the warming up is read away."""
    async for event in live:
        if isinstance(event, FaceSeen) and event.time >= WARMED:
            timed.faces += 1
        elif isinstance(event, VoiceActivity) and event.time >= WARMED and not event.speaking:
            timed.ends.append(timed.since_due())
        elif isinstance(event, Spoken) and event.heard.start >= WARMED:
            timed.words.append(timed.since_due())


async def _speak(live: Live, sound: Samples, zero: float, timed: Timed) -> None:
    for at in range(0, len(sound), CHUNK):
        timed.due = zero + (at + CHUNK) / SAMPLE_RATE
        await asyncio.sleep(max(0.0, timed.due - time.perf_counter()))
        await live.chunk(Sound(WARMED + at / SAMPLE_RATE, sound[at : at + CHUNK]))
        while live.load.behind:  # noqa: ASYNC110 - a thread makes it 0
            await asyncio.sleep(0.001)
        timed.chunks.append(timed.since_due())


async def _show(live: Live, frames: list[Picture], zero: float) -> None:
    for picture in frames:
        await asyncio.sleep(max(0.0, zero + picture.time - time.perf_counter()))
        await live.frame(Picture(WARMED + picture.time, picture.pixels))


async def _warm(live: Live) -> None:
    """The first pieces load the weights."""
    await live.frame(Picture(0.0, _moving(1)[0].pixels))
    for at in range(0, 4 * SAMPLE_RATE, CHUNK):
        await live.chunk(Sound(at / SAMPLE_RATE, _speech()[at : at + CHUNK]))
    await live.settled()


async def _clip(model: Model) -> float:
    """Warm: the first of two is not timed."""
    senses = usual_senses(model)
    with tempfile.TemporaryDirectory() as folder:
        pictures = _moving(round(SECONDS * CAMERA))
        spoken = Voice((_speech() * 32767).astype(np.int16))
        film = Film(times=every(1 / CAMERA, SECONDS), draw=lambda place: pictures[place].pixels, voices=[spoken])
        media = open_media(film.save(Path(folder) / "clip.mkv"))
        await senses.sense(media, text=SAID)
        began = time.perf_counter()
        await senses.sense(media, text=SAID)
        return (time.perf_counter() - began) / SECONDS


def _moving(count: int) -> list[Picture]:
    """One face at 640 × 480 that goes to and fro, and smiles for half of the time."""
    rest, smile = drawn(x=300), drawn(x=300, smile=1.0)
    return [
        Picture(number / CAMERA, np.roll(smile if number // 30 % 2 else rest, round(20 * np.sin(number / 8)), axis=1))
        for number in range(count)
    ]


def _speech() -> Samples:
    """Ten seconds: four sentences of speech-like sound, with silences between them."""
    said = sentence(contour(140, 190, 120, seconds=1.6))
    return joined(*(part for _ in range(4) for part in (silence(0.3), said, silence(0.6))))


@contextmanager
def _one_core() -> Generator[bool]:
    """Threads that begin within stay on one core, where the system can do that."""
    if not hasattr(os, "sched_setaffinity"):
        yield False
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield True
    finally:
        os.sched_setaffinity(0, before)


def _p95(values: list[float]) -> float:
    return float(np.percentile(values, 95))


if __name__ == "__main__":
    for name, value in asyncio.run(measure(None)).items():
        mark = "" if name not in TARGETS else "  ✓" if TARGETS[name](value) else "  ✗ misses its target"
        print(f"{name:60} {value}{mark}")
