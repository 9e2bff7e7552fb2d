"""A real server on a free port, over doubles of what is slow: a scripted model, a voice that hums, ears that hear loudness."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2 as httpx
import uvicorn

from heartfelt.models import Model, Scripted
from heartfelt.records import Sensed, Word
from heartfelt.safety.detect.double import ScriptedReader
from heartfelt.senses.media import Sound
from heartfelt.senses.sense import Senses
from heartfelt.senses.voice.detect import LoudnessDetector
from heartfelt.senses.voice.sense import VoiceSense
from heartfelt.senses.voice.transcribe import ScriptedTranscriber
from heartfelt.server.app import create_app
from heartfelt.server.doors import doors
from heartfelt.server.runtime import Runtime
from heartfelt.server.settings import ServerSettings
from scripts import good
from senses.test_live import Face

_CONFIG: Any = {"log_level": "warning", "ws": "websockets-sansio", "timeout_graceful_shutdown": 3, "lifespan": "on"}
HEARD = "I failed my driving test today, and my father laughed at me."


class Ears:
    """Whatever is loud is speech, and always says the same."""

    def __init__(self) -> None:
        words = tuple(Word(start=0.1 * i, end=0.1 * i + 0.1, text=text) for i, text in enumerate(HEARD.split()))
        self.voice = VoiceSense(detector=LoudnessDetector(), transcriber=ScriptedTranscriber([words] * 99))

    def hear(self, sound: Sound) -> None:
        self.voice.hear(sound.samples, sound.start)

    def summary(self) -> tuple[Sensed, tuple[Word, ...]]:
        self.voice.finish()
        found = self.voice.summary()
        return found.sensed, found.words


def sensing(model: Model) -> Senses:
    return Senses(model=good("compact"), eyes=Face, ears=Ears)  # type: ignore[arg-type]


@dataclass
class Served:
    url: str
    app: Any
    server: uvicorn.Server

    @property
    def live(self) -> str:
        return self.url.replace("http", "ws") + "/api/sessions/{}/live"

    @property
    def port(self) -> int:
        return int(self.url.rsplit(":", 1)[1])

    def client(self, who: str = "ana") -> httpx.Client:
        return httpx.Client(base_url=self.url, headers={"authorization": f"Bearer {who}"}, timeout=20)

    def session(self, who: str = "ana", **wish: Any) -> str:
        with self.client(who) as client:
            made = client.post("/api/sessions", json=wish)
        assert made.status_code == 201, made.text
        return made.json()["id"]

    def conversation(self, session: str, who: str = "ana") -> list[dict[str, Any]]:
        with self.client(who) as client:
            return client.get(f"/api/sessions/{session}").json()["conversation"]


@contextmanager
def serving(
    folder: Path,
    *,
    model: Scripted | None = None,
    reader: ScriptedReader | None = None,
    sensing: Callable[[Model], Senses] = sensing,
    port: int = 0,
    connections: int = 10_000,
    head_seconds: float = 10.0,
    **settings: Any,
) -> Iterator[Served]:
    """Until the block ends; then it is shut down gracefully."""
    given = {"models": ("scripted:",), "voice": "hum:", "memory": "none", "store": f"sqlite:///{folder / 'sessions.db'}"}
    own = ServerSettings(**{**given, "messages_a_minute": 10_000, **settings})
    scripted, reading = model or good(), reader or ScriptedReader()

    def runtime(settings: ServerSettings) -> Runtime:
        return Runtime(settings, opening=lambda _address: scripted, senses=sensing, reader=lambda _address: reading)

    app = create_app(own, runtime=runtime)
    door = socket.create_server(("127.0.0.1", port))
    config = uvicorn.Config(app, http=doors(connections, head_seconds), **_CONFIG)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [door]})
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive(), "the server did not start"
            time.sleep(0.01)
        yield Served(f"http://127.0.0.1:{door.getsockname()[1]}", app, server)
    finally:
        server.should_exit = True
        thread.join(15)
        door.close()
