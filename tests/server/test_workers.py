"""Two workers on one Postgres: whoever is asked, a session is one, and what holds for a caller holds on both."""

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from heartfelt.models import Completion, Request, Scripted
from heartfelt.server import tokens
from scripts import FULL, REPLY, fine

from .serving import Served, serving
from .store.conftest import Fresh, cluster, fresh_postgres
from .test_killed import started

__all__ = ["cluster", "fresh_postgres"]
pytestmark = pytest.mark.xdist_group("postgres")


class Slow(Scripted):
    """Answers once it is let."""

    def __init__(self) -> None:
        super().__init__(FULL | {"audit": fine})
        self.let = threading.Event()

    async def complete(self, request: Request) -> Completion:
        await asyncio.to_thread(self.let.wait, 60)
        return await super().complete(request)


LONG = "She said" + ' "No."' * 1500
"""More than one notice of Postgres holds, and each quotation mark takes two bytes of it."""
SAID = "I failed my driving test today, and my father laughed at me."


@contextmanager
def two(folder: Path, url: str, **settings: Any) -> Iterator[tuple[Served, Served]]:
    with serving(folder, store=url, **settings) as first, serving(folder, store=url, **settings) as second:
        for each in (first, second):
            assert each.app.state.parts.hub.bus.listening.wait(10)
        yield first, second


@contextmanager
def joined(served: Served, session: str, who: str = "ana") -> Iterator[ClientConnection]:
    with connect(served.live.format(session), additional_headers={"authorization": f"Bearer {who}"}) as socket:
        assert _next(socket, "ready")
        socket.send(json.dumps({"kind": "begin", "voice": False}))
        yield socket


def _next(socket: ClientConnection, kind: str, **wanted: Any) -> dict[str, Any]:
    """The next message of that kind whose turn is as it is wanted."""
    while True:
        message = json.loads(socket.recv(timeout=20, decode=True))
        if message["kind"] == kind and wanted.items() <= message.get("turn", {}).items():
            return message


def test_who_listens_on_one_hears_a_turn_on_the_other(tmp_path: Path, fresh_postgres: Fresh):
    with two(tmp_path, fresh_postgres()) as (first, second):
        session = first.session()
        with joined(second, session) as socket, first.client() as client:
            client.post(f"/api/sessions/{session}/messages", json={"text": LONG})
            told = _next(socket, "turn", state="answered")
            assert told["turn"]["said"] == LONG and told["turn"]["reply"] == REPLY


def test_nothing_of_a_session_that_is_not_kept_leaves_its_worker(tmp_path: Path, fresh_postgres: Fresh):
    with two(tmp_path, fresh_postgres()) as (first, second):
        heard = list[str]()
        second.app.state.parts.hub.bus._hear = lambda session, _message: heard.append(session)
        kept, fleeting = first.session(), first.session(kept=False)
        with first.client() as client:
            for session in (fleeting, kept):
                client.post(f"/api/sessions/{session}/messages", json={"text": SAID})
        for _ in range(200):
            if heard:
                break
            time.sleep(0.05)
        assert set(heard) == {kept}


def test_of_two_that_are_asked_at_once_one_answers(tmp_path: Path, fresh_postgres: Fresh):
    """What is typed on a live socket of the other waits for that answer; what comes as a request is refused and not kept."""
    url, slow = fresh_postgres(), Slow()
    with serving(tmp_path, store=url, model=slow) as first, serving(tmp_path, store=url) as second:
        session = first.session()
        with joined(first, session) as here, joined(second, session) as there, second.client() as client:
            here.send(json.dumps({"kind": "say", "text": SAID, "id": "one"}))
            _next(there, "turn", state="answering")
            refused = client.post(f"/api/sessions/{session}/messages", json={"text": "Me too."})
            assert (refused.status_code, refused.json()["code"]) == (409, "occupied")
            there.send(json.dumps({"kind": "say", "text": "And again.", "id": "two"}))
            assert _next(there, "turn", number=1)["turn"]["state"] == "waiting"
            slow.let.set()
            assert _next(there, "turn", number=1, state="answered")
        both = first.conversation(session)
        assert [turn["said"] for turn in both] == [SAID, "And again."]
        assert [turn["state"] for turn in both] == ["answered", "answered"]


def test_a_caller_has_one_pace_on_both(tmp_path: Path, fresh_postgres: Fresh):
    with two(tmp_path, fresh_postgres(), messages_a_minute=12) as (first, second):
        answers = [_asked(each, "ana") for each in (first, second, first, second)]
        assert answers == [201, 201, 201, 429], "a quarter of them at once, wherever they are asked"
        assert _asked(second, "ben") == 201


def test_a_caller_has_so_many_sockets_on_both(tmp_path: Path, fresh_postgres: Fresh):
    with two(tmp_path, fresh_postgres(), live_each=2) as (first, second):
        session = first.session()
        with joined(first, session), joined(second, session):
            for each in (first, second):
                assert _turned_away(each, session).startswith("You are connected too often")
            with joined(second, second.session("ben"), "ben"):
                pass
        for each in (first, second):
            with joined(each, session):
                pass


def test_a_token_that_is_removed_is_out_on_both(tmp_path: Path, fresh_postgres: Fresh):
    file = tmp_path / "tokens.toml"
    token = tokens.add(file, "ana")
    with two(tmp_path, fresh_postgres(), tokens=str(file)) as (first, second):
        session = first.session(token)
        with joined(first, session, token) as here, joined(second, session, token) as there:
            tokens.remove(file, "ana")
            for socket in (here, there):
                with pytest.raises(ConnectionClosed) as closed:
                    socket.recv(timeout=20)
                assert closed.value.rcvd is not None and closed.value.rcvd.code == 4401
        for each in (first, second):
            assert _asked(each, token) == 401


def test_a_session_goes_on_on_the_other_after_its_worker_was_killed(tmp_path: Path, fresh_postgres: Fresh):
    url = fresh_postgres()
    with serving(tmp_path, store=url) as other, started(tmp_path, "plan", store=url) as (process, killed):
        session = other.session()
        with joined(other, session) as socket:
            asking = threading.Thread(target=_ask, args=(killed, session))
            asking.start()
            _next(socket, "turn", state="answering")
            process.kill()
            process.wait()
            asking.join()
            for _ in range(200):  # until its lease has run out
                if other.conversation(session)[0]["state"] == "unfinished":
                    break
                time.sleep(0.1)
            socket.send(json.dumps({"kind": "again", "turn": 0}))
            assert _next(socket, "turn", state="answered")["turn"]["reply"] == REPLY
        assert len(other.conversation(session)) == 1


def _asked(served: Served, who: str) -> int:
    with served.client(who) as client:
        return client.post("/api/sessions", json={}).status_code


def _ask(url: str, session: str) -> None:
    headers = {"authorization": "Bearer ana"}
    with httpx.Client(base_url=url, headers=headers, timeout=60) as client, pytest.raises(httpx.HTTPError):
        client.post(f"/api/sessions/{session}/messages", json={"text": SAID})


def _turned_away(served: Served, session: str) -> str:
    with (
        connect(served.live.format(session), additional_headers={"authorization": "Bearer ana"}) as socket,
        pytest.raises(ConnectionClosed) as closed,
    ):
        socket.recv(timeout=20)
    assert closed.value.rcvd is not None
    return closed.value.rcvd.reason
