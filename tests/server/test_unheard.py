"""Nothing that goes wrong beside a request is lost: it is told to somebody, or stands in the log in one line."""

import gc
import threading
import time
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

from scripts import SAID, Stuck

from .serving import serving


@pytest.mark.parametrize("removed", [True, False])
def test_a_session_that_is_deleted_while_it_is_answered_leaves_no_task_unheard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, removed: bool
):
    monkeypatch.setattr("heartfelt.server.turns.RENEWED", 0.01)
    answers = list[httpx.Response]()
    with serving(tmp_path, model=Stuck("perceive"), turn_seconds=0.5) as served, served.client() as ana:
        session = served.session()

        def say() -> None:
            with served.client() as same:
                answers.append(same.post(f"/api/sessions/{session}/messages", json={"text": SAID}))

        saying = threading.Thread(target=say)
        saying.start()
        while not served.app.state.parts.turns.queue.inside:
            time.sleep(0.005)
        time.sleep(0.05)
        if removed:
            assert ana.delete(f"/api/sessions/{session}").status_code == 204
        saying.join()
    gc.collect()
    assert answers[0].status_code == (404 if removed else 504)
    said = [record.getMessage() for record in caplog.records]
    assert not [record.getMessage() for record in caplog.records if record.name == "asyncio"], said
    assert removed == any("cannot be held" in each for each in said)


LONG = b"9" * 5000


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/sessions", b'{"recipe": "\\ud800"}'),
        ("/api/sessions", b'{"model": "\\ud800"}'),
        ("/api/sessions", b'{"identity": "\\ud800"}'),
        ("/api/sessions", b'{"country": "\\ud800"}'),
        ("/api/sessions", b'{"title": "\\ud800"}'),
        ("/api/sessions", b'{"title": ' + LONG + b"}"),
        ("/api/sessions", b'{"\\ud800": 1}'),
        ("/api/sessions/{id}/messages", b'{"text": ' + LONG + b"}"),
        ("/api/sessions/{id}/messages", b'{"text": -' + LONG + b"}"),
        ("/api/sessions/{id}/turns/0/replay", b'{"edits": ["forecast.emotion=\\ud800"]}'),
        ("/api/sessions/{id}/turns/0/replay", b'{"edits": ["\\ud800.emotion=x"]}'),
        ("/api/sessions/{id}/turns/0/replay", b'{"start": "\\ud800"}'),
        ("/api/sessions/{id}/turns/0/keep", b'{"number": ' + LONG + b', "reply": "x"}'),
        ("/api/sessions/{id}/turns/0/keep", b'{"number": 1, "reply": "\\ud800"}'),
        ("/api/entrance", b'{"token": ' + LONG + b"}"),
        ("/v1/chat/completions", b'{"seed": ' + LONG + b', "messages": [{"role": "user", "content": "x"}]}'),
        ("/v1/chat/completions", b'{"model": "\\ud800", "messages": [{"role": "user", "content": "x"}]}'),
        ("/v1/chat/completions", b'{"messages": [{"role": "user", "name": "\\ud800", "content": "x"}]}'),
        ("/v1/chat/completions", b'{"stop": "\\ud800", "messages": [{"role": "user", "content": "x"}]}'),
        ("/v1/chat/completions", b'{"messages": [{"role": "user", "content": "x"}], "heartfelt": {"identity": "\\ud800"}}'),
        ("/v1/chat/completions", b'{"messages": [{"role": "user", "content": "x"}], "\\ud800": 1}'),
    ],
)
def test_numbers_without_end_and_halves_of_characters_are_the_clients_fault(talked: Any, path: str, body: bytes):
    served, session = talked
    with served.client() as ana:
        path = path.replace("{id}", session)
        answer = ana.post(path, content=body, headers={"content-type": "application/json"})
    assert answer.status_code < 500, answer.text
    if answer.status_code >= 400:
        told = answer.json()
        assert (told.get("error") or told)["message"]


@pytest.mark.parametrize("number", ["9" * 5000, "-1", "1e5", "%ED%A0%80"])
def test_a_turn_of_a_number_that_none_has_is_not_there(talked: Any, number: str):
    served, session = talked
    with served.client() as ana:
        for path in ("trace", "trace.html", "speech.wav", "timeline.json"):
            answer = ana.get(f"/api/sessions/{session}/turns/{number}/{path}")
            assert 400 <= answer.status_code < 500 and answer.json()["message"]
        answer = ana.get(f"/api/sessions/{session}/turns/0/speech.wav", params={"answer": "9" * 5000})
        assert 400 <= answer.status_code < 500


@pytest.fixture(scope="module")
def talked(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with serving(tmp_path_factory.mktemp("talked")) as served, served.client() as ana:
        session = served.session()
        assert ana.post(f"/api/sessions/{session}/messages", json={"text": SAID}).status_code == 200
        yield served, session


async def test_halves_and_endless_numbers_on_a_live_socket_are_told(talked: Any):
    from .live.person import person

    served, session = talked
    async with person(served, session) as ana:
        await ana.kind("ready")
        for message in (
            '{"kind": "\\ud800"}',
            '{"kind": "say", "text": "\\ud800"}',
            '{"kind": "again", "turn": %s}' % ("9" * 5000),
        ):
            ana.told.clear()
            await ana.socket.send(message)
            assert (await ana.kind("error", 5))["message"]
        ana.told.clear()
        await ana.send(kind="again", turn=10**30)
        assert (await ana.kind("error", 5))["message"]
