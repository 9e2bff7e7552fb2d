"""A key is used and never told: not in traces, pages, notices, errors, logs, telemetry, nor in what `--json` prints."""

import asyncio
import base64
import io
import json
import logging
import socket
import threading
import traceback
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from heartfelt import Ablation, Setup, Trace
from heartfelt.cli import app
from heartfelt.errors import HeartfeltError, InputError, UsageError
from heartfelt.evaluation.experiments.experiment import Experiment
from heartfelt.listener import Listener
from heartfelt.models import open_model
from heartfelt.models.addresses import refuse_login, shown
from heartfelt.models.openai import OpenAIModel
from heartfelt.models.retry import Retry
from heartfelt.models.seam import Message, Request
from heartfelt.safety.settings import Safety
from scripts import DIALOGUE, Shelf, good

KEY, PASSWORD, OPTION = "sk-canary-5e1d0c", "canary-pass-77ab", "canary-option-913f"
SECRETS = (KEY, PASSWORD, OPTION)
SAID = "I am sorry to hear that. It must hurt."
REQUEST = Request(purpose="x", messages=(Message(role="user", text="Hello."),), timeout=20)


class Server(ThreadingHTTPServer):
    """A model's server that repeats all that it was told in its errors."""

    def __init__(self, status: int):
        self.status, self.seen = status, list[dict[str, str]]()
        super().__init__(("127.0.0.1", 0), _Handler)

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.seen.append({name.lower(): value for name, value in self.headers.items()})
        if self.server.status != 200:
            self._send("application/json", json.dumps({"error": {"message": f"not good: {self._key} {self.path}"}}))
        elif asked.get("stream"):
            piece = {"choices": [{"delta": {"content": SAID}, "finish_reason": "stop"}]}
            self._send("text/event-stream", f"data: {json.dumps(piece)}\n\ndata: [DONE]\n\n")
        else:
            piece = {"choices": [{"message": {"content": SAID}, "finish_reason": "stop"}]}
            self._send("application/json", json.dumps(piece))

    @property
    def _key(self) -> str:
        """As it came, and decoded."""
        sent = self.headers["authorization"]
        return f"{sent} {base64.b64decode(sent[6:]).decode()}" if sent.startswith("Basic ") else sent

    def _send(self, kind: str, body: str) -> None:
        self.send_response(self.server.status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_: object) -> None:
        """Silence."""


@pytest.fixture
def serving() -> Iterator[Callable[[int], Server]]:
    opened: list[Server] = []

    def open_(status: int) -> Server:
        opened.append(Server(status))
        threading.Thread(target=opened[-1].serve_forever, daemon=True).start()
        return opened[-1]

    yield open_
    for server in opened:
        server.shutdown()
        server.server_close()


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """Everything that any library writes into its log."""
    written = io.StringIO()
    handler, root = logging.StreamHandler(written), logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield written
    root.removeHandler(handler)
    root.setLevel(before)


def assert_silent(*told: str) -> None:
    for text in told:
        for secret in SECRETS:
            assert secret not in text, f"{secret} in {text[:2000]}"


# ── the model's own words ───────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("status", [200, 400, 401, 403, 404, 429, 500])
async def test_neither_errors_nor_logs_hold_a_key_or_a_login(status: int, serving: Any, log: io.StringIO):
    server = serving(status)
    for address in (
        f"http://{server.host}/v1#m",
        f"http://me:{PASSWORD}@{server.host}/v1#m",
        f"http://{PASSWORD}@{server.host}/v1#m",
    ):
        model = OpenAIModel.at(address, retry=Retry(attempts=1))
        told = repr(model) + str(model.__dict__["_url"])
        try:
            await model.complete(REQUEST)
            assert status == 200
        except HeartfeltError as error:
            told += "".join(traceback.format_exception(error)) + repr(error) + str(error.__dict__)
        finally:
            await model.close()
        assert_silent(told, log.getvalue())


async def test_a_login_is_sent_as_it_always_was(serving: Any):
    server = serving(200)
    for address, wanted in [
        (f"http://{server.host}/v1#m", f"Bearer {KEY}"),
        (f"http://me:pw@{server.host}/v1#m", "Basic bWU6cHc="),
        (f"http://me:p%40w@{server.host}/v1#m", "Basic bWU6cEB3"),
    ]:
        model = OpenAIModel.at(address)
        await model.complete(REQUEST)
        await model.close()
        assert server.seen[-1]["authorization"] == wanted


async def test_a_server_that_is_not_there(log: io.StringIO):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    model = OpenAIModel.at(f"http://me:{PASSWORD}@127.0.0.1:{port}/v1#m", retry=Retry(attempts=1))
    with pytest.raises(HeartfeltError) as caught:
        await model.complete(REQUEST)
    await model.close()
    assert_silent("".join(traceback.format_exception(caught.value)), log.getvalue())


@pytest.mark.parametrize(
    "address",
    [
        f"openai:http://me:{PASSWORD}@host/v1",
        f"openai:http://me:{PASSWORD}@host:port/v1#m",
        f"openai:http://me:x/{PASSWORD}@host/v1#m",
        f"openai:http://me:x#{PASSWORD}@host/v1#m",
        f"openai:http://me:x?{PASSWORD}@host/v1#m",
        f"openai:ftp://me:{PASSWORD}@host/v1#m",
        f"openai:http://host/v1?api_key={OPTION}#m",
        f"openai:http://host/v1?api_key={OPTION}",
        f"ollama:?key={OPTION}",
        f"ollama:qwen3?key={OPTION}",
        f"https://me:{PASSWORD}@host/v1#m",
    ],
)
def test_an_address_that_cannot_be_used_is_refused_without_its_secrets(address: str):
    with pytest.raises(UsageError) as caught:
        open_model(address)
    assert_silent("".join(traceback.format_exception(caught.value, chain=False)), str(caught.value))


# ── addresses as they are shown ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("embedded:", "embedded:"),
        ("scripted:/a//b@c.json", "scripted:/a//b@c.json"),
        ("ollama:qwen3:4b?images=1", "ollama:qwen3:4b?images=1"),
        ("ollama:qwen3?images=1&key=x", "ollama:qwen3?images=1"),
        ("ollama:qwen3?key=x", "ollama:qwen3"),
        ("openai:#gpt", "openai:#gpt"),
        ("openai:http://h:8000/v1?images=1&context=9#org/name@2", "openai:http://h:8000/v1?images=1&context=9#org/name@2"),
        ("openai:http://me:pw@h:8000/v1?images=1&key=x#m", "openai:http://h:8000/v1?images=1#m"),
        ("openai:http://pw@[::1]:8000/v1#m", "openai:http://[::1]:8000/v1#m"),
        ("http://me:pw@h:8001?timeout=5", "http://h:8001?timeout=5"),
        ("openvoice:http://me:pw@h", "openvoice:http://h"),
    ],
)
def test_an_address_is_shown_without_what_may_be_secret(address: str, told: str):
    assert shown(address) == told and shown(told) == told
    if address == told:
        refuse_login(address, "It")
    else:
        with pytest.raises(UsageError, match="with a login or a key"):
            refuse_login(address, "It")


# ── a whole turn ────────────────────────────────────────────────────────────────────────────────────────────────────


def secret_setup(host: str = "host") -> Setup:
    address = f"openai:http://me:{PASSWORD}@{host}/v1#m"
    return Setup(
        recipe="direct",
        model=address,
        voters=(address,),
        ablation=Ablation(models={"respond": address}),
        safety=Safety(on=False, guard=address),
        memory="none",
    )


async def test_the_events_of_a_turn_hold_no_login(log: io.StringIO):
    events: list[Any] = []
    setup = secret_setup()
    listener = Listener(setup, model=good(), memory=Shelf(), opening=lambda _: good())
    await listener.answer(DIALOGUE, observers=(events.append,))
    assert_silent(*(event.model_dump_json() for event in events), *map(repr, events), log.getvalue())
    trace = Trace()
    for event in events:
        trace(event)
    assert trace.setup.model == "openai:http://host/v1#m" and trace.setup.ablation.models == {
        "respond": "openai:http://host/v1#m"
    }
    assert setup.model.count(PASSWORD) == 1, "the listener's own setup is not touched"


async def test_telemetry_holds_no_login():
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    from heartfelt.telemetry import Telemetry

    kept, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    listener = Listener(secret_setup(), model=good(), memory=Shelf(), opening=lambda _: good())
    await listener.answer(DIALOGUE, observers=(Telemetry(provider.get_tracer("x")),))
    assert kept.get_finished_spans()
    assert_silent(*(span.to_json() for span in kept.get_finished_spans()))


@pytest.mark.parametrize("status", [200, 401, 500])
@pytest.mark.parametrize("as_json", [True, False])
def test_the_command_tells_no_secret_and_writes_none(
    status: int, as_json: bool, serving: Any, tmp_path: Path, log: io.StringIO, monkeypatch: pytest.MonkeyPatch
):
    async def at_once(_: float) -> None:
        await asyncio.sleep(0)

    monkeypatch.setattr(Retry, "sleep", staticmethod(at_once))
    server = serving(status)
    address = f"openai:http://me:{PASSWORD}@{server.host}/v1#m"
    asked = ["respond", "I failed my exam.", "--recipe", "direct", "--model", address, "--memory", "none", "--timeout", "20"]
    asked += ["--media", "none", "--out", str(tmp_path), *(["--json"] if as_json else [])]
    done = CliRunner().invoke(app, asked)
    assert server.seen and (done.exit_code == 0) == (status == 200), done.output
    written = [path.read_text() for path in tmp_path.rglob("*") if path.is_file()]
    assert len(written) >= 2
    assert_silent(done.output, repr(done.exception), *written, log.getvalue())


# ── files that are handed on ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("where", ["models", "voters", "step", "voice"])
def test_an_experiment_takes_no_login(where: str):
    address = f"openai:http://me:{PASSWORD}@host/v1#m"
    condition: dict[str, Any] = {"recipe": "direct"}
    condition |= {"voters": {"voters": [address]}, "step": {"models": {"respond": address}}}.get(where, {})
    condition |= {"voice": f"http://me:{PASSWORD}@host"} if where == "voice" else {}
    data = {
        "name": "x",
        "tasks": {"t": {"task": "reply", "dataset": "meld"}},
        "models": [address] if where == "models" else ["embedded:"],
        "conditions": {"a": condition},
    }
    with pytest.raises((InputError, UsageError)) as caught:
        Experiment.model_validate(data)
    assert "with a login or a key" in str(caught.value)
    assert_silent(str(caught.value))
