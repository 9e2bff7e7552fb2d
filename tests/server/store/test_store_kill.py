"""Workers that start at the same moment on an empty database, and are killed at any: what they said was kept is there."""

import random
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from heartfelt.server.store import SessionStore

WORKER = Path(__file__).with_name("worker.py")
Worker = subprocess.Popen[str]


def test_a_kill_loses_nothing_that_was_reported(url: str, say: Callable[..., int]) -> None:
    with ExitStack() as held:
        workers = [held.enter_context(_worker(url, f"owner{nth}")) for nth in range(2)]
        _at_once(workers)
        reports = [_killed(worker) for worker in workers]
    with SessionStore.open(url) as store:
        for nth, report in enumerate(reports):
            _compare(store, f"owner{nth}", report)
            say(store, report[0].split()[1])


def _worker(url: str, owner: str) -> Worker:
    command = [sys.executable, str(WORKER), url, owner]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def _at_once(workers: list[Worker]) -> None:
    assert [_line(worker) for worker in workers] == ["ready"] * len(workers)
    for worker in workers:
        assert worker.stdin is not None
        worker.stdin.write("\n")
        worker.stdin.flush()


def _killed(worker: Worker) -> list[str]:
    """All that it had said."""
    first = [_line(worker) for _ in range(4)]
    time.sleep(random.uniform(0.0, 0.5))
    worker.kill()
    rest, _ = worker.communicate()
    return [*first, *rest.splitlines()]


def _line(worker: Worker) -> str:
    assert worker.stdout is not None
    return worker.stdout.readline().strip()


def _compare(store: SessionStore, owner: str, report: list[str]) -> None:
    session = store.session(report[0].split()[1], owner)
    assert [turn.number for turn in session.conversation] == list(range(session.turns))
    for what, number, *count in (line.split() for line in report[1:]):
        turn = session.conversation[int(number)]
        assert turn.said == "words " * 50
        assert what != "answered" or (turn.state, turn.reply) == ("answered", "reply " * 50)
        assert what != "events" or len(store.events(session.id, turn.number)) >= int(count[0])
    assert session.conversation[-1].state in ("answered", "unfinished")
