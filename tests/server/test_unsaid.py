"""What a person said is in no log and in no metric, whatever goes wrong."""

import logging
import socket
from pathlib import Path

import pytest
import uvicorn

from heartfelt.errors import ModelUnavailable, UsageError
from heartfelt.models import Completion, Request, Scripted
from heartfelt.server.serving import serve
from heartfelt.server.settings import ServerSettings
from heartfelt.server.store import SessionStore
from scripts import FULL, blaming, fine, good

from .live.person import person
from .serving import serving

MARK = "qzxjvkwy"
SAID = f"My father {MARK} laughed at me."


class Quoting(Scripted):
    """Fails at one step with an error of its own that quotes what was said, as careless code does."""

    def __init__(self, step: str):
        super().__init__(FULL | {"audit": fine})
        self.step = step

    async def complete(self, request: Request) -> Completion:
        if request.purpose == self.step:
            raise ValueError(f"cannot make sense of «{SAID}»")
        return await super().complete(request)


@pytest.fixture(autouse=True)
def _everything_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    for name in ("sqlalchemy", "hpack", "httpcore2", "httpx2", "websockets.client"):  # the client's own, and what is off anyway
        logging.getLogger(name).setLevel(logging.WARNING)


async def test_a_usual_turn_leaves_nothing_in_logs_and_metrics(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
):
    with serving(tmp_path, model=good(audit=blaming("respond"))) as served:
        session = served.session(title=MARK)
        async with person(served, session) as ana:
            await ana.send(kind="begin", voice=True)
            await ana.send(kind="say", text=SAID)
            await ana.turn("answered")
        with served.client() as client:
            client.post(f"/api/sessions/{session}/messages", json={"text": SAID})
            client.post(f"/api/sessions/{session}/messages", json={"text": SAID * 5000})
            client.get(f"/api/sessions/{session}/export")
            client.delete(f"/api/sessions/{session}")
            metrics = client.get("/metrics").text
    assert 'heartfelt_turns_total{state="answered"} 2.0' in metrics
    assert MARK not in metrics + caplog.text + "".join(capfd.readouterr())


@pytest.mark.parametrize("model", [Quoting("perceive"), Quoting("respond"), good(perceive=ModelUnavailable(f"«{SAID}»"))])
def test_a_failure_is_logged_by_its_kind_and_place(
    tmp_path: Path, model: Scripted, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
):
    with serving(tmp_path, model=model) as served:
        session = served.session(pace="thorough")
        with served.client() as client:
            turn = client.post(f"/api/sessions/{session}/messages", json={"text": SAID}).json()
    assert turn["state"] == "failed"
    assert MARK not in caplog.text + "".join(capfd.readouterr())
    assert isinstance(model, Quoting) == ("ValueError" in caplog.text and "in complete" in caplog.text)


def test_so_is_one_that_no_turn_catches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
):
    def broken(*_: object) -> None:
        raise RuntimeError(f"cannot write «{SAID}»")

    monkeypatch.setattr(SessionStore, "export", broken)
    with serving(tmp_path) as served:
        session = served.session()
        with served.client() as client:
            answer = client.get(f"/api/sessions/{session}/export")
    assert answer.status_code == 500 and MARK not in answer.text
    assert "RuntimeError" in caplog.text and MARK not in caplog.text + "".join(capfd.readouterr())


def test_the_command_keeps_no_log_of_who_asked_for_what(monkeypatch: pytest.MonkeyPatch):
    made: list[uvicorn.Config] = []

    def note(config: uvicorn.Config, _up: object) -> None:
        made.append(config)
        raise UsageError("That is enough.")

    monkeypatch.setattr("heartfelt.server.serving._server", note)
    settings = ServerSettings(models=("scripted:",), voice="none", store="sqlite://")
    with socket.create_server(("127.0.0.1", 0)) as door, pytest.raises(UsageError):
        monkeypatch.setattr("heartfelt.server.serving.listen", lambda _host, _port: door)
        serve(settings, host="127.0.0.1", port=0, ready=lambda _address: None)
    assert made[0].access_log is False


def test_a_login_in_a_model_s_address_is_told_to_nobody(tmp_path: Path):
    address = "openai:http://ana:s3cret@127.0.0.1:9/v1#small"
    with serving(tmp_path, models=(address,)) as served, served.client() as client:
        told = [client.get("/api/options").text, client.post("/api/sessions", json={}).text]
        told.append(client.post("/api/sessions", json={"model": "openai:http://x:s3cret@h/v1#y"}).text)
    assert all("s3cret" not in text for text in told) and "openai:http://127.0.0.1:9/v1#small" in told[0]
