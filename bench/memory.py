"""What a served process holds in memory with everything warm: senses, voice, language models, readers of danger, a face.

Part of `make bench`, in processes of its own; alone: `python bench/memory.py [--workers 2]`. A real server is started and
talked with: once by camera and microphone, once in words that make the large reader of danger read, and until it has looked
back. Then the system tells what is resident: by file where it is mapped, in one sum where it is not. What each network took
when it was opened is noted in the server itself, one after the other.
"""

import argparse
import asyncio
import io
import json
import os
import struct
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from functools import wraps
from pathlib import Path
from typing import Any

MB = 1e6
NOTES = "HEARTFELT_BENCH_NOTES"
"""Names the file in which a server notes what it opened."""
SHOWN = 12
"""Mapped files that are named; the others are added up."""
FRAMES = 5
"""Pictures a second."""
UNEASY = "I can't do this any more. I don't want to be here."
RESIDENT = "resident memory of a server with everything warm, MB"
TARGETS: dict[str, Callable[[float], bool]] = {RESIDENT: lambda mb: mb <= 2500}


def measure(workers: int = 1, *options: str) -> dict[str, Any]:
    """`options` of `heartfelt serve`, beside the usual."""
    from server import served

    with tempfile.TemporaryDirectory() as folder, ExitStack() as running:
        os.environ[NOTES] = str(Path(folder) / "notes.jsonl")
        processes: list[int] = []
        for number in range(workers):
            own = Path(folder) / str(number)
            own.mkdir()
            url, process = running.enter_context(served(str(own), *options, program=(__file__,)))
            asyncio.run(_talked_with(url))
            processes.append(process)
        found = _told(processes[0], Path(os.environ[NOTES]))
        if workers > 1:
            found["all workers together (PSS), MB"] = round(sum(_smaps(process)[1] for process in processes))
    return found


# ── being talked with ───────────────────────────────────────────────────────────────────────────────────────────────


async def _talked_with(url: str) -> None:
    import httpx2 as httpx
    from websockets.asyncio.client import connect

    from server import CHUNK, _speech

    headers = {"authorization": "Bearer me"}
    async with httpx.AsyncClient(base_url=url, headers=headers, timeout=300) as client:
        session = (await client.post("/api/sessions", json={})).raise_for_status().json()["id"]
        for file in ("picture.jpg", "avatar.bin"):
            (await client.get(f"/api/identities/maya/{file}")).raise_for_status()
        live, speech, pictures = f"{url.replace('http', 'ws')}api/sessions/{session}/live", _speech(), _pictures()
        async with connect(live, additional_headers=headers, max_size=None, compression=None) as socket:

            async def speak() -> None:
                began = time.monotonic()
                for place in range(0, len(speech) - CHUNK, CHUNK):
                    at = place / 16_000
                    await socket.send(struct.pack("<Bd", 1, at) + speech[place : place + CHUNK].tobytes())
                    if place % (16_000 // FRAMES) < CHUNK and pictures:
                        await socket.send(struct.pack("<Bd", 2, at) + pictures.pop(0))
                    await asyncio.sleep(max(0.0, began + at + CHUNK / 16_000 - time.monotonic()))

            await socket.send(json.dumps({"kind": "begin", "microphone": True, "tone": True, "camera": True, "voice": True}))
            speaking = asyncio.create_task(speak())
            async with asyncio.timeout(300):
                async for message in socket:
                    told = json.loads(message) if isinstance(message, str) else {}
                    if told.get("kind") == "turn" and told["turn"]["times"]["last_sound_ms"]:
                        break
            speaking.cancel()
        (await client.post(f"/api/sessions/{session}/messages", json={"text": UNEASY})).raise_for_status()
        (await client.post(f"/api/sessions/{session}/messages", json={"text": "I failed my exam."})).raise_for_status()
        await _looked_back(client, session)


async def _looked_back(client: Any, session: str) -> None:
    """The audit after a quick turn uses the models too. After a reviewed reply there is none."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        turns = (await client.get(f"/api/sessions/{session}")).json()["conversation"]
        if turns[-1]["afterthought"] or turns[-1]["alarm"]:
            return
        await asyncio.sleep(1)


def _pictures() -> list[bytes]:
    """The sample's, as a browser sends them."""
    from PIL import Image

    from heartfelt.senses.media import open_media
    from server import TALK

    found: list[bytes] = []
    for picture in open_media(TALK).frames(rate=FRAMES):
        file = io.BytesIO()
        Image.fromarray(picture.pixels).save(file, "JPEG", quality=80)
        found.append(file.getvalue())
        if len(found) == 8 * FRAMES:
            break
    return found


# ── what the system tells ───────────────────────────────────────────────────────────────────────────────────────────


def _told(pid: int, notes: Path) -> dict[str, Any]:
    resident, proportional, mapped = _smaps(pid)
    files = {name: mb for name, mb in mapped.items() if name.startswith("/")}
    top = dict(Counter({Path(name).name: mb for name, mb in files.items()}).most_common(SHOWN))
    opened = [json.loads(line) for line in notes.read_text().splitlines()]
    return {
        RESIDENT: round(resident),
        "of it proportional (PSS), MB": round(proportional),
        "at its highest, MB": round(_status(pid, "VmHWM")),
        "in no file (anonymous), MB": round(resident - sum(files.values())),
        "in mapped files, MB": round(sum(files.values())),
        "mapped files that hold most, MB": {name: round(mb) for name, mb in top.items()},
        "networks that were opened: MB on disk, MB that the process grew": {
            f"{number}. {each['file']}": [round(each["disk"] / MB), round(each["grown"] / MB)]
            for number, each in enumerate((each for each in opened if each["pid"] == pid), 1)
        },
        "before the first of them, MB": round(min(each["before"] for each in opened if each["pid"] == pid) / MB),
    }


def _smaps(pid: int) -> tuple[float, float, dict[str, float]]:
    """Megabytes: resident, proportional, and resident by the name of the mapping."""
    resident = proportional = 0.0
    mapped: Counter[str] = Counter()
    name = ""
    for line in Path(f"/proc/{pid}/smaps").read_text().splitlines():
        first, *rest = line.split()
        if not first.endswith(":"):
            name = rest[4] if len(rest) > 4 else "anonymous"
        elif first == "Rss:":
            resident += int(rest[0]) * 1024 / MB
            mapped[name] += int(rest[0]) * 1024 / MB  # type: ignore[assignment]
        elif first == "Pss:":
            proportional += int(rest[0]) * 1024 / MB
    return resident, proportional, dict(mapped)


def _status(pid: int | str, key: str) -> float:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 / MB for line in lines if line.startswith(f"{key}:"))


# ── inside the server ───────────────────────────────────────────────────────────────────────────────────────────────


def _serve() -> None:
    """The server as it is, but that whatever opens a network notes what that took."""
    from heartfelt.weights import session

    session.open_session = _noting(session.open_session, at=0)
    from heartfelt.cli import main
    from heartfelt.models.embedded.engine import Engine

    Engine.__init__ = _noting(Engine.__init__, at=2)
    main()


_ALONE = threading.RLock()


def _noting(open_network: Callable[..., Any], *, at: int) -> Callable[..., Any]:
    """`at`: which argument is the file. One at a time, so that what grows is known."""

    @wraps(open_network)
    def noted(*given: Any, **named: Any) -> Any:
        with _ALONE:
            before = _status("self", "VmRSS") * MB
            made = open_network(*given, **named)
            grown = _status("self", "VmRSS") * MB - before
        path = Path(given[at])
        disk = sum(file.stat().st_size for file in (path, Path(f"{path}.data")) if file.exists())
        note = {"pid": os.getpid(), "file": path.name, "disk": disk, "before": before, "grown": grown}
        with Path(os.environ[NOTES]).open("a") as file:
            file.write(json.dumps(note) + "\n")
        return made

    return noted


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        _serve()
    else:
        parser = argparse.ArgumentParser()
        parser.add_argument("--workers", type=int, default=1)
        print(json.dumps(measure(parser.parse_args().workers), indent=2, ensure_ascii=False))
