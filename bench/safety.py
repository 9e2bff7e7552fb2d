"""How well danger is told from its look-alikes, by every recipe and through a running server, and how often ordinary talk is
disturbed, with intervals of 95 %.

    python bench/safety.py [samples/safety/held-out.csv] [--talks samples/safety/ordinary.jsonl]

The real detectors look; the language model is mute, since nothing that it could say changes what is found.
"""

import argparse
import asyncio
import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2 as httpx
import uvicorn

from heartfelt.evaluation.screening import Labelled, ScreenFigures, alerts_of, disturbed, figures, read_labelled, read_talks
from heartfelt.models import Scripted
from heartfelt.recipes import RECIPES
from heartfelt.records import Alert
from heartfelt.safety.detect.double import ScriptedReader
from heartfelt.safety.detect.reader import usual_reader
from heartfelt.server.app import create_app
from heartfelt.server.runtime import House
from heartfelt.server.settings import ServerSettings

HELD_OUT = Path(__file__).parent.parent / "samples" / "safety" / "held-out.csv"
ORDINARY = HELD_OUT.with_name("ordinary.jsonl")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("messages", nargs="?", type=Path, default=HELD_OUT)
    parser.add_argument("--talks", type=Path, default=ORDINARY)
    given = parser.parse_args()
    messages = read_labelled(given.messages)
    show("through", "found of active and imminent", "false alarms of look-alikes", "false alarms of plain talk")
    for name in RECIPES:
        show_figures(name, figures(messages, asyncio.run(alerts_of(messages, name, usual_reader()))))
    alone = [message for message in messages if not message.asked]
    show_figures("the server (messages that stand alone)", figures(alone, through_server(alone)))
    show_figures("the rules alone", figures(messages, asyncio.run(alerts_of(messages, "direct", ScriptedReader()))))
    failing = ScriptedReader(fails=RuntimeError("gone"))
    show_figures("the reader failing", figures(messages, asyncio.run(alerts_of(messages, "direct", failing))))
    for name, reader in (("ordinary talk", usual_reader()), ("ordinary talk, the reader failing", failing)):
        found = asyncio.run(disturbed(read_talks(given.talks), reader, lambda _talk, _alert: None))
        print(f"{name}: messages with an alarm {found.alarmed}, answered by a reviewed text {found.asked}, talks {found.talks}")


def through_server(messages: list[Labelled]) -> list[Alert]:
    """Each message in a conversation of its own, as a person would send it."""
    with serving() as url, httpx.Client(base_url=url, headers={"authorization": "Bearer bench"}, timeout=60) as client:
        found: list[Alert] = []
        for message in messages:
            session = client.post("/api/sessions", json={}).raise_for_status().json()["id"]
            turn = client.post(f"/api/sessions/{session}/messages", json={"text": message.text}).json()
            alarm = turn.get("alarm")
            found.append(Alert(tier=alarm["tier"] if alarm else "none"))
        return found


@contextmanager
def serving() -> Iterator[str]:
    """A real server with the real reader and a mute model, until the block ends."""
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as door:
        settings = ServerSettings(
            models=("scripted:",),
            voice="hum:",
            memory="none",
            store=f"sqlite:///{folder}/sessions.db",
            messages_a_minute=100_000,
        )
        app = create_app(settings, house=lambda given: House(given, opening=lambda _address: Scripted({})))
        server = uvicorn.Server(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=3))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [door]})
        thread.start()
        try:
            while not server.started:
                time.sleep(0.05)
            yield f"http://127.0.0.1:{door.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


def show_figures(name: str, found: ScreenFigures) -> None:
    show(name, str(found.found), str(found.false), str(found.plain))


def show(*cells: str) -> None:
    print(f"{cells[0]:<20}" + "".join(f"{cell:<36}" for cell in cells[1:]), flush=True)


if __name__ == "__main__":
    main()
