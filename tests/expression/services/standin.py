"""Services on localhost. The well-behaved ones are the examples of the documentation; the others break the contract."""

import io
import json
import re
import threading
import time
import wave
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np

from heartfelt.expression.video import write_video

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "own-generators.md"
RATE = 22_050


def example(kind: str) -> dict[str, Any]:
    """The names that the example server of the documentation defines."""
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.M | re.S)
    code = next(block for block in blocks if block.startswith(f'"""Example: a {kind} generator'))
    names: dict[str, Any] = {"__name__": f"example_{kind}"}
    exec(compile(code, str(PAGE), "exec"), names)
    return names


def _silent(*_: object) -> None:
    pass


@contextmanager
def serving(handler: type[BaseHTTPRequestHandler]) -> Generator[str, None, None]:
    """Serve until left; the address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), type("Quiet", (handler,), {"log_message": _silent})) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


@dataclass
class Reply:
    body: bytes = b""
    media_type: str = "application/json"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    drip: float = 0.0
    """Seconds between two bytes."""
    cut: bool = False
    """Hang up after the body although more was promised."""


@dataclass
class Asked:
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def about(**changes: Any) -> Reply:
    told = {"name": "Stand-in", "kind": "voice", "contract": 1, "emotions": ["neutral", "happy", "sad"], "licence": "MIT"}
    return Reply(json.dumps(told | changes).encode())


def fault(status: int, message: str = "", **headers: str) -> Reply:
    return Reply(json.dumps({"error": {"message": message}}).encode(), status=status, headers=headers)


@contextmanager
def scripted(replies: Mapping[str, list[Reply] | Reply], asked: list[Asked] | None = None) -> Generator[str, None, None]:
    """Each path gives its replies one after the other; the last repeats."""
    left = {path: list(given) if isinstance(given, list) else [given] for path, given in replies.items()}

    class Script(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            if asked is not None:
                asked.append(Asked(self.path, {name.lower(): value for name, value in self.headers.items()}, body))
            waiting = left.get(self.path) or [fault(404, "not here")]
            self._reply(waiting.pop(0) if len(waiting) > 1 else waiting[0])

        do_POST = do_GET

        def _reply(self, reply: Reply) -> None:
            self.send_response(reply.status)
            length = str(len(reply.body) + (1000 if reply.cut else 0))
            for name, value in {"Content-Type": reply.media_type, "Content-Length": length, **reply.headers}.items():
                self.send_header(name.replace("_", "-"), value)
            self.end_headers()
            try:
                for piece in [reply.body] if not reply.drip else [bytes([byte]) for byte in reply.body]:
                    self.wfile.write(piece)
                    self.wfile.flush()
                    time.sleep(reply.drip)
            except OSError:
                pass  # the client has left

    with serving(Script) as url:
        yield url


# ── media ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def hum(*stretches: tuple[float, float], seconds: float, rate: int = RATE) -> np.ndarray:
    """A tone in each stretch, silence between."""
    times = np.arange(round(seconds * rate)) / rate
    loud = sum(((times >= start) & (times < end) for start, end in stretches), np.zeros(len(times), bool))
    return (0.3 * np.sin(2 * np.pi * 180 * times) * loud).astype(np.float32)


def wav(samples: np.ndarray, rate: int = RATE, channels: int = 1) -> bytes:
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(channels)
        writer.setsampwidth(2)
        writer.setframerate(rate)
        writer.writeframes((np.repeat(samples, channels) * 32767).astype("<i2").tobytes())
    return file.getvalue()


def float_wav(samples: np.ndarray, rate: int = RATE) -> bytes:
    data = samples.astype("<f4").tobytes()
    form = np.array([3, 1], "<u2").tobytes() + np.array([rate, rate * 4], "<u4").tobytes() + np.array([4, 32], "<u2").tobytes()
    chunks = b"fmt " + np.uint32(16).tobytes() + form + b"data" + np.uint32(len(data)).tobytes() + data
    return b"RIFF" + np.uint32(len(chunks) + 4).tobytes() + b"WAVE" + chunks


def film(folder: Path, seconds: float, *, size: int = 64, fps: int = 25) -> bytes:
    """Moving pictures without sound."""
    frames = (np.full((size, size, 3), index * 9 % 256, np.uint8) for index in range(max(round(seconds * fps), 1)))
    path = folder / f"made-{seconds}-{size}-{fps}.mp4"
    write_video(frames, None, 24_000, path, fps=fps)
    content = path.read_bytes()
    path.unlink()
    return content
