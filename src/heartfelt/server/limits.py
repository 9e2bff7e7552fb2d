"""What stands before every request: its host, its origin, its size and its pace, and the headers of every answer.

Written against ASGI itself, since only there can a body be refused while it is still being sent.
"""

import asyncio
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from heartfelt.server.problems import as_response
from heartfelt.server.settings import ServerSettings
from heartfelt.server.wire import Problem

_HANG_UP = {"connection": "close"}
"""What is still being sent is not read."""
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
    def __init__(self, app: ASGIApp, settings: ServerSettings):
        self._app = app
        self._most = round(settings.upload_mb * 1024 * 1024)
        self._idle = settings.idle_seconds
        self._too_large = f"A request may have at most {settings.upload_mb:g} MB. Send less, or shorten the recording."
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
        length = headers.get("content-length", "0")
        if length.isdigit() and int(length) > self._most:
            await self._refuse(scope, receive, send, 413, Problem(code="too_large", message=self._too_large))
            return

        async def note(message: Message) -> None:
            await send(self._with_headers(message))

        await self._app(scope, self._bounded(receive), note)

    def _bounded(self, receive: Receive) -> Receive:
        """The body, counted and timed; whoever reads it gets the exception.

        Once it is whole, waiting for the client to go away takes as long as it likes.
        """
        taken, whole = 0, False

        async def bounded() -> Message:
            nonlocal taken, whole
            if whole:
                return await receive()
            try:
                message = await asyncio.wait_for(receive(), self._idle)
            except TimeoutError:
                raise HTTPException(408, self._too_slow, _HANG_UP) from None
            taken += len(message.get("body", b""))
            whole = not message.get("more_body", False)
            if taken > self._most:
                raise HTTPException(413, self._too_large, _HANG_UP)
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
