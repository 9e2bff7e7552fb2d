"""The wire as TypeScript: `python -m heartfelt.server.schema` prints what `web/src/wire.ts` holds.

Every record that the server sends or takes becomes an interface with its docstrings, and every closed vocabulary that a person
may choose from when editing a step becomes a constant. So the web app cannot drift away from the records.
"""

import json
import sys
from collections.abc import Iterator
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import models_json_schema

from heartfelt.agents.plan import DIMENSIONS
from heartfelt.agents.strategy import STRATEGIES
from heartfelt.events import AnyEvent
from heartfelt.labels import LABEL_SETS
from heartfelt.records import Output, Record
from heartfelt.server import wire

JSONSchema = dict[str, Any]

_HEAD = """\
// Written by `npm run types` from src/heartfelt/server/wire.py. Change that file and run it again; edits here are lost.
"""
_WRITTEN = (wire.ServerOptions, wire.SessionLine, wire.SessionView, wire.Problem, wire.Afterthought, wire.Help)
"""What the server answers with, beside what the socket sends."""
_READ = (wire.SessionRequest, wire.SessionChange, wire.Said, wire.Replay, wire.Keep, wire.Entrance)
_ASKED = {record.__name__ for record in _READ}
"""Where a field with a usual value may be left out; in what is sent, pydantic writes those too."""
_UNIONS: dict[str, Any] = {
    "FromClient": wire.FromClient,
    "FromServer": wire.FromServer,
    "TraceEvent": AnyEvent,
    "Output": Output,
}
_PLAIN = {"string": "string", "number": "number", "integer": "number", "boolean": "boolean", "null": "null", None: "unknown"}


def typescript() -> str:
    """The whole file."""
    parts = [_HEAD, *_interfaces(), *_aliases(), *_constants()]
    return "\n".join(parts)


def _interfaces() -> Iterator[str]:
    for name, schema in sorted(_definitions().items()):
        yield _interface(name, schema)


def _definitions() -> dict[str, JSONSchema]:
    """What is sent has all its fields; what is asked for may leave out those with a usual value."""
    found: dict[str, JSONSchema] = {}
    for union in _UNIONS.values():
        found |= TypeAdapter(union).json_schema(mode="serialization").get("$defs", {})
    found |= _of(_WRITTEN, "serialization")
    return found | _of(_READ, "validation")


def _of(records: tuple[type[Record], ...], mode: Any) -> dict[str, JSONSchema]:
    return models_json_schema([(record, mode) for record in records])[1].get("$defs", {})


def _interface(name: str, schema: JSONSchema) -> str:
    required = schema.get("required", ()) if name in _ASKED else schema.get("properties", {})
    lines = [*_comment(schema.get("description", ""), ""), f"export interface {name} {{"]
    for field, inner in schema.get("properties", {}).items():
        lines += _comment(inner.get("description", ""), "  ")
        lines.append(f"  {field}{'' if field in required else '?'}: {_type(inner)};")
    return "\n".join([*lines, "}", ""])


def _type(schema: JSONSchema) -> str:
    if "$ref" in schema:
        return schema["$ref"].rpartition("/")[2]
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " | ".join(dict.fromkeys(_type(option) for option in schema[several]))
    if schema.get("type") == "array":
        return _list(schema)
    if schema.get("type") == "object":
        return f"Record<string, {_values(schema)}>"
    return _PLAIN[schema.get("type")]


def _list(schema: JSONSchema) -> str:
    if "prefixItems" in schema:
        return f"readonly [{', '.join(_type(item) for item in schema['prefixItems'])}]"
    inner = _type(schema.get("items", {}))
    return f"readonly ({inner})[]" if "|" in inner else f"readonly {inner}[]"


def _values(schema: JSONSchema) -> str:
    values = schema.get("additionalProperties", True)
    return _type(values) if isinstance(values, dict) else "unknown"


def _comment(text: str, indent: str) -> list[str]:
    words = " ".join(text.split())
    return [f"{indent}/** {words} */"] if words else []


def _aliases() -> Iterator[str]:
    for name, union in _UNIONS.items():
        yield f"export type {name} = {_type(TypeAdapter(union).json_schema(mode='serialization'))};\n"


def _constants() -> Iterator[str]:
    yield f"export const SOUND_IN = {wire.SOUND_IN};\nexport const SOUND_OUT = {wire.SOUND_OUT};\n"
    sets = {name: list(labels.labels) for name, labels in LABEL_SETS.items()}
    yield _constant("LABELS", "The label sets that emotions, causes and the like are taken from.", sets)
    plan = {name: list(options) for name, options in DIMENSIONS.items()}
    yield _constant("PLAN", "The four vocabularies of a plan.", plan)
    yield _constant("STRATEGIES", "The strategies by their codes.", STRATEGIES)


def _constant(name: str, about: str, value: Any) -> str:
    kind = "Record<string, string>" if isinstance(next(iter(value.values())), str) else "Record<string, readonly string[]>"
    return f"/** {about} */\nexport const {name}: {kind} = {json.dumps(value, indent=2, ensure_ascii=False)};\n"


if __name__ == "__main__":
    sys.stdout.write(typescript())
