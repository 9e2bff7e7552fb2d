"""How well danger is told from its look-alikes, by every recipe and through a running server, with intervals of 95 %.

    python bench/safety.py [samples/safety/held-out.csv]

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

from heartfelt.models import Scripted
from heartfelt.recipes import RECIPES
from heartfelt.records import Tier
from heartfelt.safety.detect.double import ScriptedReader
from heartfelt.safety.detect.reader import usual_reader
from heartfelt.safety.measure import Figures, Labelled, figures, read_labelled, tiers_of
from heartfelt.server.app import create_app
from heartfelt.server.house import House
from heartfelt.server.settings import ServerSettings

HELD_OUT = Path(__file__).parent.parent / "samples" / "safety" / "held-out.csv"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("messages", nargs="?", type=Path, default=HELD_OUT)
    messages = read_labelled(parser.parse_args().messages)
    show("through", "found of active and imminent", "false alarms of look-alikes", "false alarms of plain talk")
    for name in RECIPES:
        show_figures(name, figures(messages, asyncio.run(tiers_of(messages, name, usual_reader()))))
    show_figures("the server", figures(messages, through_server(messages)))
    show_figures("the rules alone", figures(messages, asyncio.run(tiers_of(messages, "direct", ScriptedReader()))))
    failing = ScriptedReader(fails=RuntimeError("gone"))
    show_figures("the reader failing", figures(messages, asyncio.run(tiers_of(messages, "direct", failing))))


def through_server(messages: list[Labelled]) -> list[Tier]:
    """Each message in a conversation of its own, as a person would send it."""
    with serving() as url, httpx.Client(base_url=url, headers={"authorization": "Bearer bench"}, timeout=60) as client:
        found: list[Tier] = []
        for message in messages:
            session = client.post("/api/sessions", json={}).raise_for_status().json()["id"]
            turn = client.post(f"/api/sessions/{session}/messages", json={"text": message.text}).json()
            alarm = turn.get("alarm")
            found.append(alarm["tier"] if alarm else "none")
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


def show_figures(name: str, found: Figures) -> None:
    show(name, str(found.found), str(found.false), str(found.plain))


def show(*cells: str) -> None:
    print(f"{cells[0]:<20}" + "".join(f"{cell:<36}" for cell in cells[1:]), flush=True)


if __name__ == "__main__":
    main()
