"""Who calls: a cookie that the first visit sets, a bearer token, or a name from the token file. Only a hash is ever stored."""

import hashlib
import secrets
import time
from collections import OrderedDict
from dataclasses import dataclass

from starlette.requests import HTTPConnection
from starlette.responses import Response

from heartfelt.errors import TurnError, UsageError
from heartfelt.server.settings import ServerSettings

COOKIE, TOKEN_COOKIE = "heartfelt", "heartfelt-token"
NAME = "heartfelt.name"
"""Where a request keeps whose token it came with."""
_YEAR = 365 * 24 * 3600
_KNOWN = 10_000
"""Callers whose pace is remembered."""


@dataclass(frozen=True)
class Caller:
    owner: str
    """Unlike the cookie or the token, this can be stored and shown."""
    new: str = ""
    """A cookie that is still to be set."""

    def remember(self, response: Response, settings: ServerSettings) -> None:
        if self.new:
            response.set_cookie(
                COOKIE, self.new, max_age=_YEAR, httponly=True, samesite="strict", secure=settings.secure, path="/"
            )


def caller_of(connection: HTTPConnection) -> Caller:
    """Where tokens are asked for, the name decides: a new token for the same name finds the same sessions."""
    if name := connection.scope.get(NAME):
        return Caller(_hashed("name", name))
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token.strip():
        return Caller(_hashed("bearer", token.strip()))
    if cookie := connection.cookies.get(COOKIE):
        return Caller(_hashed("cookie", cookie))
    fresh = secrets.token_urlsafe(24)
    return Caller(_hashed("cookie", fresh), new=fresh)


class NoEntrance(UsageError):
    """No token, or one that nobody has."""

    def __init__(self) -> None:
        super().__init__("This server asks for a token. Send it as `Authorization: Bearer …`, or enter it on the page.")


class TooFast(TurnError):
    def __init__(self, seconds: float):
        super().__init__(f"That was more than is taken in a minute. Go on in {max(1, round(seconds))} seconds.")
        self.seconds = seconds


class RateLimit:
    """So many calls a minute for each caller, with a quarter of them at once."""

    def __init__(self, a_minute: float):
        self.each, self.most = 60 / a_minute, max(1.0, a_minute / 4)
        """Seconds until one more may come, and how many at once."""
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, owner: str) -> None:
        now = time.monotonic()
        left, since = self._left.pop(owner, (self.most, now))
        left = min(self.most, left + (now - since) / self.each)
        self._left[owner] = (max(left - 1, 0.0) if left >= 1 else left, now)
        if len(self._left) > _KNOWN:
            self._left.popitem(last=False)
        if left < 1:
            raise TooFast((1 - left) * self.each)


def _hashed(kind: str, secret: str) -> str:
    return hashlib.sha256(f"{kind}:{secret}".encode()).hexdigest()[:32]
