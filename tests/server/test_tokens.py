"""A shared server: nobody without a token comes in, by whatever way, and a name's sessions are its own."""

import asyncio
import hashlib
import stat
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx2 as httpx
import pytest
from openai import AuthenticationError, OpenAI
from websockets.asyncio.client import connect

from heartfelt.errors import StoreError, UnknownName, UsageError
from heartfelt.server import tokens
from heartfelt.server.tokens import TokenFile

from .live.person import person
from .serving import Served, serving

SAID = "I failed my driving test today, and my father laughed at me."


@dataclass
class Shared:
    served: Served
    file: Path
    ana: str
    ben: str


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shared]:
    folder = tmp_path_factory.mktemp("shared")
    file = folder / "tokens.toml"
    ana, ben = tokens.add(file, "ana"), tokens.add(file, "ben")
    with serving(folder, tokens=str(file)) as running:
        yield Shared(running, file, ana, ben)


@pytest.fixture
def browser(shared: Shared) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=shared.served.url, timeout=20) as client:
        yield client


# ── the file ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_file_holds_hashes_and_is_for_its_owner_alone(tmp_path: Path):
    file = tmp_path / "kept" / "tokens.toml"
    token = tokens.add(file, "ana")
    assert len(token) >= 43  # 256 bits
    assert token not in file.read_text() and tomllib.loads(file.read_text()) == {
        "ana": hashlib.sha256(token.encode()).hexdigest()
    }
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in file.parent.iterdir()] == ["tokens.toml"]


def test_names_are_added_listed_and_removed(tmp_path: Path):
    file = tmp_path / "tokens.toml"
    assert tokens.add(file, "ana") != tokens.add(file, "ben")
    assert tokens.names(file) == ["ana", "ben"]
    tokens.remove(file, "ana")
    assert tokens.names(file) == ["ben"]
    with pytest.raises(UsageError, match="has a token already"):
        tokens.add(file, "ben")
    with pytest.raises(UnknownName, match="There is no token 'ana'"):
        tokens.remove(file, "ana")
    for name in ("", "a b", 'x"', "é", "a" * 41):
        with pytest.raises(UsageError, match="is no name"):
            tokens.add(file, name)


def test_a_file_that_is_missing_or_damaged_is_told(tmp_path: Path):
    with pytest.raises(UsageError, match="heartfelt token add"):
        TokenFile(tmp_path / "none.toml")
    for text in ("{", "ana = 3", 'ana = "é"'):
        (tmp_path / "bad.toml").write_text(text)
        with pytest.raises(StoreError, match=r"bad\.toml"):
            TokenFile(tmp_path / "bad.toml")


def test_who_is_removed_is_out_at_once_and_a_file_that_is_gone_lets_nobody_in(tmp_path: Path):
    file = tmp_path / "tokens.toml"
    ana = tokens.add(file, "ana")
    known = TokenFile(file)
    assert known.name_of(ana) == "ana" and known.name_of("") is None and known.name_of("\udcff") is None
    ben = tokens.add(file, "ben")
    assert known.name_of(ben) == "ben"
    tokens.remove(file, "ana")
    assert known.name_of(ana) is None
    file.unlink()
    assert known.name_of(ben) is None


# ── the door ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_route_of_the_api_asks_for_a_token(shared: Shared, browser: httpx.Client):
    paths = browser.get("/openapi.json").json()["paths"]
    asked = {(path, method) for path, methods in paths.items() for method in methods if path.startswith(("/api/", "/v1/"))}
    assert len(asked) > 15
    for path, method in asked - {("/api/entrance", "post"), ("/api/entrance", "delete")}:
        answer = browser.request(method, path.format(session="x", number=0, name="maya"))
        assert answer.status_code == 401, (method, path, answer.text)
        assert answer.headers["www-authenticate"] == "Bearer" and "nosniff" in answer.headers["x-content-type-options"]
        told = answer.json()["error"] if path.startswith("/v1/") else answer.json()
        assert told["code"] == "unauthorized" and "asks for a token" in told["message"]
    assert {browser.get(path).status_code for path in ("/health", "/ready", "/metrics")} == {200}


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer wrong", "Basic {ana}", "{ana}", "bearer {ana}x", "Bearer é"])
def test_a_wrong_token_is_refused(shared: Shared, browser: httpx.Client, header: str):
    given = header.format(ana=shared.ana).encode()
    assert browser.get("/api/sessions", headers={b"authorization": given}).status_code == 401


def test_a_name_s_sessions_are_its_own(shared: Shared):
    session = shared.served.session(shared.ana)
    with shared.served.client(shared.ben) as ben, shared.served.client(shared.ana) as ana:
        assert ana.post(f"/api/sessions/{session}/messages", json={"text": SAID}).status_code == 200
        for path in ("", "/export", "/turns/0/trace", "/turns/0/speech.wav"):
            assert ben.get(f"/api/sessions/{session}{path}").status_code == 404
        assert ben.get("/api/sessions").json() == [] and ben.delete(f"/api/sessions/{session}").status_code == 404
        assert [line["id"] for line in ana.get("/api/sessions").json()] == [session]


def test_a_browser_comes_in_with_a_cookie_and_leaves(shared: Shared, browser: httpx.Client):
    assert browser.post("/api/entrance", json={"token": "wrong"}).status_code == 401
    came = browser.post("/api/entrance", json={"token": shared.ben})
    cookie = came.headers["set-cookie"].lower()
    assert came.status_code == 204 and "httponly" in cookie and "samesite=strict" in cookie and "secure" not in cookie
    made = browser.post("/api/sessions", json={})
    assert made.status_code == 201 and "set-cookie" not in made.headers
    with shared.served.client(shared.ben) as ben:
        assert ben.get(f"/api/sessions/{made.json()['id']}").status_code == 200
    assert browser.delete("/api/entrance").status_code == 204
    assert browser.get("/api/sessions").status_code == 401


async def test_the_live_socket_asks_too(shared: Shared):
    session = shared.served.session(shared.ana)
    async with person(shared.served, session, who=shared.ana) as ana:
        await ana.kind("ready")
    cookie = {"cookie": f"heartfelt-token={shared.ana}", "origin": shared.served.url}
    async with asyncio.timeout(10), connect(shared.served.live.format(session), additional_headers=cookie) as socket:
        assert '"ready"' in str(await socket.recv())
    for headers in ({}, {"authorization": "Bearer wrong"}, {"cookie": "heartfelt-token=wrong"}, {"cookie": "heartfelt=x"}):
        with pytest.raises(Exception, match="403"):
            await connect(shared.served.live.format(session), additional_headers=headers)


async def test_whose_token_is_removed_is_out_of_an_open_socket_too(shared: Shared):
    cem = tokens.add(shared.file, "cem")
    session = shared.served.session(cem)
    async with person(shared.served, session, who=cem) as talking:
        await talking.kind("ready")
        tokens.remove(shared.file, "cem")
        async with asyncio.timeout(10):
            await talking.socket.wait_closed()
        assert talking.socket.close_code == 4401


def test_an_openai_client_s_key_is_its_token(shared: Shared):
    asked = {"model": "heartfelt", "messages": [{"role": "user", "content": SAID}]}
    known = OpenAI(base_url=f"{shared.served.url}/v1", api_key=shared.ana, max_retries=0)
    assert known.chat.completions.create(**asked).choices[0].message.content  # type: ignore[call-overload]
    with pytest.raises(AuthenticationError, match="asks for a token"):
        OpenAI(base_url=f"{shared.served.url}/v1", api_key="wrong", max_retries=0).models.list()


def test_who_tries_too_often_has_to_wait_and_others_do_not(tmp_path: Path):
    file = tmp_path / "tokens.toml"
    ana = tokens.add(file, "ana")
    with serving(tmp_path, tokens=str(file), messages_a_minute=8) as served, served.client("wrong") as stranger:
        tried = [stranger.get("/api/sessions") for _ in range(3)]
        entered = stranger.post("/api/entrance", json={"token": "wrong too"})
        with served.client(ana) as known:
            assert known.get("/api/sessions").status_code == 200
        refusals = stranger.get("/metrics").text
    assert [answer.status_code for answer in (*tried, entered)] == [401, 401, 429, 429]
    assert int(entered.headers["retry-after"]) >= 1
    assert 'heartfelt_refused_total{code="unauthorized"} 2.0' in refusals


def test_over_https_the_cookie_and_every_answer_say_so(tmp_path: Path):
    file = tmp_path / "tokens.toml"
    ana = tokens.add(file, "ana")
    with serving(tmp_path, tokens=str(file), secure=True) as served, httpx.Client(base_url=served.url) as browser:
        came = browser.post("/api/entrance", json={"token": ana})
        refused = browser.get("/api/sessions")
    assert "secure" in came.headers["set-cookie"].lower()
    assert refused.status_code == 401 and "max-age=" in refused.headers["strict-transport-security"]


def test_without_a_token_file_nobody_is_asked(served: Served):
    with httpx.Client(base_url=served.url) as browser:
        assert browser.post("/api/entrance", json={"token": "anything"}).status_code == 204
        options = browser.get("/api/options")
    assert options.status_code == 200 and "strict-transport-security" not in options.headers


def test_a_server_whose_token_file_is_missing_does_not_start(tmp_path: Path):
    with pytest.raises(UsageError, match="There is no token file"), serving(tmp_path, tokens=str(tmp_path / "none.toml")):
        raise AssertionError("it started")
