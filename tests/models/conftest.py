import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field

import pytest

from heartfelt.models.retry import Retry
from heartfelt.models.seam import Message, Request

from .standin import StandIn

LISTEN = """
import sys
import xllamacpp

params = xllamacpp.CommonParams()
params.model.path, params.port, params.hostnames = sys.argv[1], 0, ["127.0.0.1"]
params.n_ctx, params.n_parallel, params.warmup = 2048, 1, False
params.cpuparams.n_threads = 1
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()  # until the tests close it
"""


@dataclass
class Waits:
    """A retry's sleep and dice that cost no time."""

    slept: list[float] = field(default_factory=list)

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)

    def retry(self, attempts: int = 4, dice: float = 0.5) -> Retry:
        return Retry(attempts=attempts, sleep=self.sleep, random=lambda: dice)


@pytest.fixture
def waits() -> Waits:
    return Waits()


@pytest.fixture
async def server() -> AsyncIterator[StandIn]:
    standin = StandIn()
    await standin.start()
    yield standin
    await standin.stop()


@pytest.fixture
def request_() -> Request:
    messages = (Message(role="system", text="Listen."), Message(role="user", text="My cat died."))
    return Request(purpose="respond", messages=messages, timeout=60.0)


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (
        "OPENAI_API_KEY",
        "OPENAI_BASE_URL",
        "OLLAMA_HOST",
        "HTTP_PROXY",
        "http_proxy",
        "ALL_PROXY",
        "all_proxy",
    ):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="session")
def llama_server() -> Iterator[str]:
    """The address of a real OpenAI-compatible server: llama.cpp's own, in a process of its own."""
    from heartfelt.weights import Store

    command = [sys.executable, "-c", LISTEN, str(Store().path("smollm2"))]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdin and process.stdout
        address = process.stdout.readline().strip()
        assert address, "the llama server did not start"
        yield f"{address}/v1"
        process.stdin.close()
        process.wait(timeout=20)
