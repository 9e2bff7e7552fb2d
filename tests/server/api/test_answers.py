"""Playing with an answer: what would follow, how it sounds, and keeping it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from websockets.sync.client import connect

from heartfelt import Trace
from heartfelt.errors import ModelUnavailable
from heartfelt.models import Request
from heartfelt.page.render import page_data
from scripts import REPLY, good

from ..serving import Served, serving
from .test_messages import SAID, events

OTHER = "You have every right to be angry. What did he say then?"
TURN = "/api/sessions/{}/turns/0"


def answers(request: Request) -> str:
    """Other words to somebody who is angry."""
    return OTHER if "angry" in request.messages[-1].text else REPLY


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("answers"), model=good(respond=answers)) as running:
        yield running


def asked(served: Served, **wish: Any) -> str:
    session = served.session(**wish)
    with served.client() as client:
        assert client.post(f"/api/sessions/{session}/messages", json={"text": SAID}).json()["reply"] == REPLY
    return session


def tried(client: httpx.Client, session: str, *edits: str) -> dict[str, Any]:
    """The `turn finished` of what follows."""
    told = events(client.post(f"{TURN.format(session)}/replay", json={"edits": edits}).text)
    return next(each["event"] for each in told if each["kind"] == "happened" and each["event"]["kind"] == "turn finished")


def kept(client: httpx.Client, session: str, finished: dict[str, Any]) -> httpx.Response:
    wanted = {"number": finished["chosen"], "reply": finished["reply"]}
    return client.post(f"{TURN.format(session)}/keep", json=wanted)


def trace_of(client: httpx.Client, session: str) -> Trace:
    lines = [json.loads(line) for line in client.get(f"{TURN.format(session)}/trace").text.splitlines()]
    return Trace.parse("\n".join(json.dumps(each["event"]) for each in lines if not each["looking_back"]).encode(), "it")


def test_an_edit_shows_what_would_follow_and_changes_nothing(served: Served):
    session = asked(served, pace="thorough")
    with served.client() as client:
        before = client.get(f"/api/sessions/{session}").json()
        answer = client.post(f"/api/sessions/{session}/turns/0/replay", json={"edits": ["forecast.emotion=angry"]})
        told = events(answer.text)
        happened = [each["event"] for each in told if each["kind"] == "happened"]
        given = next(each for each in happened if each["kind"] == "pass started")["given"]
        assert next(record for record in given if record["step"] == "forecast")["output"]["emotion"] == "angry"
        assert next(each["step"] for each in happened if each["kind"] == "step started") == "cause"
        assert client.get(f"/api/sessions/{session}").json() == before


@pytest.mark.parametrize("edit", ["nonsense", "forecast.colour=red", "nobody.emotion=sad"])
def test_an_edit_that_makes_no_sense_is_told(served: Served, edit: str):
    session = asked(served)
    with served.client() as client:
        answer = client.post(f"/api/sessions/{session}/turns/0/replay", json={"edits": [edit]})
    told = answer.json() if answer.status_code == 422 else events(answer.text)[-1]
    assert told["code"] == "invalid"


def test_a_try_is_numbered_as_the_next_pass_and_audited_as_the_turn_was(served: Served):
    with served.client() as client:
        quick, thorough = asked(served), asked(served, pace="thorough")
        for session, audited in ((quick, 0), (thorough, 1)):
            told = events(client.post(f"{TURN.format(session)}/replay", json={"edits": ["forecast.emotion=angry"]}).text)
            happened = [each["event"] for each in told]
            assert {each["number"] for each in happened if "number" in each} == {1}
            assert {each["record"]["made_in"] for each in happened if "record" in each} == {1}
            assert sum(each["kind"] == "audited" for each in happened) == audited
            assert happened[-1]["chosen"] == 1 and happened[-1]["reply"] == OTHER


# ── keeping ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_what_is_kept_becomes_the_turn_and_the_next_one_builds_on_it(tmp_path: Path):
    model = good(respond=answers)
    with serving(tmp_path, model=model) as served, served.client() as client:
        session = asked(served)
        turn = kept(client, session, tried(client, session, "forecast.emotion=angry")).json()
        assert (turn["reply"], turn["emotion"], turn["state"], turn["afterthought"]) == (OTHER, "angry", "answered", None)
        assert client.get(f"/api/sessions/{session}").json()["conversation"][0]["reply"] == OTHER
        client.post(f"/api/sessions/{session}/messages", json={"text": "He said I would never learn it."})
        sent = model.asked("respond")[-1].messages[-1].text
        assert OTHER in sent and REPLY not in sent


def test_the_trace_says_who_chose_and_still_holds_what_was_said_first(served: Served):
    session = asked(served)
    with served.client() as client:
        kept(client, session, tried(client, session, "forecast.emotion=angry", "plan.tone=steady"))
        trace = trace_of(client, session)
        page = client.get(f"{TURN.format(session)}/trace.html").text
    assert [made.reply for made in trace.passes] == [REPLY, OTHER] and trace.best is trace.passes[1]
    assert trace.finished and trace.finished.why_chosen == "A person set forecast and plan by hand, and kept this reply."
    assert [record.step for record in trace.best.steps if record.edited] == ["forecast", "plan"]
    assert OTHER in page and json.loads(page_data(trace))["events"][-1]["reply"] == OTHER


def test_everybody_in_the_session_is_told(served: Served):
    session = asked(served)
    ana = {"authorization": "Bearer ana"}
    with served.client() as client, connect(served.live.format(session), additional_headers=ana) as socket:
        finished = tried(client, session, "forecast.emotion=angry")
        kept(client, session, finished)
        told = [json.loads(socket.recv(timeout=5))]
        while told[-1]["kind"] != "turn":
            told.append(json.loads(socket.recv(timeout=5)))
    happened = [each["event"]["kind"] for each in told if each["kind"] == "happened"]
    assert happened[0] == "pass started" and happened[-1] == "turn finished"
    assert told[-1]["turn"]["reply"] == OTHER


def test_the_first_answer_can_be_taken_back_and_both_stay(served: Served):
    session = asked(served)
    with served.client() as client:
        finished = tried(client, session, "forecast.emotion=angry")
        kept(client, session, finished)
        assert kept(client, session, {"chosen": 0, "reply": REPLY}).json()["reply"] == REPLY
        assert kept(client, session, finished).json()["reply"] == OTHER
        assert kept(client, session, finished).json()["reply"] == OTHER, "twice is once"
        trace = trace_of(client, session)
    assert len(trace.passes) == 2
    assert sum(event.kind == "turn finished" for event in trace.events) == 4


def test_what_was_tried_and_not_kept_is_no_part_of_the_turn(served: Served):
    session = asked(served)
    with served.client() as client:
        first = tried(client, session, "forecast.emotion=angry")
        second = tried(client, session, "forecast.emotion=lonely")
        assert len(trace_of(client, session).passes) == 1 and first["chosen"] == second["chosen"] == 1
        refused = kept(client, session, first)
        assert refused.status_code == 422 and "no longer at hand" in refused.json()["message"]
        assert kept(client, session, second | {"reply": "Anything."}).status_code == 422
        assert kept(client, session, second | {"chosen": 7}).status_code == 422
        exported = client.get(f"/api/sessions/{session}/export").json()["conversation"][0]["events"]
        assert {each["tried"] for each in exported} == {False, True}, "an export holds all that is stored"


def test_a_turn_that_failed_is_answered_again_first(tmp_path: Path):
    down = ModelUnavailable("The model is away. Start it.")
    with serving(tmp_path, model=good(respond=[down, OTHER])) as served, served.client() as client:
        session = served.session()
        assert client.post(f"/api/sessions/{session}/messages", json={"text": SAID}).json()["state"] == "failed"
        refused = kept(client, session, tried(client, session, "forecast.emotion=angry"))
        assert refused.status_code == 422 and "Answer it again first." in refused.json()["message"]


def test_only_who_has_the_session_can_keep(served: Served):
    session = asked(served)
    with served.client() as client, served.client("ben") as other:
        assert kept(other, session, tried(client, session, "forecast.emotion=angry")).status_code == 404


# ── hearing ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_either_answer_can_be_heard(served: Served):
    session = asked(served)
    with served.client() as client:
        number = tried(client, session, "forecast.emotion=angry")["chosen"]
        sounds = [
            client.get(f"{TURN.format(session)}/speech.wav", params=which) for which in ({}, {"answer": 0}, {"answer": number})
        ]
        faces = [client.get(f"{TURN.format(session)}/timeline.json", params={"answer": each}).json() for each in (0, number)]
        assert [sound.headers["content-type"] for sound in sounds] == ["audio/wav"] * 3
        assert sounds[0].content == sounds[1].content != sounds[2].content
        assert faces[0]["words"] != faces[1]["words"]
        refused = client.get(f"{TURN.format(session)}/speech.wav", params={"answer": 5})
        assert refused.status_code == 422 and "has no answer 5" in refused.json()["message"]


def test_the_page_of_a_turn_can_be_taken_away_as_a_file(served: Served):
    session = asked(served)
    with served.client() as client:
        shown, taken = (client.get(f"{TURN.format(session)}/trace.html", params=which) for which in ({}, {"download": True}))
    assert "content-disposition" not in shown.headers and shown.text == taken.text
    assert taken.headers["content-disposition"] == f'attachment; filename="heartfelt-{session[:8]}-1.html"'
