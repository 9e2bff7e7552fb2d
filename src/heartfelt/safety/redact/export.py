"""Whole exports: a text, a session, a trace."""

import json
from typing import Any

from heartfelt.safety.redact.redactor import Redactor


def redact_text(text: str) -> str:
    return Redactor().text(text)


def redacted_json(data: Any) -> Any:
    return Redactor().data(data)


def redacted_trace(lines: bytes) -> bytes:
    """A trace file, still readable by `Trace.parse`. A line that was cut short by a kill is left out: it cannot be checked."""
    events: list[Any] = []
    for line in lines.split(b"\n"):
        if line.strip():
            try:
                events.append(json.loads(line))
            except (ValueError, RecursionError):
                continue
    return b"".join(json.dumps(event, ensure_ascii=False).encode() + b"\n" for event in Redactor().data(events))
