"""Somebody in danger: what the app is told beside the reply, whose services are named, and that it is kept."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from heartfelt.errors import UnknownName
from heartfelt.safety.detect.double import ScriptedReader
from heartfelt.safety.respond import services
from heartfelt.server.settings import ServerSettings
from scripts import REPLY, Stuck, good

from .live.person import person
from .serving import Served, serving

DARK = "I have it all laid out on the table before me."
WORRY = "Nothing has any colour any more."
SAID = "I failed my driving test today, and my father laughed at me."
READER = ScriptedReader(finds={DARK: ("imminent", "suicide"), WORRY: ("concern", "despair")})


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("alarm"), reader=READER) as running:
        yield running


def test_an_alarm_names_the_services_of_the_session_s_country_and_is_kept(watched: Served):
    session = watched.session(country="de")
    with watched.client() as client:
        turn = client.post(f"/api/sessions/{session}/messages", json={"text": DARK}).json()
        kept = client.get(f"/api/sessions/{session}").json()
        exported = client.get(f"/api/sessions/{session}/export").json()
    germany = services.country("DE")
    assert germany is not None and kept["country"] == "DE"
    alarm = turn["alarm"]
    assert (alarm["tier"], alarm["danger"], alarm["country"]) == ("imminent", "suicide", "DE")
    assert alarm["emergency"] == germany.emergency and alarm["emergency"] in turn["reply"]
    assert [line["name"] for line in alarm["help"]] == [line.name for line in services.lines_for(germany, "suicide")]
    assert all(set(line) == {"name", "how", "number", "hours", "free"} for line in alarm["help"])
    assert kept["conversation"][0]["alarm"] == alarm == exported["conversation"][0]["alarm"]


def test_without_a_country_no_number_is_made_up(watched: Served):
    session = watched.session()
    with watched.client() as client:
        alarm = client.post(f"/api/sessions/{session}/messages", json={"text": DARK}).json()["alarm"]
    assert (alarm["help"], alarm["emergency"], alarm["country"]) == ([], "", "")


@pytest.mark.parametrize("text", [SAID, WORRY])
def test_where_there_is_no_danger_or_only_concern_there_is_no_alarm(watched: Served, text: str):
    session = watched.session()
    with watched.client() as client:
        turn = client.post(f"/api/sessions/{session}/messages", json={"text": text}).json()
    assert turn["state"] == "answered" and turn["alarm"] is None


async def test_the_live_socket_tells_of_it_at_once_and_speaks_the_reviewed_reply(watched: Served):
    session = watched.session(country="US")
    async with person(watched, session) as ana:
        await ana.send(kind="begin", voice=True)
        await ana.send(kind="say", text=DARK)
        screened = await ana.until(lambda each: each["kind"] == "happened" and each["event"]["kind"] == "screened")
        turn = await ana.turn("answered")
        await ana.kind("speech")
    assert screened["event"]["alert"]["tier"] == "imminent"
    assert turn["alarm"]["emergency"] == "911" and "988" in turn["reply"]


def test_a_reviewed_reply_is_not_looked_back_on(tmp_path: Path):
    model = good()
    with serving(tmp_path, model=model, reader=READER) as served:
        session = served.session()
        with served.client() as client:
            client.post(f"/api/sessions/{session}/messages", json={"text": DARK})
            trace = client.get(f"/api/sessions/{session}/turns/0/trace").text
    assert '"looking_back": true' not in trace and not model.asked("audit") and not model.asked("respond")


def test_an_alarm_outlasts_a_turn_that_fails_after_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def break_off(*_: object, **__: object) -> None:
        raise OSError("the disk is gone")

    monkeypatch.setattr("heartfelt.safety.turn.in_danger", break_off)
    with serving(tmp_path, reader=READER, country="GB") as served, served.client() as client:
        session = served.session()
        turn = client.post(f"/api/sessions/{session}/messages", json={"text": DARK}).json()
    assert turn["state"] == "failed" and turn["alarm"]["country"] == "GB" and turn["alarm"]["help"]


def test_a_turn_that_fails_without_danger_raises_no_alarm(tmp_path: Path):
    with serving(tmp_path, model=Stuck("perceive"), reader=READER, turn_seconds=0.5) as served, served.client() as client:
        session = served.session()
        turn = client.post(f"/api/sessions/{session}/messages", json={"text": SAID}).json()
    assert turn["state"] == "failed" and turn["alarm"] is None


def test_the_country_can_be_set_changed_and_unset(watched: Served):
    session = watched.session()
    with watched.client() as client:
        path = f"/api/sessions/{session}"
        assert client.get(path).json()["country"] == ""
        assert client.patch(path, json={"country": "gb"}).json()["country"] == "GB"
        assert client.patch(path, json={"title": "x"}).json()["country"] == "GB"
        assert client.patch(path, json={"country": ""}).json()["country"] == ""
        refused = client.patch(path, json={"country": "XX"})
        assert refused.status_code == 422 and "There is no country 'XX'" in refused.json()["message"]
        assert client.post("/api/sessions", json={"country": "Atlantis"}).status_code == 422


def test_a_server_s_own_country_stands_where_a_session_has_none(tmp_path: Path):
    with serving(tmp_path, reader=READER, country="gb") as served, served.client() as client:
        session, abroad = served.session(), served.session(country="US")
        assert client.get("/api/options").json()["country"] == "GB"
        assert client.get("/api/help").json()["country"] == "GB"
        told = [client.post(f"/api/sessions/{each}/messages", json={"text": DARK}).json() for each in (session, abroad)]
    assert [turn["alarm"]["country"] for turn in told] == ["GB", "US"]
    with pytest.raises(UnknownName, match="country"):
        ServerSettings(country="XX")


def test_help_is_there_without_any_danger(watched: Served):
    with watched.client() as client:
        everything = client.get("/api/help", params={"country": "us"}).json()
        for_one = client.get("/api/help", params={"country": "US", "danger": "abuse"}).json()
        nowhere = client.get("/api/help").json()
        unknown = client.get("/api/help", params={"country": "XX"})
        odd = client.get("/api/help", params={"danger": "boredom"})
    assert (everything["name"], everything["emergency"]) == ("the United States", "911")
    assert everything["checked"] == services.checked().isoformat() and len(everything["lines"]) > len(for_one["lines"]) >= 1
    assert all("abuse" in line.dangers for line in _lines("US") if line.name in {each["name"] for each in for_one["lines"]})
    assert (nowhere["country"], nowhere["lines"]) == ("", []) and {"code": "DE", "name": "Germany"} in nowhere["countries"]
    assert unknown.status_code == odd.status_code == 422


def test_what_a_server_offers_says_what_it_is(watched: Served):
    with watched.client() as client:
        options = client.get("/api/options").json()
    assert options["infers"] is True and "AI" in options["disclosure"]
    assert {"code": "US", "name": "the United States"} in options["countries"]


def test_an_openai_client_in_danger_hears_of_its_country(watched: Served):
    with watched.client() as client:
        asked = {"model": "heartfelt", "messages": [{"role": "user", "content": DARK}], "heartfelt": {"country": "us"}}
        answer = client.post("/v1/chat/completions", json=asked).json()
        calm = client.post("/v1/chat/completions", json=asked | {"messages": [{"role": "user", "content": SAID}]}).json()
    assert "988" in answer["choices"][0]["message"]["content"]
    assert calm["choices"][0]["message"]["content"] == REPLY


def _lines(code: str) -> tuple[services.ServiceLine, ...]:
    found = services.country(code)
    assert found is not None
    return found.lines


def test_the_protocol_is_a_page_for_anybody(watched: Served):
    with watched.client() as client:
        page = client.get("/protocol")
    assert page.status_code == 200 and page.headers["content-type"].startswith("text/html")
    assert "<h1>Safety protocol</h1>" in page.text and "988 Suicide &amp; Crisis Lifeline" in page.text
    assert "until they are deleted" in page.text and "<script" not in page.text
