"""Every refusal in one form: a status, a word for programs, a sentence for people."""

from collections.abc import Awaitable, Callable
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from heartfelt.errors import (
    HeartfeltError,
    InputError,
    MissingBuild,
    MissingExtra,
    ModelError,
    StoreError,
    UnknownName,
    UsageError,
)
from heartfelt.records import Record
from heartfelt.server.admission import Busy
from heartfelt.server.callers import NoEntrance, TooFast
from heartfelt.server.consent import NotInferred
from heartfelt.server.metrics import Metrics
from heartfelt.server.session_hub import SessionBusy
from heartfelt.server.store import NoSuchSession, NoSuchTurn, TurnHeld
from heartfelt.server.wire import Problem

_STATUS: tuple[tuple[type[HeartfeltError], int, str], ...] = (
    (NoSuchSession, 404, "not_found"),
    (NoSuchTurn, 404, "not_found"),
    (TurnHeld, 409, "occupied"),
    (NoEntrance, 401, "unauthorized"),
    (NotInferred, 403, "forbidden"),
    (TooFast, 429, "too_fast"),
    (Busy, 503, "busy"),
    (SessionBusy, 409, "occupied"),
    (InputError, 422, "invalid"),
    (UnknownName, 422, "invalid"),
    (UsageError, 422, "invalid"),
    (ModelError, 502, "model"),
    (MissingExtra, 501, "missing"),
    (MissingBuild, 501, "missing"),
    (StoreError, 503, "store"),
    (HeartfeltError, 500, "failed"),
)
_CODES = {400: "invalid", 403: "forbidden", 404: "not_found", 405: "method", 408: "too_slow", 413: "too_large"}
_SAID = {404: "There is nothing at {path}.", 405: "{method} is not possible at {path}."}

# FastAPI's own description of what can go wrong, for the OpenAPI document
RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "description": words}
    for status, words in (
        (400, "The request cannot be read."),
        (401, "A token is asked for."),
        (403, "It comes from another site, or for another host, or gives what may not be taken here."),
        (404, "There is no such thing, or it is not yours."),
        (408, "The request came too slowly."),
        (409, "The session is being answered already."),
        (413, "The request is too large."),
        (415, "The content has a form that is not taken here."),
        (422, "What was sent cannot be used."),
        (429, "Too many in a minute."),
        (502, "The model failed."),
        (503, "The server is busy or its store fails; `Retry-After` says when to come back."),
    )
}


class OpenAIProblem(Record):
    message: str
    type: str
    code: str | None
    param: str | None


class OpenAIRefusal(Record):
    """The same in the form that clients of that API read."""

    error: OpenAIProblem


OPENAI_RESPONSES = {status: {**told, "model": OpenAIRefusal} for status, told in RESPONSES.items()}


def problem_of(error: HeartfeltError) -> tuple[int, Problem, dict[str, str]]:
    status, code = next((status, code) for kind, status, code in _STATUS if isinstance(error, kind))
    seconds = getattr(error, "seconds", None)
    headers = {} if seconds is None else {"retry-after": str(max(1, round(seconds)))}
    if status == 401:
        headers["www-authenticate"] = "Bearer"
    return status, Problem(code=code, message=str(error)), headers


def refusal(request: Request, error: HeartfeltError) -> Response:
    """For what stands before the app, whose own handlers it never comes to."""
    status, problem, headers = problem_of(error)
    return JSONResponse(_body(request, status, problem), status, headers)


def answer_problems(app: FastAPI, metrics: Metrics) -> None:
    """Turn every exception of the app into a `Problem`."""

    def told(request: Request, status: int, problem: Problem, headers: dict[str, str] | None = None) -> Response:
        metrics.refused.labels(problem.code).inc()
        return JSONResponse(_body(request, status, problem), status, headers)

    async def foreseen(request: Request, error: Exception) -> Response:
        assert isinstance(error, HeartfeltError)
        return told(request, *problem_of(error))

    async def misfit(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        return told(request, 422, Problem(code="invalid", message=f"{where}: {first['msg']}."))

    async def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        status = error.status_code
        words = _SAID.get(status, str(error.detail)).format(path=request.url.path, method=request.method)
        problem = Problem(code=_CODES.get(status, "failed"), message=words)
        return told(request, status, problem, dict(error.headers or {}))

    async def gone(_request: Request, _error: Exception) -> Response:
        return Response(status_code=499)

    async def unforeseen(request: Request, error: Exception) -> Response:
        metrics.log.error("unforeseen", exc_info=error)
        return told(request, 500, Problem(code="failed", message=f"Something unforeseen went wrong ({type(error).__name__})."))

    handlers: dict[type[Exception], Callable[[Request, Exception], Awaitable[Response]]] = {
        HeartfeltError: foreseen,
        RequestValidationError: misfit,
        HTTPException: refused,
        ClientDisconnect: gone,
        Exception: unforeseen,
    }
    for kind, handler in handlers.items():
        app.add_exception_handler(kind, handler)


def _body(request: Request, status: int, problem: Problem) -> dict[str, object]:
    """Under `/v1` as an OpenAI client reads it."""
    if not request.url.path.startswith("/v1/"):
        return problem.model_dump()
    kind = "invalid_request_error" if status < 500 else "server_error"
    error = OpenAIProblem(message=problem.message, type=kind, code=problem.code, param=None)
    return OpenAIRefusal(error=error).model_dump()
