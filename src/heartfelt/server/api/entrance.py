"""Coming in with a token, and leaving, for browsers. Programs send theirs with each request."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from heartfelt.server.callers import TOKEN_COOKIE
from heartfelt.server.parts import Here
from heartfelt.server.wire import Entrance

router = APIRouter(prefix="/api", tags=["entrance"])


@router.post("/entrance", status_code=204)
async def come_in(given: Entrance, request: Request, here: Here) -> Response:
    """Be known by a cookie from now on. A server that asks for no token takes any."""
    response = Response(status_code=204)
    if here.guests is not None:
        await here.guests.name_of(request, given.token)
        secure = here.settings.secure or request.url.scheme == "https"
        here.guests.remember(response, given.token, secure=secure)
    return response


@router.delete("/entrance", status_code=204)
async def leave(here: Here) -> Response:
    """Be forgotten by this browser."""
    response = Response(status_code=204)
    response.delete_cookie(TOKEN_COOKIE, path="/")
    return response
