"""Refusals in the form that clients of OpenAI's API read."""

from collections.abc import Iterable, Mapping
from typing import Any

from heartfelt.records import Record
from heartfelt.server.chat.request import UNSUPPORTED
from heartfelt.server.wire import Problem

_TYPES = {429: "rate_limit_error"}
_CODES = {"extra_forbidden": "unknown_parameter", "missing": "missing_required_parameter", UNSUPPORTED: UNSUPPORTED}
"""By what pydantic calls the fault."""
_UNKNOWN = "There is no such field. /docs has all of them."


class OpenAIProblem(Record):
    message: str
    type: str
    param: str | None
    """The field that is at fault, such as `messages[0].content`."""
    code: str | None


class OpenAIRefusal(Record):
    """The same in the form that clients of that API read."""

    error: OpenAIProblem


def speaks_openai(path: str) -> bool:
    return path == "/v1" or path.startswith("/v1/")


def openai_refusal(status: int, problem: Problem, param: str | None = None) -> tuple[int, OpenAIRefusal]:
    """That API knows no 422."""
    kind = "server_error" if status >= 500 else _TYPES.get(status, "invalid_request_error")
    error = OpenAIProblem(message=problem.message, type=kind, param=param, code=problem.code)
    return 400 if status == 422 else status, OpenAIRefusal(error=error)


def misfit(fault: Mapping[str, Any]) -> tuple[Problem, str | None]:
    """A fault that pydantic found in a request, with the field that has it."""
    param = None if fault["type"] == "json_invalid" else _path(fault["loc"][1:]) or None
    words = _UNKNOWN if fault["type"] == "extra_forbidden" else f"{_in_json(fault['msg']).rstrip('.')}."
    message = f"{param}: {words}" if param else words
    return Problem(code=_CODES.get(fault["type"], "invalid_value"), message=message), param


def _in_json(words: str) -> str:
    """A list is one in JSON, whatever it becomes here."""
    return (
        words.replace("Tuple should", "The list should").replace("valid tuple", "valid list").replace(" after validation", "")
    )


def _path(parts: Iterable[str | int]) -> str:
    """As `messages[0].content`."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in parts).lstrip(".")
