"""The page over HTTP: blind, and deaf to whatever does not fit."""

import json
import re
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.evaluation.judging.runs import GOLD, run
from tests.evaluation.rating.test_desk import desk

from heartfelt.evaluation.rating import ratings
from heartfelt.evaluation.rating.app import COOKIE, LARGEST, app, page

HTML = "<script>alert(1)</script><img src=x onerror=alert(2)>"
SECRETS = ("warm-system", "cold-system", "embedded:", GOLD, "gold-sadness", "made-up", "condition", "source")


@pytest.fixture(params=["likert", "ab"])
def client(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[TestClient, None, None]:
    folder = run(tmp_path / "the-run", items=3, replies={"cold-system": HTML})
    with desk(folder, mode=request.param) as opened:
        yield TestClient(app(opened), base_url="http://127.0.0.1")


def begin(client: TestClient, name: str = "Ada") -> str:
    return client.post("/begin", json={"name": name}).json()["link"]


def marks(client: TestClient) -> dict[str, Any]:
    about = client.get("/about").json()
    return {each["name"]: 4 if about["mode"] == "likert" else "first" for each in about["criteria"]}


def test_from_the_first_screen_to_the_thanks_nothing_says_who_wrote_what(client: TestClient) -> None:
    heard = [client.get("/").text, client.get("/about").text]
    link = begin(client)
    given, now = marks(client), client.get(f"{link}/now")
    heard.append(client.get(link).text)
    while not now.json()["finished"]:
        heard.append(now.text + str(now.headers))
        now = client.post(f"{link}/mark", json={"ticket": now.json()["ticket"], "marks": given})
    heard.append(now.text)
    assert now.json()["done"] == now.json()["of"] == (6 if "fluency" in given else 3)
    for secret in (*SECRETS[:6], "the-run"):
        assert not any(secret in text for text in heard), secret
    assert set(now.json()) == {"name", "done", "of", "can_undo", "finished"}
    assert set(json.loads(heard[3].split("Headers")[0])) == {
        *("name", "done", "of", "can_undo", "finished"),
        *("ticket", "listener", "turns", "replies", "marks"),
    }


def test_tickets_do_not_tell_systems_apart(client: TestClient) -> None:
    link = begin(client)
    assert re.fullmatch(r"[0-9a-f]{16}", client.get(f"{link}/now").json()["ticket"])


def test_html_in_a_reply_stays_text(client: TestClient) -> None:
    """It only ever travels as JSON, and the page writes it with textContent; should that fail, the policy stops it."""
    link = begin(client)
    answers = [client.get(f"{link}/now")]
    assert all(each.headers["content-type"] == "application/json" for each in answers)
    assert all(each.headers["x-content-type-options"] == "nosniff" for each in answers)
    script = page().html.partition("<script>")[2]
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", script)
    policy = client.get(link).headers["content-security-policy"]
    assert "default-src 'none'" in policy and "script-src 'sha256-" in policy and "unsafe-eval" not in policy


def test_the_page_fetches_nothing_from_elsewhere(client: TestClient) -> None:
    assert not re.search(r"https?://|//cdn|@import|url\(", client.get("/").text)


@pytest.mark.parametrize("path", ["/r/{}/now", "/r/{}/mark", "/r/{}/undo"])
def test_a_wrong_token_is_refused(client: TestClient, path: str) -> None:
    token = begin(client).removeprefix("/r/")
    for wrong in ("x", token[:-1], token + "0", token.upper() + "!", "%2e%2e", "é"):
        asked = client.get if path.endswith("now") else lambda at: client.post(at, json={})
        assert asked(path.format(wrong)).status_code == 404


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"[]", 400),
        (b'{"ticket": 3, "marks": {}}', 400),
        (b'{"ticket": "x", "marks": []}', 400),
        (b'{"ticket": "\xc3\xa9", "marks": {}}', 409),
        (b"[" * 9000, 400),
        (b" " * (LARGEST + 1), 413),
    ],
)
def test_a_wrong_body_is_refused(client: TestClient, body: bytes, status: int) -> None:
    link = begin(client)
    answer = client.post(f"{link}/mark", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == status and answer.json()["error"]
    assert client.get(f"{link}/now").json()["done"] == 0


def test_marks_out_of_range_are_refused(client: TestClient) -> None:
    link = begin(client)
    ticket = client.get(f"{link}/now").json()["ticket"]
    for wrong in (0, 6, "left", None):
        answer = client.post(f"{link}/mark", json={"ticket": ticket, "marks": dict.fromkeys(marks(client), wrong)})
        assert answer.status_code == 400 and "A mark is one of" in answer.json()["error"]


def test_other_sites_cannot_speak_for_a_rater(client: TestClient) -> None:
    link = begin(client)
    assert client.post(f"{link}/undo", data={"a": "b"}).status_code == 415
    assert client.get("/about", headers={"host": "evil.example"}).status_code == 400


def test_who_comes_back_is_known_by_a_cookie_that_no_script_reads(client: TestClient) -> None:
    answer = client.post("/begin", json={"name": "Ada"})
    assert "HttpOnly" in answer.headers["set-cookie"] and "samesite=strict" in answer.headers["set-cookie"].lower()
    assert client.get("/about").json()["back"] == {"name": "Ada", "link": answer.json()["link"]}
    client.cookies.set(COOKIE, "guessed")
    assert client.get("/about", headers={"cookie": f"{COOKIE}=guessed"}).status_code == 200


def test_undo_and_its_limits(client: TestClient) -> None:
    link, given = begin(client), marks(client)
    now = client.get(f"{link}/now").json()
    after = client.post(f"{link}/mark", json={"ticket": now["ticket"], "marks": given}).json()
    assert after["can_undo"]
    back = client.post(f"{link}/undo", json={}).json()
    assert back["ticket"] == now["ticket"] and back["marks"] == given
    assert client.post(f"{link}/undo", json={}).status_code == 400


def test_two_raters_do_not_meet(client: TestClient) -> None:
    ada, bo = begin(client, "Ada"), begin(client, "Bo")
    ticket = client.get(f"{ada}/now").json()["ticket"]
    assert client.post(f"{bo}/mark", json={"ticket": ticket, "marks": marks(client)}).status_code == 409
    assert client.post("/begin", json={"name": "ada"}).status_code == 400
    assert client.post("/begin", json={"name": 7}).status_code == 400


def test_marks_are_on_the_disk_at_once(tmp_path: Path) -> None:
    folder = run(tmp_path)
    with desk(folder) as opened:
        client = TestClient(app(opened), base_url="http://127.0.0.1")
        link = begin(client)
        ticket = client.get(f"{link}/now").json()["ticket"]
        client.post(f"{link}/mark", json={"ticket": ticket, "marks": marks(client)})
        assert len(ratings([folder])) == 1
