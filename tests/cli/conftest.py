"""The real command line, each command in a process of its own."""

import json
import os
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from forked import COMMAND, Forking
from heartfelt.agents.audit import QUESTIONS
from scripts import FULL

SECONDS = 120
SAID = "I failed my driving test today, and my father laughed at me."
FINE = {"ok": "yes", "finding": "none", "instruction": "none"}

Done: TypeAlias = subprocess.CompletedProcess[str]
Run: TypeAlias = Callable[..., Done]
Script: TypeAlias = Callable[..., str]


def environment(**changes: str) -> dict[str, str]:
    """Nothing of this machine's settings but where the weights are. A reply is spoken, and
    danger read for by a model, only where a test wants it."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("HEARTFELT_", "OPENAI_", "OLLAMA_"))}
    home = {name: os.environ[name] for name in ("HEARTFELT_HOME",) if name in os.environ}
    return kept | home | {"COLUMNS": "80", "TERM": "dumb", "HEARTFELT_MEDIA": "none", "HEARTFELT_READER": "none"} | changes


@pytest.fixture(scope="session")
def forking() -> Iterator[Forking]:
    forks = Forking()
    yield forks
    forks.close()


@pytest.fixture
def run(tmp_path: Path, forking: Forking) -> Run:
    """Runs `heartfelt ARGUMENTS` in an empty folder. Whatever happens, nobody is shown a stack of frames."""

    def run_(*arguments: str | Path, said: str | bytes = b"", env: dict[str, str] | None = None) -> Done:
        given = said.encode() if isinstance(said, str) else said
        there = environment(**env or {})
        if any(name.startswith(("PYTHON", "COLUMNS")) for name in env or {}):  # only a process that starts reads those
            done = subprocess.run(
                [COMMAND, *map(str, arguments)], input=given, capture_output=True, cwd=tmp_path, env=there, timeout=SECONDS
            )
            told = subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())
        else:
            told = forking.run([*map(str, arguments)], said=given, cwd=tmp_path, env=there, seconds=SECONDS)
        assert "Traceback" not in told.stderr, told.stderr
        return told

    return run_


@pytest.fixture
def script(tmp_path: Path) -> Script:
    """The address of a scripted model that does every step well, but for `changes`."""

    def script_(**changes: Any) -> str:
        path = tmp_path / f"script{len(list(tmp_path.glob('script*')))}.json"
        path.write_text(json.dumps(FULL | {"audit": dict.fromkeys(QUESTIONS, FINE)} | changes), "utf-8")
        return f"scripted:{path}"

    return script_


@pytest.fixture
def nobody() -> Iterator[str]:
    """The address of a server that takes every call and never answers."""
    with socket.create_server(("127.0.0.1", 0), backlog=8) as server:
        yield f"openai:http://127.0.0.1:{server.getsockname()[1]}/v1#nobody"


def only_document(done: Done) -> Any:
    """Standard output is one JSON document and nothing else."""
    assert done.stdout.endswith("\n") and done.stdout.count("\n") == 1, done.stdout
    return json.loads(done.stdout)


def only_message(done: Done) -> str:
    """Standard error is one message: its text."""
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1 and lines[0].startswith("heartfelt: "), done.stderr
    return lines[0].removeprefix("heartfelt: ")
