"""How an answer came about, and how it sounds."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path
from starlette.responses import HTMLResponse, Response

from heartfelt.errors import InputError
from heartfelt.expression.sound import marked_wav
from heartfelt.expression.stage import Take
from heartfelt.expression.style import style_of
from heartfelt.expression.timeline import Timeline
from heartfelt.page import policy, render
from heartfelt.server.api.messages import read_trace
from heartfelt.server.description import brings
from heartfelt.server.parts import Here, Parts, Who
from heartfelt.server.store import SessionStore

router = APIRouter(prefix="/api/sessions/{session}/turns/{number}", tags=["turns"])
Number = Annotated[int, Path(ge=0, le=1_000_000)]
_UNKEPT = {"cache-control": "no-store"}
_LINES, _PAGE, _WAVE = "application/x-ndjson", "text/html", "audio/wav"


@router.get("/trace", response_class=Response, responses=brings(_LINES))
async def trace(session: str, number: Number, here: Here, who: Who) -> Response:
    """The events of a turn, a JSON object a line, each with whether it belongs to the look back."""
    await here.archive.call(SessionStore.session, session, who.owner)
    lines = await here.archive.call(SessionStore.events, session, number)
    told = "".join(f'{{"looking_back": {str(back).lower()}, "event": {line}}}\n' for back, line in lines)
    return Response(told, media_type=_LINES, headers=_UNKEPT)


@router.get("/trace.html", response_class=Response, responses=brings(_PAGE))
async def trace_page(session: str, number: Number, here: Here, who: Who) -> Response:
    """The same as a page of its own."""
    await here.archive.call(SessionStore.session, session, who.owner)
    page = render(await read_trace(here, session, number))
    return HTMLResponse(page, headers=_UNKEPT | {"content-security-policy": f"{policy()}; frame-ancestors 'none'"})


@router.get("/speech.wav", response_class=Response, responses=brings(_WAVE))
async def speech(session: str, number: Number, here: Here, who: Who) -> Response:
    """The reply, spoken as it was meant."""
    spoken = (await _take(here, session, number, who.owner)).spoken
    return Response(marked_wav(spoken.samples, spoken.rate), media_type=_WAVE, headers=_UNKEPT)


@router.get("/timeline.json")
async def timeline(session: str, number: Number, here: Here, who: Who) -> Timeline:
    """What the face does meanwhile."""
    return (await _take(here, session, number, who.owner)).timeline


async def _take(here: Parts, session: str, number: int, owner: str) -> Take:
    if not here.settings.speaks:
        raise InputError("This server does not speak.")
    whole = await here.archive.call(SessionStore.session, session, owner)
    made = (await read_trace(here, session, number)).best
    if not made.reply:
        raise InputError(f"Turn {number} has no reply yet.")
    who = whole.conversation[number].identity or whole.identity
    persona, loop = here.runtime.persona(who), asyncio.get_running_loop()
    return await loop.run_in_executor(here.runtime.mouth, here.runtime.stage.take, made.reply, style_of(made), persona)
