"""The API's description is whole, and its page shows all of it without a script and without another server."""

import re
from typing import Any

import pytest

from heartfelt.server.app import create_app

from .serving import Served


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return create_app().openapi()


def operations(document: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [(path, operation) for path, methods in document["paths"].items() for operation in methods.values()]


def references(value: Any) -> set[str]:
    if isinstance(value, dict):
        own = {value["$ref"]} if isinstance(value.get("$ref"), str) else set[str]()
        return own.union(*map(references, value.values()))
    return set[str]().union(*map(references, value)) if isinstance(value, list) else set()


def test_every_record_that_is_named_is_there(document: dict[str, Any]):
    there = {f"#/components/schemas/{name}" for name in document["components"]["schemas"]}
    assert references(document) <= there
    assert {"ChatRequest", "ChatCompletion", "ChatChunk", "TurnView", "Problem", "OpenAIRefusal"} <= {
        name.rpartition("/")[2] for name in there
    }


def test_every_operation_says_what_it_does_takes_and_brings(document: dict[str, Any]):
    tags = {tag["name"] for tag in document["tags"]}
    ids = [operation["operationId"] for _, operation in operations(document)]
    assert len(ids) == len(set(ids)) > 25
    for path, operation in operations(document):
        assert operation["description"] and set(operation["tags"]) <= tags, path
        success = next(answer for status, answer in operation["responses"].items() if status.startswith("2"))
        assert "204" in operation["responses"] or success["content"], path
        assert all(told.get("schema") for told in success.get("content", {}).values()), path


def test_refusals_are_described_in_the_form_that_they_have(document: dict[str, Any]):
    for path, operation in operations(document):
        for status, answer in operation["responses"].items():
            if status.startswith(("4", "5")):
                form = "OpenAIRefusal" if path.startswith("/v1/") else "Problem"
                assert references(answer) == {f"#/components/schemas/{form}"}, (path, status)
        assert ("422" in operation["responses"]) is not path.startswith("/v1/")


def test_how_to_come_in_is_described(document: dict[str, Any]):
    assert document["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    assert document["security"] == [{}, {"token": []}]


def test_what_is_served_is_the_same_document(served: Served, document: dict[str, Any]):
    with served.client() as client:
        assert client.get("/openapi.json").json() == document


def test_the_page_shows_every_operation_and_record_and_asks_no_other_server(served: Served, document: dict[str, Any]):
    with served.client() as client:
        answer = client.get("/docs")
    page = answer.text
    assert answer.status_code == 200 and answer.headers["content-type"].startswith("text/html")
    assert "<script" not in page and re.findall(r'(?:src|href)="(?!#)([^"]*)"', page) == ["heart.svg", "openapi.json"]
    for path, methods in document["paths"].items():
        assert all(f"<code>{method.upper()} {path}</code>" in page for method in methods)
    assert all(f'id="{name}"' in page for name in document["components"]["schemas"])
    assert set(re.findall(r'href="#([^"]*)"', page)) <= set(re.findall(r'id="([^"]*)"', page))
    assert f"curl {served.url}/v1/chat/completions" in page
