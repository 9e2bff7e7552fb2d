"""Being answered: at once, as a stream, from a recording, and again."""

import io
import json
import time
import wave
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from heartfelt.errors import DiskFullError, ModelUnavailable
from heartfelt.server.store import SessionStore
from scripts import FULL, REPLY, blaming, good

from ..serving import HEARD, Served, serving

SAID = "I failed my driving test today, and my father laughed at me."


def events(text: str) -> list[dict[str, Any]]:
    return [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: ")]


def recording(seconds: float = 1.0) -> bytes:
    file, times = io.BytesIO(), np.arange(round(seconds * 16_000)) / 16_000
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(16_000)
        sound.writeframes((9000 * np.sin(2 * np.pi * 180 * times)).astype("<i2").tobytes())
    return file.getvalue()


def test_a_stream_tells_every_step_and_every_word_and_then_the_turn(served: Served):
    session = served.session()
    with served.client() as client:
        answer = client.post(f"/api/sessions/{session}/messages", json={"text": SAID}, headers={"accept": "text/event-stream"})
    told = events(answer.text)
    happened = [each["event"] for each in told if each["kind"] == "happened"]
    assert "".join(each["piece"] for each in happened if each["kind"] == "wrote") == REPLY
    steps = [each["record"]["step"] for each in happened if each["kind"] == "step finished"]
    assert steps == ["understand", "perceive", "forecast", "cause", "plan", "recall", "deliver", "respond"]
    assert told[-1]["kind"] == "turn" and told[-1]["turn"]["reply"] == REPLY


def test_a_store_that_is_slow_keeps_every_event_in_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The turn ends while the first lines are still being written."""
    add, slow = SessionStore.add_events, [0.4]
    monkeypatch.setattr(SessionStore, "add_events", lambda *given: (time.sleep(slow.pop() if slow else 0), add(*given))[1])
    monkeypatch.setattr("heartfelt.server.turns._FLUSHED", 0.001)
    with serving(tmp_path, model=good()) as served, served.client() as client:
        session = served.session(pace="thorough")
        client.post(f"/api/sessions/{session}/messages", json={"text": SAID})
        lines = client.get(f"/api/sessions/{session}/turns/0/trace").text.splitlines()
    kinds = [json.loads(line)["event"]["kind"] for line in lines]
    assert kinds[0] == "turn started" and kinds[-1] == "turn finished" and not slow


def test_a_quick_turn_is_looked_back_on_and_the_next_one_learns(tmp_path: Path):
    model = good(audit=blaming("respond", instruction="Ask what happened next."))
    with serving(tmp_path, model=model) as served:
        session = served.session()
        with served.client() as client:
            client.post(f"/api/sessions/{session}/messages", json={"text": SAID})
            turn = _awaited(client, session, lambda turn: turn["afterthought"] is not None)
            assert turn["afterthought"]["instruction"] == "Ask what happened next."
            client.post(f"/api/sessions/{session}/messages", json={"text": "It was my third try."})
            trace = client.get(f"/api/sessions/{session}/turns/0/trace").text
    back = [json.loads(line) for line in trace.splitlines() if json.loads(line)["looking_back"]]
    assert "audited" in [each["event"]["kind"] for each in back]
    asked = model.asked("respond")
    assert "Ask what happened next." not in asked[0].messages[-1].text
    assert "Ask what happened next." in asked[-1].messages[-1].text


def test_a_thorough_turn_is_audited_before_it_is_answered(served: Served):
    session = served.session(pace="thorough")
    with served.client() as client:
        client.post(f"/api/sessions/{session}/messages", json={"text": SAID})
        trace = client.get(f"/api/sessions/{session}/turns/0/trace").text
    kinds = [json.loads(line)["event"]["kind"] for line in trace.splitlines()]
    assert kinds.index("audited") < kinds.index("turn finished")


def test_a_recording_is_heard_and_answered_and_no_sound_of_it_is_kept(served: Served):
    session = served.session()
    with served.client() as client:
        answer = client.post(f"/api/sessions/{session}/recordings", files={"media": ("me.wav", recording(), "audio/wav")})
        assert answer.status_code == 200, answer.text
        turn = answer.json()
        assert (turn["said"], turn["by"], turn["state"]) == (HEARD, "uploaded", "answered")
        assert turn["readings"]["words"] and turn["readings"]["duration"] == pytest.approx(1.0, abs=0.05)


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("me.wav", b"not a sound at all", "cannot be read"),
        ("me.wav", b"", "is empty"),
        ("silence.wav", b"", "is empty"),
    ],
)
def test_a_recording_that_cannot_be_read_is_told(served: Served, name: str, data: bytes, message: str):
    session = served.session()
    with served.client() as client:
        answer = client.post(f"/api/sessions/{session}/recordings", files={"media": (name, data, "audio/wav")})
    assert answer.status_code == 422 and name in answer.json()["message"]


@pytest.mark.parametrize("text", ["", "   ", "\x00", "a" * 20_001])
def test_text_that_cannot_be_answered_is_told(served: Served, text: str):
    session = served.session()
    with served.client() as client:
        answer = client.post(f"/api/sessions/{session}/messages", json={"text": text})
        assert answer.status_code == 422 and answer.json()["code"] == "invalid"
        assert client.get(f"/api/sessions/{session}").json()["conversation"] == []


def test_a_model_that_fails_leaves_a_turn_that_can_be_answered_again(tmp_path: Path):
    down = ModelUnavailable("The model is away. Start it.")
    model = good(perceive=[down, FULL["perceive"]])
    with serving(tmp_path, model=model) as served:
        session = served.session()
        with served.client() as client:
            failed = client.post(f"/api/sessions/{session}/messages", json={"text": SAID})
            assert failed.status_code == 502 and failed.json()["state"] == "failed"
            assert failed.json()["error"] == "The model is away. Start it."
            again = client.post(f"/api/sessions/{session}/turns/0/again")
            assert (again.json()["number"], again.json()["state"], again.json()["reply"]) == (0, "answered", REPLY)
            assert client.post(f"/api/sessions/{session}/turns/0/again").status_code == 409


def test_a_reply_can_be_heard_and_its_face_played(served: Served):
    session = served.session()
    with served.client() as client:
        client.post(f"/api/sessions/{session}/messages", json={"text": SAID})
        sound = client.get(f"/api/sessions/{session}/turns/0/speech.wav")
        timeline = client.get(f"/api/sessions/{session}/turns/0/timeline.json").json()
        page = client.get(f"/api/sessions/{session}/turns/0/trace.html").text
    with wave.open(io.BytesIO(sound.content)) as file:
        assert file.getframerate() == 24_000 and file.getnframes() > 24_000
    assert timeline["format"] == "heartfelt timeline 1" and "jawOpen" in timeline["channels"]
    assert REPLY in page.replace("&#39;", "'")


def test_a_message_is_not_taken_into_the_void(tmp_path: Path):
    with serving(tmp_path) as served, served.client() as client:
        session = served.session()
        (tmp_path / "sessions.db").unlink()
        for _ in range(2):
            answer = client.post(f"/api/sessions/{session}/messages", json={"text": SAID})
            assert answer.status_code == 503 and "put the file in its place" in answer.json()["message"]
        assert client.get("/ready").status_code == 503


def test_a_disk_that_is_full_is_told_by_the_first_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def full(*_: Any) -> None:
        raise DiskFullError("There is no space left for it. Free some.")

    with serving(tmp_path) as served, served.client() as client:
        session = served.session()
        monkeypatch.setattr(SessionStore, "add_events", full)
        answer = client.post(f"/api/sessions/{session}/messages", json={"text": SAID})
    assert answer.status_code == 503
    assert answer.json()["state"] == "failed" and "Free some" in answer.json()["error"]


def _awaited(client: Any, session: str, done: Any) -> dict[str, Any]:
    import time

    for _ in range(100):
        turn = client.get(f"/api/sessions/{session}").json()["conversation"][0]
        if done(turn):
            return turn
        time.sleep(0.05)
    raise AssertionError(f"never came to be: {turn}")
