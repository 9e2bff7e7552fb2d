"""The desk over HTTP: one page, and the few questions that it asks. Whatever does not fit is refused with a reason.

| request | gives |
|---|---|
| `GET /`, `GET /r/TOKEN` | the page |
| `GET /about` | how much there is to rate, on what, and who is back |
| `POST /begin` | a rater's own link |
| `GET /r/TOKEN/now` | what is shown next |
| `POST /r/TOKEN/mark`, `POST /r/TOKEN/undo` | the same, afterwards |
"""

import base64
import json
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, NamedTuple, NoReturn

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from heartfelt.errors import HeartfeltError, UsageError
from heartfelt.evaluation.rating.desk import SECONDS, Desk, DeskRater, Stale

HOSTS = ["127.0.0.1", "localhost"]
LARGEST = 10_000
"""Bytes of what a browser sends: a few marks."""
COOKIE = "heartfelt_rater"
COOKIE_SECONDS = 90 * 24 * 3600
HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}
LOST = "This link is not known. Ask whoever invited you for your own, or begin again."


class Page(NamedTuple):
    html: str
    policy: str
    """What the browser may do with it: run its own script, draw its own style, and talk to this server."""


@cache
def page() -> Page:
    """The same for everyone: who rates what is fetched, so nothing of it can stand in the page's source."""
    loaders = [PackageLoader("heartfelt.evaluation.rating"), PackageLoader("heartfelt.page")]
    environment = Environment(loader=ChoiceLoader(loaders), autoescape=True, undefined=StrictUndefined)
    script = files("heartfelt.evaluation.rating").joinpath("templates", "rate.js").read_text("utf-8")
    html = environment.get_template("rate.html").render(script=Markup(script))
    fingerprint = base64.b64encode(sha256(script.encode()).digest()).decode()
    allowed = f"script-src 'sha256-{fingerprint}'; style-src 'unsafe-inline'; img-src data:; connect-src 'self'"
    return Page(html, f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")


def app(desk: Desk) -> Starlette:
    """The application; it needs a desk that is open."""
    handlers = _Handlers(desk)
    return Starlette(
        routes=[
            Route("/", handlers.show),
            Route("/about", handlers.about),
            Route("/begin", handlers.begin, methods=["POST"]),
            Route("/r/{token}", handlers.show),
            Route("/r/{token}/now", handlers.now),
            Route("/r/{token}/mark", handlers.mark, methods=["POST"]),
            Route("/r/{token}/undo", handlers.undo, methods=["POST"]),
        ],
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=HOSTS)],
        exception_handlers={HTTPException: _refused, HeartfeltError: _failed},
    )


class _Handlers:
    def __init__(self, desk: Desk):
        self._desk = desk

    async def show(self, _request: Request) -> Response:
        made = page()
        return HTMLResponse(made.html, headers=HEADERS | {"Content-Security-Policy": made.policy})

    async def about(self, request: Request) -> Response:
        desk, back = self._desk, self._desk.rater(request.cookies.get(COOKIE, ""))
        screens = desk.screens
        told = {
            "mode": desk.mode,
            "screens": screens,
            "minutes": max(1, round(screens * SECONDS[desk.mode] / 60)),
            "criteria": [_question(each, desk.mode) for each in desk.criteria],
            "full": desk.full,
            "back": {"name": back.name, "link": _link(back)} if back else None,
        }
        return _json(told)

    async def begin(self, request: Request) -> Response:
        given = await _body(request)
        name = given.get("name")
        if not isinstance(name, str):
            _refuse(400, "Please give a name or initials.")
        rater = _kindly(lambda: self._desk.begin(name))
        answer = _json({"link": _link(rater)})
        answer.set_cookie(COOKIE, rater.token, max_age=COOKIE_SECONDS, httponly=True, samesite="strict")
        return answer

    async def now(self, request: Request) -> Response:
        return _json(self._desk.screen(self._rater(request)))

    async def mark(self, request: Request) -> Response:
        rater, given = self._rater(request), await _body(request)
        ticket, marks = given.get("ticket"), given.get("marks")
        if not isinstance(ticket, str) or not isinstance(marks, dict):
            _refuse(400, "A rating needs a ticket and marks.")
        _kindly(lambda: self._desk.mark(rater, ticket, marks))
        return _json(self._desk.screen(rater))

    async def undo(self, request: Request) -> Response:
        rater, _ = self._rater(request), await _body(request)
        _kindly(lambda: self._desk.undo(rater))
        return _json(self._desk.screen(rater))

    def _rater(self, request: Request) -> DeskRater:
        return self._desk.rater(request.path_params["token"]) or _refuse(404, LOST)


def _kindly(act: Any) -> Any:
    try:
        return act()
    except Stale as error:
        _refuse(409, str(error))
    except UsageError as error:
        _refuse(400, str(error))


async def _body(request: Request) -> dict[str, Any]:
    """A small JSON object from our own page. Other sites' forms cannot send this type, so they cannot speak for a rater."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        _refuse(415, "Only JSON is read here.")
    data = b""
    async for piece in request.stream():
        data += piece
        if len(data) > LARGEST:
            _refuse(413, "That is far more than a few marks.")
    try:
        given = json.loads(data or b"{}")
    except (ValueError, RecursionError):
        _refuse(400, "That is not JSON.")
    return given if isinstance(given, dict) else _refuse(400, "That is not a JSON object.")


def _question(each: Any, mode: str) -> dict[str, str]:
    asked = each.question if mode == "ab" else each.mark
    return {"name": each.name, "title": each.title, "question": asked, "low": each.low, "high": each.high}


def _link(rater: DeskRater) -> str:
    return f"/r/{rater.token}"


def _json(told: dict[str, Any]) -> JSONResponse:
    return JSONResponse(told, headers=HEADERS)


def _refuse(status: int, why: str) -> NoReturn:
    raise HTTPException(status, why)


async def _refused(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": error.detail}, error.status_code, headers=HEADERS)


async def _failed(_request: Request, error: Exception) -> Response:
    """Such as a full disk: the mark was not kept, and the rater must know."""
    return JSONResponse({"error": str(error)}, 507, headers=HEADERS)
