"""Sessions: begun, found again, changed, exported, gone; and nobody sees another's."""

import json
import re
from pathlib import Path

import pytest

from heartfelt.safety.redact.fields import is_label
from scripts import REPLY

from ..serving import Served, serving

SAID = "I failed my driving test today, and my father laughed at me."


def test_a_session_is_begun_talked_in_and_found_again(served: Served):
    session = served.session("ana", identity="tom", title="The test")
    with served.client("ana") as client:
        turn = client.post(f"/api/sessions/{session}/messages", json={"text": SAID}).json()
        assert (turn["state"], turn["reply"], turn["emotion"]) == ("answered", REPLY, "ashamed")
        found = client.get(f"/api/sessions/{session}").json()
        assert found["title"] == "The test" and found["identity"] == "tom"
        assert [each["said"] for each in found["conversation"]] == [SAID]
        assert session in [line["id"] for line in client.get("/api/sessions").json()]


def test_nobody_sees_the_sessions_of_another(served: Served):
    session = served.session("ana")
    with served.client("ben") as client:
        assert session not in [line["id"] for line in client.get("/api/sessions").json()]
        for method, path in (
            ("GET", ""),
            ("DELETE", ""),
            ("GET", "/export"),
            ("POST", "/messages"),
            ("GET", "/turns/0/trace"),
            ("POST", "/turns/0/replay"),
        ):
            answer = client.request(method, f"/api/sessions/{session}{path}", json={"text": "x"} if path == "/messages" else {})
            assert answer.status_code == 404, (method, path, answer.text)
            assert answer.json()["code"] == "not_found"


def test_a_browser_is_known_by_a_cookie_that_scripts_cannot_read(served: Served):
    import httpx2 as httpx

    with httpx.Client(base_url=served.url) as browser:
        made = browser.post("/api/sessions", json={})
        cookie = made.headers["set-cookie"]
        assert re.search(r"heartfelt=[\w-]{32};.*HttpOnly.*SameSite=strict", cookie, re.I)
        assert [line["id"] for line in browser.get("/api/sessions").json()] == [made.json()["id"]]
    with httpx.Client(base_url=served.url) as stranger:
        assert stranger.get("/api/sessions").json() == []


def test_what_a_session_is_made_of_can_be_changed(served: Served):
    session = served.session("ana")
    with served.client("ana") as client:
        changed = client.patch(f"/api/sessions/{session}", json={"recipe": "trace", "pace": "thorough", "title": "Dad"})
        assert changed.status_code == 200
        found = client.get(f"/api/sessions/{session}").json()
        assert (found["recipe"], found["pace"], found["title"]) == ("trace", "thorough", "Dad")


@pytest.mark.parametrize(
    ("wish", "message"),
    [
        ({"recipe": "nonsense"}, "There is no recipe 'nonsense'"),
        ({"model": "openai:http://169.254.169.254/#x"}, "There is no model"),
        ({"identity": "nobody"}, "There is no identity 'nobody'"),
        ({"pace": "slow"}, "quick"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_wish_that_cannot_be_met_is_told(served: Served, wish: dict[str, str], message: str):
    with served.client() as client:
        answer = client.post("/api/sessions", json=wish)
    assert answer.status_code == 422 and message in answer.json()["message"]


def test_a_deleted_session_is_gone_from_list_file_and_export(served: Served):
    session = served.session("ana")
    with served.client("ana") as client:
        client.post(f"/api/sessions/{session}/messages", json={"text": SAID})
        whole = client.get(f"/api/sessions/{session}/export")
        assert SAID in whole.text and "attachment" in whole.headers["content-disposition"]
        assert client.delete(f"/api/sessions/{session}").status_code == 204
        assert client.get(f"/api/sessions/{session}").status_code == 404
        assert client.delete(f"/api/sessions/{session}").status_code == 404


def test_an_export_is_redacted_unless_it_is_asked_for_as_it_is(served: Served):
    said = "Write to maria.lopez@example.org, she knows how I failed."
    session = served.session("ana")
    with served.client("ana") as client:
        client.post(f"/api/sessions/{session}/messages", json={"text": said})
        redacted = client.get(f"/api/sessions/{session}/export")
        raw = client.get(f"/api/sessions/{session}/export", params={"redacted": "false"})
    assert "maria.lopez" not in redacted.text and "how I failed" in redacted.text
    assert redacted.json()["conversation"][0]["state"] == "answered" and redacted.json()["id"] == session
    assert raw.json()["conversation"][0]["said"] == said


def test_an_export_for_people_is_a_page_that_nothing_said_can_break(served: Served):
    said = "Write to maria.lopez@example.org: <script>alert(1)</script> & me."
    session = served.session("ana", title="The <b>test</b>")
    with served.client("ana") as client:
        client.post(f"/api/sessions/{session}/messages", json={"text": said})
        redacted, raw = (
            client.get(f"/api/sessions/{session}/export", params={"format": "html", "redacted": redacted})
            for redacted in ("true", "false")
        )
    assert redacted.headers["content-disposition"].endswith('.html"') and raw.headers["content-type"].startswith("text/html")
    assert REPLY in redacted.text and "Maya" in redacted.text and "were replaced" in redacted.text
    assert "maria.lopez" not in redacted.text and "maria.lopez" in raw.text and "were replaced" not in raw.text
    assert "&lt;script&gt;" in raw.text and "<script" not in raw.text and "<b>test" not in raw.text


def test_a_reply_stays_with_whoever_gave_it(served: Served):
    session = served.session("ana", identity="tom")
    with served.client("ana") as client:
        client.post(f"/api/sessions/{session}/messages", json={"text": SAID})
        client.patch(f"/api/sessions/{session}", json={"identity": "yuna"})
        client.post(f"/api/sessions/{session}/messages", json={"text": SAID})
        found = client.get(f"/api/sessions/{session}").json()
        exported = client.get(f"/api/sessions/{session}/export").json()
    assert [turn["identity"] for turn in found["conversation"]] == ["tom", "yuna"]
    assert [turn["identity"] for turn in exported["conversation"]] == ["tom", "yuna"]


def test_the_language_of_what_was_said_is_told(served: Served):
    session = served.session("ana")
    with served.client("ana") as client:
        said = (SAID, "Ich habe heute meine Prüfung nicht bestanden und bin traurig.")
        turns = [client.post(f"/api/sessions/{session}/messages", json={"text": text}).json() for text in said]
        known = {each["code"]: each for each in client.get("/api/options").json()["languages"]}
    assert [turn["language"] for turn in turns] == ["", "de"]
    assert known["de"]["name"] == "Deutsch" and "Englisch" in known["de"]["note"]


def test_what_was_in_memory_only_can_be_kept_after_all(tmp_path: Path):
    with serving(tmp_path) as here:
        session = here.session("ana", kept=False, pace="thorough")  # a quick one is looked back on, and changes once more
        with here.client("ana") as client:
            client.post(f"/api/sessions/{session}/messages", json={"text": SAID})
            trace = client.get(f"/api/sessions/{session}/turns/0/trace").text
            before = client.get(f"/api/sessions/{session}").json()
            for _ in range(2):  # once more changes nothing
                assert client.patch(f"/api/sessions/{session}", json={"kept": True}).json() == before | {"kept": True}
            assert client.patch(f"/api/sessions/{session}", json={"kept": False}).status_code == 422
            assert [line["kept"] for line in client.get("/api/sessions").json()] == [True]
    with serving(tmp_path) as again, again.client("ana") as client:
        found = client.get(f"/api/sessions/{session}").json()
        assert [turn["reply"] for turn in found["conversation"]] == [REPLY]
        kept = client.get(f"/api/sessions/{session}/turns/0/trace").text
        assert [json.loads(line) for line in kept.splitlines()][:3] == [json.loads(line) for line in trace.splitlines()][:3]
        assert client.post(f"/api/sessions/{session}/messages", json={"text": SAID}).json()["number"] == 1


def test_no_part_of_a_session_id_reads_as_a_name(served: Served):
    sessions = [served.session("ana") for _ in range(20)]
    assert all(is_label("id", session) for session in sessions)


def test_a_session_that_is_not_kept_is_in_memory_only(served: Served, tmp_path_factory: pytest.TempPathFactory):
    secret = "The marmalade is hidden behind the aquarium."
    session = served.session("ana", kept=False)
    with served.client("ana") as client:
        client.post(f"/api/sessions/{session}/messages", json={"text": secret})
        assert client.get(f"/api/sessions/{session}").json()["conversation"][0]["said"] == secret
        assert [line["kept"] for line in client.get("/api/sessions").json() if line["id"] == session] == [False]
    files = list(tmp_path_factory.getbasetemp().rglob("sessions.db*"))
    assert files and not any(b"marmalade" in path.read_bytes() for path in files)
