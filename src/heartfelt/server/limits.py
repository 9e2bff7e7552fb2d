"""What stands before every request: its host, its origin, its size and its pace, and the headers of every answer.

Written against ASGI itself, since only there can a body be refused while it is still being sent.
"""

import asyncio
import json
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from heartfelt.server.settings import ServerSettings
from heartfelt.server.wire import Problem

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


class _TooLarge(Exception):
    pass


class _TooSlow(Exception):
    pass


class Limits:
    def __init__(self, app: ASGIApp, settings: ServerSettings):
        self._app = app
        self._most = round(settings.upload_mb * 1024 * 1024)
        self._idle = settings.idle_seconds
        self._hosts = {*_LOCAL, *(host.lower() for host in settings.hosts)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return await self._app(scope, receive, send)
        headers = Headers(scope=scope)
        if (why := self._stranger(headers)) is not None:
            return await _refuse(scope, receive, send, 403, Problem(code="forbidden", message=why))
        if scope["type"] == "websocket":
            return await self._app(scope, receive, send)
        return await self._http(scope, headers, receive, send)

    async def _http(self, scope: Scope, headers: Headers, receive: Receive, send: Send) -> None:
        limit = f"A request may have at most {self._most / 1024 / 1024:g} MB. Send less, or shorten the recording."
        too_large = Problem(code="too_large", message=limit)
        if headers.get("content-length", "0").isdigit() and int(headers.get("content-length", "0")) > self._most:
            return await _refuse(scope, receive, send, 413, too_large)
        started = False

        async def note(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(_with_headers(message))

        try:
            await self._app(scope, self._bounded(receive), note)
        except _TooLarge:
            if not started:
                await _refuse(scope, receive, send, 413, too_large)
        except _TooSlow:
            if not started:
                slow = f"Nothing more of the request came for {self._idle:g} s. Send it again."
                await _refuse(scope, receive, send, 408, Problem(code="too_slow", message=slow))

    def _bounded(self, receive: Receive) -> Receive:
        """The body, counted and timed. Once it is whole, waiting for the client to go away takes as long as it likes."""
        taken, whole = 0, False

        async def bounded() -> Message:
            nonlocal taken, whole
            if whole:
                return await receive()
            try:
                message = await asyncio.wait_for(receive(), self._idle)
            except TimeoutError:
                raise _TooSlow from None
            taken += len(message.get("body", b""))
            whole = not message.get("more_body", False)
            if taken > self._most:
                raise _TooLarge
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


def _with_headers(message: Message) -> Message:
    if message["type"] == "http.response.start":
        headers = MutableHeaders(scope=message)
        for name, value in _SECURITY.items():
            headers.setdefault(name, value)
    return message


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, problem: Problem) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 4000 + status, "reason": problem.message[:120]})
        return
    headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
    start: Message = {"type": "http.response.start", "status": status, "headers": headers}
    await send(_with_headers(start))
    await send({"type": "http.response.body", "body": json.dumps(problem.model_dump()).encode()})
