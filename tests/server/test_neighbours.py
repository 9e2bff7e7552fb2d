"""Whatever one caller does, another is answered: what is heavy has threads of its own and few places."""

import asyncio
import threading
import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

from heartfelt.expression.stage import Stage
from heartfelt.models import Model
from heartfelt.safety import screen
from heartfelt.senses.media import Sound
from heartfelt.senses.sense import Senses
from heartfelt.server.admission import AdmissionQueue, Busy
from heartfelt.server.turns import LONGEST_TALK, dialogue_of
from heartfelt.server.wire import SessionView, TurnView
from heartfelt.server.workshop import TooMuch, Workshop
from scripts import SAID, good
from senses.test_live import Face

from .api.test_messages import recording
from .serving import Ears, Served, serving


class Held:
    """Where work waits until a test lets it go on."""

    def __init__(self) -> None:
        self.inside, self.go = 0, threading.Event()
        self._one = threading.Lock()

    def wait(self) -> None:
        with self._one:
            self.inside += 1
        assert self.go.wait(30)

    def until(self, inside: int) -> None:
        until(lambda: self.inside >= inside)


def until(true: Any, seconds: float = 10) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.005)


def slow_ears(held: Held) -> Any:
    class Slow(Ears):
        def hear(self, sound: Sound) -> None:
            held.wait()
            super().hear(sound)

    def senses(model: Model) -> Senses:
        return Senses(model=good("compact"), eyes=Face, ears=Slow)  # type: ignore[arg-type]

    return senses


def all_is_well_for_another(served: Served) -> None:
    with served.client("ben") as ben:
        ben.timeout = 5
        assert ben.get("/ready").status_code == 200 and ben.get("/api/sessions").status_code == 200
        session = ben.post("/api/sessions", json={}).json()["id"]
        assert ben.post(f"/api/sessions/{session}/messages", json={"text": SAID}).json()["state"] == "answered"


@contextmanager
def many(count: int, work: Any) -> Generator[list[Any]]:
    with ThreadPoolExecutor(count) as pool:
        yield [pool.submit(work, number) for number in range(count)]


def test_many_recordings_of_one_caller_leave_another_alone(tmp_path: Path):
    held = Held()
    with serving(tmp_path, sensing=slow_ears(held)) as served:
        sessions = [served.session() for _ in range(8)]

        def upload(number: int) -> httpx.Response:
            with served.client() as ana:
                return ana.post(f"/api/sessions/{sessions[number]}/recordings", files={"media": ("a.wav", recording())})

        with many(8, upload) as answers:
            held.until(1)
            until(lambda: sum(answer.done() for answer in answers) == 4)
            all_is_well_for_another(served)
            assert held.inside == 1
            held.go.set()
    statuses = sorted(answer.result().status_code for answer in answers)
    assert statuses == [200] * 4 + [429] * 4
    refused = next(answer.result() for answer in answers if answer.result().status_code == 429)
    assert refused.headers["retry-after"] == "5" and "worked on already" in refused.json()["message"]


def test_a_recording_is_let_lie_when_its_sender_leaves_and_the_server_ends(tmp_path: Path):
    held = Held()
    with serving(tmp_path, sensing=slow_ears(held)) as served:
        session = served.session()
        with served.client() as ana:
            ana.timeout = httpx.Timeout(5, read=0.3)
            with pytest.raises(httpx.ReadTimeout):
                ana.post(f"/api/sessions/{session}/recordings", files={"media": ("a.wav", recording(30))})
        assert held.inside == 1
        held.go.set()
        until(lambda: not served.app.state.parts.workshop.wanted)
        assert held.inside <= 2  # of thirty seconds
        with served.client() as ana:
            assert ana.get(f"/api/sessions/{session}").json()["conversation"] == []


def test_exports_of_one_caller_leave_another_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    held = Held()

    def slow(whole: Any) -> Any:
        held.wait()
        return whole

    monkeypatch.setattr("heartfelt.server.api.sessions.redacted_json", slow)
    with serving(tmp_path) as served:
        session = served.session()

        def export(_: int) -> httpx.Response:
            with served.client() as ana:
                return ana.get(f"/api/sessions/{session}/export")

        with many(10, export) as answers:
            held.until(1)
            all_is_well_for_another(served)
            assert held.inside == 1
            held.go.set()
    assert {answer.result().status_code for answer in answers} == {200, 429}


def test_who_has_a_reply_spoken_again_and_again_leaves_another_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    held, take = Held(), Stage.take

    def slow(*given: Any) -> Any:
        held.wait()
        return take(*given)

    monkeypatch.setattr(Stage, "take", slow)
    with serving(tmp_path) as served:
        session = served.session()
        with served.client() as ana:
            ana.post(f"/api/sessions/{session}/messages", json={"text": SAID}).raise_for_status()

        def listen(number: int) -> httpx.Response:
            with served.client() as ana:
                return ana.get(f"/api/sessions/{session}/turns/0/{('speech.wav', 'timeline.json')[number % 2]}")

        with many(8, listen) as answers:
            held.until(1)
            until(lambda: sum(answer.done() for answer in answers) == 4)
            all_is_well_for_another(served)
            assert held.inside == 1
            held.go.set()
    assert sorted(answer.result().status_code for answer in answers) == [200] * 4 + [429] * 4


async def test_who_leaves_before_their_work_began_is_forgotten_and_who_leaves_later_keeps_the_place():
    workshop, held, done = Workshop(at_once=1), Held(), list[str]()
    first = asyncio.create_task(workshop.do("ana", held.wait))
    await asyncio.to_thread(held.until, 1)
    second = asyncio.create_task(workshop.do("ana", done.append, "second"))
    third = asyncio.create_task(workshop.do("ben", done.append, "third"))
    await asyncio.sleep(0.01)
    second.cancel()
    first.cancel()
    await asyncio.gather(first, second, return_exceptions=True)
    assert workshop.wanted["ana"] and not done
    held.go.set()
    await third
    assert done == ["third"] and not workshop.wanted


async def test_of_one_caller_only_so_much_waits():
    workshop, held = Workshop(), Held()
    held.go.set()
    tasks = [asyncio.create_task(workshop.do("ana", held.wait)) for _ in range(5)]
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(result) for result in results] == [type(None)] * 4 + [TooMuch]


async def test_who_has_fewer_turns_here_goes_first_and_nobody_takes_every_place():
    queue, order, hold = AdmissionQueue(4, 10), list[str](), asyncio.Event()

    async def come(who: str) -> None:
        async with queue.passed(lambda _place, _seconds: None, who=who):
            order.append(who)
            await hold.wait()

    tasks = [asyncio.create_task(come("ana")) for _ in range(6)]
    await asyncio.sleep(0)
    assert order == ["ana"] * 3
    tasks += [asyncio.create_task(come(who)) for who in ("ben", "ben", "cem")]
    await asyncio.sleep(0)
    assert order == ["ana"] * 3 + ["ben"]
    hold.set()
    await asyncio.gather(*tasks)
    assert order[4:6] == ["cem", "ben"]
    assert queue.inside == queue.waiting == 0


async def test_the_row_has_room_for_others_though_one_caller_sends_without_end():
    queue, hold = AdmissionQueue(1, 4), asyncio.Event()

    async def come(who: str) -> None:
        async with queue.passed(lambda _place, _seconds: None, who=who):
            await hold.wait()

    tasks = [asyncio.create_task(come("ana")) for _ in range(9)] + [asyncio.create_task(come("ben"))]
    await asyncio.sleep(0)
    assert queue.waiting == 4 and not tasks[-1].done()
    hold.set()
    assert sum(isinstance(each, Busy) for each in await asyncio.gather(*tasks, return_exceptions=True)) == 5


def test_a_chat_request_has_a_size_and_is_told_it(tmp_path: Path):
    with serving(tmp_path) as served, served.client() as ana:
        messages = [{"role": "user", "content": "so it went " * 1800}] * 6
        refused = ana.post("/v1/chat/completions", json={"model": "heartfelt", "messages": messages})
    assert refused.status_code == 413
    error = refused.json()["error"]
    assert f"at most {LONGEST_TALK:,} are read" in error["message"] and error["param"] == "messages"


def test_a_text_that_is_looked_through_for_long_leaves_another_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    held, observed = Held(), screen.observed

    def slowly(message: Any, *more: Any) -> Any:
        if "endless" in message.text:
            held.wait()
        return observed(message, *more)

    monkeypatch.setattr(screen, "observed", slowly)
    with serving(tmp_path, at_once=2) as served:

        def ask(_: int) -> int:
            asked = {"model": "heartfelt", "messages": [{"role": "user", "content": "It is endless."}]}
            with served.client() as ana:
                return ana.post("/v1/chat/completions", json=asked).status_code

        with many(1, ask) as answers:
            held.until(1)
            all_is_well_for_another(served)
            held.go.set()
    assert answers[0].result() == 200


def test_a_session_of_any_length_is_read_no_further_back_than_its_end_is_worth():
    said = tuple(TurnView(number=number, state="answered", said="so it went " * 1800, reply="Oh.") for number in range(30))
    session = SessionView.model_construct(conversation=said)
    turns = dialogue_of(session, TurnView(number=30, state="answering", said=SAID)).turns
    assert [turn.text for turn in turns[-2:]] == ["Oh.", SAID]
    assert LONGEST_TALK - 20_000 < sum(len(turn.text) for turn in turns[:-1]) <= LONGEST_TALK
