"""A server that is killed in the middle of a turn, and started again: nothing that was said is lost."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2 as httpx
import pytest

from scripts import FULL, REPLY

SAID = "I failed my driving test today, and my father laughed at me."
START = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from server.serving import serving
from scripts import Stuck, good
import json
import time
settings = json.loads(sys.argv[4])
with serving(Path(sys.argv[2]), model=Stuck(sys.argv[3]) if sys.argv[3] else good(), **settings) as served:
    print(served.url, flush=True)
    time.sleep(600)
"""


@contextmanager
def started(folder: Path, stuck_at: str, **settings: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    tests = str(Path(__file__).parents[1])
    command = [sys.executable, "-c", START, tests, str(folder), stuck_at, json.dumps(settings)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process, process.stdout.readline().strip()
        finally:
            process.kill()


def test_a_turn_that_was_cut_off_is_unfinished_and_can_be_answered_again(tmp_path: Path):
    headers = {"authorization": "Bearer ana"}
    with started(tmp_path, "plan") as (process, url), httpx.Client(base_url=url, headers=headers) as client:
        session = client.post("/api/sessions", json={}).json()["id"]
        stream = {"accept": "text/event-stream"}
        with client.stream("POST", f"/api/sessions/{session}/messages", json={"text": SAID}, headers=stream) as answer:
            next(line for line in answer.iter_lines() if '"step started"' in line and '"plan"' in line)
            time.sleep(0.5)  # the events go to the store a few at a time
            process.kill()
            process.wait()
    with started(tmp_path, "") as (process, url), httpx.Client(base_url=url, headers=headers, timeout=20) as client:
        turn = _unfinished(client, session)
        assert (turn["said"], turn["reply"]) == (SAID, "")
        trace = client.get(f"/api/sessions/{session}/turns/0/trace").text
        steps = [json.loads(line)["event"] for line in trace.splitlines()]
        finished = [event["record"]["step"] for event in steps if event["kind"] == "step finished"]
        assert finished == ["understand", "perceive", "forecast", "cause"]
        again = client.post(f"/api/sessions/{session}/turns/0/again").json()
        assert (again["state"], again["reply"]) == ("answered", REPLY)
        assert len(client.get(f"/api/sessions/{session}").json()["conversation"]) == 1


def _unfinished(client: httpx.Client, session: str) -> dict[str, str]:
    for _ in range(200):
        turn = client.get(f"/api/sessions/{session}").json()["conversation"][0]
        if turn["state"] == "unfinished":
            return turn
        time.sleep(0.05)
    raise AssertionError(f"the turn stayed {turn['state']}")


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_the_command_serves_and_ends_when_it_is_told_to(tmp_path: Path, how: signal.Signals):
    script = tmp_path / "script.json"
    script.write_text(json.dumps(FULL | {"audit": {"perceive": "right"}}))
    command = [sys.executable, "-m", "heartfelt", "serve", "--port", "0", "--model", f"scripted:{script}"]
    command += ["--store", f"sqlite:///{tmp_path / 's.db'}", "--voice", "hum:", "--memory", "none"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    url = process.stdout.readline().split()[-1]
    with httpx.Client(base_url=url, timeout=20) as client:
        session = client.post("/api/sessions", json={"pace": "quick"}).json()["id"]
        assert client.post(f"/api/sessions/{session}/messages", json={"text": SAID}).json()["reply"] == REPLY
    process.send_signal(how)
    _, complaints = process.communicate(timeout=20)
    assert process.returncode in (0, -how), complaints
    assert "Traceback" not in complaints


def test_a_port_that_is_taken_is_told(tmp_path: Path):
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = subprocess.run(
            [sys.executable, "-m", "heartfelt", "serve", "--port", port], capture_output=True, text=True, timeout=30
        )
    assert done.returncode == 2 and "Give another with --port" in done.stderr.replace("\n", " ")
