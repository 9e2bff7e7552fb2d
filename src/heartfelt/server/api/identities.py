"""Who can answer: their portraits and their heads."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import FileResponse

from heartfelt.errors import UnknownName
from heartfelt.expression.browser import Mood, avatar_file, portrait_file
from heartfelt.expression.face.look import Look
from heartfelt.expression.persona import personas
from heartfelt.server.description import brings
from heartfelt.server.parts import Here

router = APIRouter(prefix="/api/identities/{name}", tags=["identities"])
_KEPT = {"cache-control": "public, max-age=86400"}


@router.get("/picture.jpg", response_class=FileResponse, responses=brings("image/jpeg"))
async def picture(
    name: str,
    here: Here,
    mood: Annotated[Mood, Query(description="`serious`: without a smile, for somebody in need.")] = "friendly",
) -> FileResponse:
    """A portrait to choose them by."""
    path = await asyncio.to_thread(portrait_file, _look(name), mood=mood)
    return FileResponse(path, media_type="image/jpeg", headers=_KEPT)


@router.get("/avatar.bin", response_class=FileResponse, responses=brings("application/octet-stream"))
async def avatar(name: str, here: Here) -> FileResponse:
    """Everything that a browser needs to draw them."""
    path = await asyncio.to_thread(avatar_file, _look(name))
    return FileResponse(path, media_type="application/octet-stream", headers=_KEPT)


def _look(name: str) -> Look:
    """Ready people only: anybody else would have to be made, and kept, for whoever asks."""
    if name not in personas():
        raise UnknownName("identity", name, personas())
    return personas()[name].look
