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
from heartfelt.server.admission import Busy
from heartfelt.server.bodies import NoRoom, TooMuchHeld
from heartfelt.server.callers import NoEntrance, TooFast
from heartfelt.server.chat import refusal as chat
from heartfelt.server.chat.dialogue import TooLong
from heartfelt.server.chat.models import UnknownModel
from heartfelt.server.consent import NotInferred
from heartfelt.server.metrics import Metrics
from heartfelt.server.store import NoSuchSession, NoSuchTurn, SessionBusy, TurnHeld
from heartfelt.server.turns import TurnTooLong
from heartfelt.server.wire import Problem
from heartfelt.server.workshop import TooMuch

_STATUS: tuple[tuple[type[HeartfeltError], int, str], ...] = (
    (NoSuchSession, 404, "not_found"),
    (NoSuchTurn, 404, "not_found"),
    (TurnHeld, 409, "occupied"),
    (NoEntrance, 401, "unauthorized"),
    (NotInferred, 403, "forbidden"),
    (TooFast, 429, "too_fast"),
    (TooMuch, 429, "too_fast"),
    (TooMuchHeld, 429, "too_fast"),
    (NoRoom, 503, "busy"),
    (Busy, 503, "busy"),
    (SessionBusy, 409, "occupied"),
    (UnknownModel, 404, "model_not_found"),
    (TooLong, 413, "too_large"),
    (InputError, 422, "invalid"),
    (UnknownName, 422, "invalid"),
    (UsageError, 422, "invalid"),
    (ModelError, 502, "model"),
    (TurnTooLong, 504, "too_slow"),
    (MissingExtra, 501, "missing"),
    (MissingBuild, 501, "missing"),
    (StoreError, 503, "store"),
    (HeartfeltError, 500, "failed"),
)
_CODES = {
    400: "invalid",
    403: "forbidden",
    404: "not_found",
    405: "method",
    408: "too_slow",
    413: "too_large",
    429: "too_fast",
    503: "busy",
}
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
        (504, "The turn took too long."),
    )
}


OPENAI_RESPONSES = {status: {**told, "model": chat.OpenAIRefusal} for status, told in RESPONSES.items() if status != 422}


def problem_of(error: HeartfeltError) -> tuple[int, Problem, dict[str, str]]:
    status, code = next((status, code) for kind, status, code in _STATUS if isinstance(error, kind))
    seconds = getattr(error, "seconds", None)
    headers = {} if seconds is None else {"retry-after": str(max(1, round(seconds)))}
    if status == 401:
        headers["www-authenticate"] = "Bearer"
    return status, Problem(code=code, message=sayable(str(error))), headers


def sayable(text: str) -> str:
    """What cannot be written as UTF-8, half a character, is spelt out."""
    return text.encode("utf-8", "backslashreplace").decode()


def refusal(request: Request, error: HeartfeltError) -> Response:
    """For what stands before the app, whose own handlers it never comes to."""
    status, problem, headers = problem_of(error)
    return as_response(request.url.path, status, problem, headers)


def as_response(
    path: str, status: int, problem: Problem, headers: dict[str, str] | None = None, param: str | None = None
) -> Response:
    """Under `/v1` as a client of OpenAI's API reads it."""
    problem = problem.model_copy(update={"message": sayable(problem.message)})
    param = None if param is None else sayable(param)
    if not chat.speaks_openai(path):
        return JSONResponse(problem.model_dump(), status, headers)
    status, body = chat.openai_refusal(status, problem, param)
    return JSONResponse(body.model_dump(), status, headers)


def answer_problems(app: FastAPI, metrics: Metrics) -> None:
    """Turn every exception of the app into a `Problem`."""

    def told(
        request: Request, status: int, problem: Problem, headers: dict[str, str] | None = None, param: str | None = None
    ) -> Response:
        metrics.refused.labels(problem.code).inc()
        return as_response(request.url.path, status, problem, headers, param)

    async def foreseen(request: Request, error: Exception) -> Response:
        assert isinstance(error, HeartfeltError)
        return told(request, *problem_of(error), getattr(error, "param", None))

    async def misfit(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        first = error.errors()[0]
        if chat.speaks_openai(request.url.path):
            problem, param = chat.misfit(first)
            return told(request, 422, problem, param=param)
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
