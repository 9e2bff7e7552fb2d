"""What stands before every request: its host, its origin, its size and its pace, and the headers of every answer.

Written against ASGI itself, since only there can a body be refused while it is still being sent.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from heartfelt.errors import HeartfeltError
from heartfelt.server.bodies import Bodies, Body
from heartfelt.server.callers import RateLimit, caller_of
from heartfelt.server.problems import as_response, problem_of
from heartfelt.server.settings import ServerSettings
from heartfelt.server.wire import Problem

_HANG_UP = {"connection": "close"}
"""What is still being sent is not read."""
_LARGEST_JSON = 16 * 1024 * 1024
"""Bytes of a request that is no form: to read as many, everybody waits a moment."""
_LONG_JSON, _A_MINUTE = 1024 * 1024, 20
"""Bytes from which such a request is long, and how many long ones a caller may send a minute: they are counted before they are
read, since whatever counts messages does so afterwards."""
_FORM = "multipart/form-data"
_LOCAL = {"localhost", "127.0.0.1", "[::1]", "testserver"}
_SECURITY = {
    "content-security-policy": (
        "default-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; worker-src 'self' blob:; "
        "style-src 'self' 'unsafe-inline'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
    ),
    "permissions-policy": "camera=(self), microphone=(self), geolocation=(), payment=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
}
_ONLY_SECURELY = {"strict-transport-security": "max-age=31536000"}


class Limits:
    def __init__(self, app: ASGIApp, settings: ServerSettings, bodies: Bodies):
        self._app = app
        self._most = round(settings.upload_mb * 1024 * 1024)
        self._most_json = min(self._most, _LARGEST_JSON)
        self._bodies = bodies
        self._long = RateLimit(_A_MINUTE)
        self._idle = settings.idle_seconds
        self._too_slow = f"Nothing more of the request came for {settings.idle_seconds:g} s. Send it again."
        self._hosts = {*_LOCAL, *(host.lower() for host in settings.hosts)}
        self._headers = _SECURITY | _ONLY_SECURELY if settings.secure else _SECURITY

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if (why := self._stranger(headers)) is not None:
            await self._refuse(scope, receive, send, 403, Problem(code="forbidden", message=why))
        elif scope["type"] == "websocket":
            await self._app(scope, receive, send)
        else:
            await self._http(scope, headers, receive, send)

    async def _http(self, scope: Scope, headers: Headers, receive: Receive, send: Send) -> None:
        length, most = headers.get("content-length", "0"), self._most_of(headers)
        if length.isdigit() and (len(length) > 18 or int(length) > most):
            await self._refuse(scope, receive, send, 413, Problem(code="too_large", message=_too_large(most)))
            return

        async def note(message: Message) -> None:
            await send(self._with_headers(message))

        sender = _sender(scope)
        once_long = None if _is_form(headers) else partial(self._long.take, sender)
        with self._bodies.of(sender) as body:
            await self._app(scope, self._bounded(receive, body, most, once_long), note)

    def _most_of(self, headers: Headers) -> int:
        return self._most if _is_form(headers) else self._most_json

    def _bounded(self, receive: Receive, body: Body, most: int, once_long: Callable[[], None] | None) -> Receive:
        """The body, counted and timed; whoever reads it gets the exception. `once_long` is called when it turns out long.

        Once it is whole, waiting for the client to go away takes as long as it likes.
        """
        whole = False

        async def bounded() -> Message:
            nonlocal whole, once_long
            if whole:
                return await receive()
            try:
                message = await asyncio.wait_for(receive(), self._idle)
            except TimeoutError:
                raise HTTPException(408, self._too_slow, _HANG_UP) from None
            try:
                body.take(len(message.get("body", b"")))
                if once_long and body.size > _LONG_JSON:
                    once_long()
                    once_long = None
            except HeartfeltError as error:
                status, problem, headers = problem_of(error)
                raise HTTPException(status, problem.message, headers | _HANG_UP) from None
            whole = not message.get("more_body", False)
            if body.size > most:
                raise HTTPException(413, _too_large(most), _HANG_UP)
            return message

        return bounded

    def _stranger(self, headers: Headers) -> str | None:
        """Why a request is none of ours: another site's page sends it, or it came by a name that leads here by a trick."""
        host = headers.get("host", "").lower()
        name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
        if "*" not in self._hosts and name not in self._hosts:
            return f"This server does not answer to the name '{name}'. Start it with --host-name {name} if it should."
        origin = headers.get("origin")
        if origin and origin != "null" and urlsplit(origin).netloc.lower() != host:
            return "Pages of other sites may not use this server."
        return None

    def _with_headers(self, message: Message) -> Message:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in self._headers.items():
                headers.setdefault(name, value)
        return message

    async def _refuse(self, scope: Scope, receive: Receive, send: Send, status: int, problem: Problem) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 4000 + status, "reason": problem.message[:120]})
            return

        async def note(message: Message) -> None:
            await send(self._with_headers(message))

        await as_response(scope["path"], status, problem, dict(_HANG_UP))(scope, receive, note)


def _is_form(headers: Headers) -> bool:
    return headers.get("content-type", "").lower().startswith(_FORM)


def _too_large(most: int) -> str:
    return f"A request of this kind may have at most {round(most / 1024 / 1024, 2):g} MB. Send less, or shorten the recording."


def _sender(scope: Scope) -> str:
    """Whose bytes they are; whoever does not say so is known by where they come from."""
    connection = HTTPConnection(scope)
    caller = caller_of(connection)
    return (connection.client.host if connection.client else "") if caller.new else caller.owner
