"""The API's description: one document for programs, and what a page for people shows of it."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from fastapi import FastAPI
from fastapi.routing import APIRoute
from markupsafe import Markup
from pydantic.json_schema import models_json_schema

from heartfelt.server.chat.completion import ChatChunk
from heartfelt.server.chat.refusal import speaks_openai
from heartfelt.server.pages import inline
from heartfelt.server.wire import ErrorNotice, Happened, TurnChanged, Waiting

Schema = Mapping[str, Any]
EVENTS = "text/event-stream"
ABOUT = (
    "Refusals under `/v1` have the form that OpenAI's clients read; all others are a `Problem`. Where the server asks for "
    "tokens, everything under `/api` and `/v1` takes one as `Authorization: Bearer …`. The messages of the live socket, "
    "`WS /api/sessions/{session}/live`, stand in the reference of the documentation."
)
TAGS = [
    {"name": "OpenAI-compatible", "description": "Heartfelt as a chat model, for clients that keep their talks themselves."},
    {"name": "sessions", "description": "Talks that the server keeps: begin, read, change, export, delete."},
    {"name": "turns", "description": "Say something in a session, be answered, and see how the answer came about."},
    {"name": "identities", "description": "Who can answer."},
    {"name": "help", "description": "Where people help, and what the server does about danger."},
    {"name": "entrance", "description": "For browsers, where a server asks for tokens."},
    {"name": "operators", "description": "For those who run the server."},
]
_STREAMED = (ChatChunk, Happened, TurnChanged, Waiting, ErrorNotice)
"""What events of a stream hold: no route's answer names them."""
_REFERENCE = "#/components/schemas/"
_SECURITY = {
    "token": {"type": "http", "scheme": "bearer", "description": "An OpenAI client's `api_key`. Not needed unless asked for."}
}


def brings(mime: str, *records: str) -> dict[int | str, dict[str, Any]]:
    """What a success brings, where that is no record or not only one. Refusals stay JSON."""
    schema = {"anyOf": [{"$ref": _REFERENCE + name} for name in records]} if records else {"type": "string"}
    return {200: {"content": {mime: {"schema": schema}}}}


def operation_id(route: APIRoute) -> str:
    return route.name


def complete(app: FastAPI) -> None:
    """Add to FastAPI's document what it cannot know."""
    made = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            document = made()
            for path, operations in document["paths"].items():
                for operation in operations.values():
                    _mend(path, operation["responses"])
            streamed = models_json_schema([(each, "serialization") for each in _STREAMED], ref_template=_REFERENCE + "{model}")
            parts = document["components"]
            parts["schemas"] = dict(sorted((streamed[1]["$defs"] | parts["schemas"]).items()))
            parts["securitySchemes"] = _SECURITY
            document["security"] = [{}, {"token": []}]
        return app.openapi_schema or {}

    app.openapi = openapi


def _mend(path: str, responses: dict[str, Any]) -> None:
    """FastAPI knows one form of a refusal for all routes, and calls every success alike."""
    if speaks_openai(path):
        responses.pop("422", None)
    for answer in responses.values():
        if answer["description"] == "Successful Response":
            answer["description"] = "What was asked for."


# ── for people ──────────────────────────────────────────────────────────────────────────────────────────────────────


def shown(document: Schema) -> dict[str, Any]:
    """What the page shows, in its order."""
    return {
        "version": document["info"]["version"],
        "about": inline(document["info"]["description"]),
        "groups": [_group(tag, document) for tag in document["tags"]],
        "records": [_record(name, schema) for name, schema in document["components"]["schemas"].items()],
    }


def _group(tag: Schema, document: Schema) -> dict[str, Any]:
    operations = [
        _operation(method, path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
        if tag["name"] in operation["tags"]
    ]
    return {"id": _anchor(tag["name"]), "name": tag["name"], "about": inline(tag["description"]), "operations": operations}


def _operation(method: str, path: str, operation: Schema) -> dict[str, Any]:
    return {
        "id": operation["operationId"],
        "method": method.upper(),
        "path": path,
        "about": inline(operation["description"]),
        "parameters": [
            _field(each["name"], each["schema"] | {"description": each.get("description", "")}, needed=each["required"])
            for each in operation.get("parameters", ())
        ],
        "body": _content(operation["requestBody"]["content"]) if "requestBody" in operation else "",
        "answers": [
            {"status": status, "about": inline(answer["description"]), "content": _content(answer.get("content", {}))}
            for status, answer in operation["responses"].items()
        ],
    }


def _content(content: Schema) -> Markup:
    kinds = (Markup("<code>{}</code> {}").format(mime, _type(told.get("schema", {}))) for mime, told in content.items())
    return Markup("<br>").join(kinds)


def _record(name: str, schema: Schema) -> dict[str, Any]:
    needed = schema.get("required", ())
    fields = [_field(field, inner, needed=field in needed) for field, inner in schema.get("properties", {}).items()]
    return {"name": name, "about": inline(schema.get("description", "")), "fields": fields}


def _field(name: str, schema: Schema, *, needed: bool) -> dict[str, Any]:
    usual = schema.get("default")
    return {
        "name": name,
        "type": _type(schema),
        "needed": needed,
        "usual": "" if usual is None or isinstance(usual, dict) or usual in ("", []) else json.dumps(usual),
        "about": inline(schema.get("description", "")),
    }


def _type(schema: Schema) -> Markup:
    return Markup(" or ").join(dict.fromkeys(_types(schema)))


def _types(schema: Schema) -> Iterator[Markup]:
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(_REFERENCE)
        yield Markup('<a href="#{0}">{0}</a>').format(name)
    elif several := schema.get("anyOf") or schema.get("oneOf"):
        for each in several:
            yield from _types(each)
    elif "enum" in schema or "const" in schema:
        for value in schema.get("enum", [schema.get("const")]):
            yield Markup("<code>{}</code>").format(json.dumps(value))
    elif schema.get("type") == "array":
        yield Markup("list of {}").format(_type(schema.get("items", {})))
    else:
        yield Markup(schema.get("format") or schema.get("type", "anything"))


def _anchor(name: str) -> str:
    return name.lower().replace(" ", "-")
