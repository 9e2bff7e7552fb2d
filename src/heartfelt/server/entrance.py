"""Who comes in, where a server is shared: everything of the API asks for a token, the page that takes it does not."""

from prometheus_client import Counter
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from heartfelt.errors import HeartfeltError
from heartfelt.server.callers import NAME, TOKEN_COOKIE, NoEntrance
from heartfelt.server.problems import problem_of, refusal
from heartfelt.server.tokens import TokenFile

DOOR = "/api/entrance"
"""Where a token is given: the one path of the API that needs none."""
_MONTH = 30 * 24 * 3600


class Guests:
    """Those who have a token. Wrong ones are counted by where they come from, and soon told to wait."""

    def __init__(self, tokens: TokenFile):
        self._tokens = tokens

    async def name_of(self, connection: HTTPConnection, token: str) -> str:
        name = self._tokens.name_of(token)
        if name is None:
            await connection.app.state.parts.pace.take(f"tries from {connection.client.host if connection.client else ''}")
            raise NoEntrance
        return name

    def knows(self, connection: HTTPConnection) -> bool:
        """Whether who came in may still be here. Nothing is counted: they only stay where they are."""
        return self._tokens.name_of(token_of(connection)) is not None

    def remember(self, response: Response, token: str, *, secure: bool) -> None:
        """In a cookie that no script can read and that no other site's page can send."""
        response.set_cookie(TOKEN_COOKIE, token, max_age=_MONTH, httponly=True, samesite="strict", secure=secure, path="/")


class TokenMiddleware:
    """Stands before the routes, the live socket's as well."""

    def __init__(self, app: ASGIApp, guests: Guests, refused: Counter):
        self._app, self._guests, self._refused = app, guests, refused

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket") and scope["path"].startswith(("/api/", "/v1/")) and scope["path"] != DOOR:
            connection = HTTPConnection(scope)
            try:
                scope[NAME] = await self._guests.name_of(connection, token_of(connection))
            except HeartfeltError as error:
                self._refused.labels(problem_of(error)[1].code).inc()
                await _turn_away(error, scope, receive, send)
                return
        await self._app(scope, receive, send)


def token_of(connection: HTTPConnection) -> str:
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else connection.cookies.get(TOKEN_COOKIE, "")


async def _turn_away(error: HeartfeltError, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 4000 + problem_of(error)[0], "reason": str(error)[:120]})
    else:
        await refusal(Request(scope, receive), error)(scope, receive, send)
