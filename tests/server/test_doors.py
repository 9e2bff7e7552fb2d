"""Connections and bytes: who is silent, slow or too many makes room, and others come in."""

import asyncio
import socket
import threading
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import httpx2 as httpx

from .live.person import person
from .serving import Served, serving

MB = 1024 * 1024


@contextmanager
def connected(served: Served, *, said: bytes = b"") -> Generator[socket.socket]:
    with socket.create_connection(("127.0.0.1", urlsplit(served.url).port or 0), timeout=10) as door:
        door.sendall(said)
        yield door


def answer(door: socket.socket) -> bytes:
    """All that comes until the server hangs up, which it may do before it has read all."""
    told = b""
    with suppress(ConnectionResetError):
        while piece := door.recv(65536):
            told += piece
    return told


async def test_who_says_nothing_or_half_a_head_or_a_byte_now_and_then_is_sent_away(tmp_path: Path):
    with serving(tmp_path, head_seconds=0.3) as served, ExitStack() as open_:
        silent = open_.enter_context(connected(served))
        half = open_.enter_context(connected(served, said=b"GET /health HTTP/1.1\r\nHost: localhost\r\nX: "))
        slow = open_.enter_context(connected(served, said=b"G"))
        dripping = threading.Thread(target=drip, args=(slow,))
        dripping.start()
        assert [answer(door)[:12] for door in (silent, half, slow)] == [b"HTTP/1.1 408"] * 3
        dripping.join()
        with served.client() as ana:
            assert ana.get("/health").status_code == 200
        async with person(served, served.session()) as talking:
            await talking.kind("ready")
            await asyncio.sleep(0.4)  # longer than a head may take: a live socket may be silent
            await talking.send(kind="ping", sent=1)
            await talking.kind("pong", 5)


def drip(door: socket.socket) -> None:
    for _ in range(200):
        try:
            door.sendall(b"x")
        except OSError:
            return
        time.sleep(0.02)


def test_a_second_request_that_never_ends_its_head_is_sent_away_too(tmp_path: Path):
    whole = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with serving(tmp_path, head_seconds=0.2) as served, connected(served, said=whole + whole[:20]) as door:
        told = answer(door)
    assert told.startswith(b"HTTP/1.1 200") and b"HTTP/1.1 408" in told


def test_who_was_silent_longest_makes_room_for_whoever_comes(tmp_path: Path):
    with serving(tmp_path, connections=5) as served, ExitStack() as open_:
        doors = [open_.enter_context(connected(served)) for _ in range(40)]
        with served.client("ben") as ben:
            assert ben.get("/health").status_code == 200
        assert answer(doors[0]).startswith(b"HTTP/1.1 408")


def head(session: str, who: str, length: int) -> bytes:
    return (
        f"POST /api/sessions/{session}/recordings HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {who}\r\n"
        f"Content-Type: multipart/form-data; boundary=x\r\nContent-Length: {length}\r\n\r\n"
        '--x\r\nContent-Disposition: form-data; name="media"; filename="a.wav"\r\n\r\n'
    ).encode()


def test_what_is_sent_at_once_has_a_bound_in_all_and_for_each_and_small_messages_pass(tmp_path: Path):
    with serving(tmp_path, held_mb=4, upload_mb=4, idle_seconds=3) as served, ExitStack() as open_:
        held = served.app.state.bodies

        def send(who: str, size: int) -> socket.socket:
            before, wanted = held.held, size
            door = open_.enter_context(connected(served, said=head("x", who, 4 * MB) + b"x" * size))
            end = time.monotonic() + 2
            while held.held < before + wanted and time.monotonic() < end and not ready(door):
                time.sleep(0.005)
            return door

        send("ana", 3 * MB // 2)
        assert answer(send("ana", MB)).startswith(b"HTTP/1.1 429")
        send("cem", 3 * MB // 2)
        refused = answer(send("dee", 3 * MB // 2))
        assert refused.startswith(b"HTTP/1.1 503") and b"retry-after: 5" in refused
        with served.client("ben") as ben:
            session = ben.post("/api/sessions", json={}).json()["id"]
            assert ben.post(f"/api/sessions/{session}/messages", json={"text": "I failed."}).status_code == 200
        open_.close()
        end = time.monotonic() + 5
        while held.held and time.monotonic() < end:
            time.sleep(0.01)
        assert not held.held


def ready(door: socket.socket) -> bool:
    """Whether an answer is there."""
    door.setblocking(False)
    try:
        return bool(door.recv(1, socket.MSG_PEEK))
    except BlockingIOError:
        return False
    finally:
        door.settimeout(10)


def test_a_request_that_is_no_form_is_smaller(tmp_path: Path):
    with serving(tmp_path) as served, served.client() as ana:
        try:
            refused = ana.post("/v1/chat/completions", content=b"[" * (17 * MB), headers={"content-type": "application/json"})
        except httpx.TransportError:  # the server hangs up while the client still sends
            return
    assert refused.status_code == 413 and "at most 16 MB" in refused.json()["error"]["message"]


def test_long_requests_are_counted_before_they_are_read_and_leave_others_theirs(tmp_path: Path):
    with serving(tmp_path) as served:

        def ask(who: str) -> int:
            with served.client(who) as client:
                sent = b"[" + b" " * (3 * MB // 2)
                return client.post(
                    "/v1/chat/completions", content=sent, headers={"content-type": "application/json"}
                ).status_code

        assert [ask("ana") for _ in range(7)] == [400] * 5 + [429] * 2
        assert ask("ben") == 400
