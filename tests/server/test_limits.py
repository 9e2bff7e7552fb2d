"""What is too large, too slow, too fast or from elsewhere is refused with a clear answer, and the server goes on."""

import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx2 as httpx
import pytest
from websockets.sync.client import connect

from .serving import Served, serving

GIB = 1024**3


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("strict"), upload_mb=1, idle_seconds=0.5) as running:
        yield running


def raw(served: Served, *pieces: bytes, wait: float = 5) -> tuple[int, dict[str, str]]:
    """Send bytes as they are; the status and the problem that come back."""
    with socket.create_connection(("127.0.0.1", urlsplit(served.url).port or 0), timeout=wait) as door:
        for piece in pieces:
            door.sendall(piece)
        answer = b""
        while chunk := door.recv(65536):
            answer += chunk
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body[body.index(b"{") : body.rindex(b"}") + 1])


def head(session: str, *, length: str) -> bytes:
    return (
        f"POST /api/sessions/{session}/recordings HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ana\r\n"
        f"Content-Type: multipart/form-data; boundary=x\r\n{length}\r\n\r\n"
    ).encode()


def test_two_gigabytes_are_refused_before_they_are_sent(strict: Served):
    status, problem = raw(strict, head(strict.session(), length=f"Content-Length: {2 * GIB}"))
    assert status == 413 and problem["code"] == "too_large" and "1 MB" in problem["message"]


def test_an_upload_without_a_length_is_refused_once_it_is_too_large(strict: Served):
    sent = 0

    def endless() -> Iterator[bytes]:
        nonlocal sent
        yield b'--x\r\nContent-Disposition: form-data; name="media"; filename="a.wav"\r\n\r\n'
        while sent < 2 * GIB:
            sent += 65536
            yield b"x" * 65536

    session = strict.session()
    with strict.client() as client:
        try:
            answer = client.post(
                f"/api/sessions/{session}/recordings",
                content=endless(),
                headers={"content-type": "multipart/form-data; boundary=x"},
            )
            assert answer.status_code == 413
        except httpx.TransportError:  # the server hangs up while the client still sends
            pass
        assert sent < 64 * 1024 * 1024
        assert client.get("/health").status_code == 200


def test_a_client_that_sends_too_slowly_is_let_go(strict: Served):
    status, problem = raw(strict, head(strict.session(), length="Content-Length: 1000"), b"--x\r\n")
    assert status == 408 and problem["code"] == "too_slow"


def test_a_wrong_content_type_is_told(strict: Served):
    session = strict.session()
    with strict.client() as client:
        as_form = client.post(f"/api/sessions/{session}/messages", content=b"hello", headers={"content-type": "text/plain"})
        as_json = client.post(f"/api/sessions/{session}/recordings", json={"text": "hello"})
    assert as_form.status_code == as_json.status_code == 422
    assert as_form.json()["message"] and "media" in as_json.json()["message"]


@pytest.mark.parametrize("body", [b"{", b"\xff\xfe", b"[" * 100_000, b'{"text": "\\ud800"}'])
def test_json_that_cannot_be_read_is_told(strict: Served, body: bytes):
    session = strict.session()
    with strict.client() as client:
        answer = client.post(f"/api/sessions/{session}/messages", content=body, headers={"content-type": "application/json"})
    assert answer.status_code in (400, 422) and answer.json()["code"] == "invalid"


def test_pages_of_other_sites_and_names_that_lead_here_by_a_trick_are_refused(strict: Served):
    with strict.client() as client:
        elsewhere = client.get("/api/sessions", headers={"origin": "https://elsewhere.example"})
        rebound = client.get("/api/sessions", headers={"host": "rebound.example"})
        own = client.get("/api/sessions", headers={"origin": strict.url})
    assert elsewhere.status_code == rebound.status_code == 403 and own.status_code == 200
    assert "access-control-allow-origin" not in elsewhere.headers
    with pytest.raises(Exception, match="403"):
        connect(strict.live.format(strict.session()), origin="https://elsewhere.example")  # type: ignore[arg-type]


def test_every_answer_has_the_headers_that_keep_a_page_safe(strict: Served):
    with strict.client() as client:
        for path in ("/health", "/api/options", "/nothing"):
            headers = client.get(path).headers
            assert "frame-ancestors 'none'" in headers["content-security-policy"]
            assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"
            assert "camera=(self)" in headers["permissions-policy"] and "access-control-allow-origin" not in headers


def test_a_caller_that_is_too_fast_is_told_when_to_go_on(tmp_path: Path):
    with serving(tmp_path, messages_a_minute=8) as served, served.client("ana") as ana, served.client("ben") as ben:
        answers = [ana.post("/api/sessions", json={}) for _ in range(4)]
        assert [answer.status_code for answer in answers] == [201, 201, 429, 429]
        assert int(answers[-1].headers["retry-after"]) >= 1 and answers[-1].json()["code"] == "too_fast"
        assert ben.post("/api/sessions", json={}).status_code == 201


def test_a_busy_server_says_so_and_when_to_come_back(tmp_path: Path):
    import threading

    from scripts import Stuck

    with serving(tmp_path, model=Stuck("perceive"), at_once=1, waiting=0, turn_seconds=1.5) as served:
        first, second = served.session("ana"), served.session("ben")
        with served.client("ana") as ana, served.client("ben") as ben:
            thread = threading.Thread(
                target=ana.post, args=(f"/api/sessions/{first}/messages",), kwargs={"json": {"text": "x"}}
            )
            thread.start()
            while served.app.state.parts.turns.queue.inside == 0:
                time.sleep(0.01)
            refused = ben.post(f"/api/sessions/{second}/messages", json={"text": "I failed."}).json()
            twice = ana.post(f"/api/sessions/{first}/messages", json={"text": "Again."})
            thread.join()
            given_up = ana.get(f"/api/sessions/{first}").json()["conversation"][0]
    assert refused["state"] == "failed" and "Try again in about" in refused["error"]
    assert twice.status_code == 409 and twice.json()["code"] == "occupied"
    assert given_up["state"] == "failed" and "took longer than" in given_up["error"]
