"""The live socket's door."""

import asyncio

from fastapi import APIRouter, WebSocket

from heartfelt.server.callers import caller_of
from heartfelt.server.live import converse
from heartfelt.server.parts import Parts
from heartfelt.server.store import NoSuchSession, SessionStore

router = APIRouter(prefix="/api/sessions/{session}")
_UNKNOWN, _FULL = 4404, 1013
_LOOKED = 1.0
"""Seconds between two looks whether whoever is here may still be."""


@router.websocket("/live")
async def live(socket: WebSocket, session: str) -> None:
    """Sound, pictures and text in; events, text, sound and a face out. See `heartfelt/server/wire.py`."""
    here: Parts = socket.app.state.parts
    owner = caller_of(socket).owner
    await socket.accept()
    try:
        found = await here.archive.call(SessionStore.session, session, owner)
    except NoSuchSession as error:
        await socket.close(_UNKNOWN, str(error)[:120])
        return
    if here.hub.people >= here.settings.live:
        await socket.close(_FULL, "Too many are connected. Try again later.")
        return
    async with here.sockets.one_more(owner) as may:
        if not may:
            await socket.close(_FULL, "You are connected too often. Close other tabs, and connect again.")
            return
        with here.metrics.live.track_inprogress():
            await converse(socket, found, owner, here, _sent_away(socket, here))


async def _sent_away(socket: WebSocket, here: Parts) -> None:
    """Returns once the token that they came in with was removed."""
    while True:
        await asyncio.sleep(_LOOKED)
        if here.guests is not None and not here.guests.knows(socket):
            return
