"""How an answer came about, and how it sounds."""

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Path, Query
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from heartfelt.errors import InputError
from heartfelt.expression.sound import marked_wav
from heartfelt.expression.stage import Take
from heartfelt.expression.style import style_of
from heartfelt.expression.timeline import Timeline
from heartfelt.page import policy, render
from heartfelt.server.answers import TurnAnswers
from heartfelt.server.description import brings
from heartfelt.server.parts import Here, Parts, Who
from heartfelt.server.presence import while_there
from heartfelt.server.store import SessionStore

router = APIRouter(prefix="/api/sessions/{session}/turns/{number}", tags=["turns"])
Number = Annotated[int, Path(ge=0, le=1_000_000)]
AnswerNumber = Annotated[
    int | None, Query(ge=0, description="The pass of another answer that the turn had, or that was last tried with it.")
]
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
async def trace_page(
    session: str,
    number: Number,
    request: Request,
    here: Here,
    who: Who,
    download: Annotated[bool, Query(description="As a file to keep or to send.")] = False,
) -> Response:
    """The same as a page of its own: one file with all of it, that works without this server too."""
    await here.archive.call(SessionStore.session, session, who.owner)
    trace = (await TurnAnswers.read(here.archive, session, number)).trace
    page = await while_there(request, here.workshop.do(who.owner, render, trace))
    headers = {"content-security-policy": f"{policy()}; frame-ancestors 'none'"}
    if download:
        headers["content-disposition"] = f'attachment; filename="heartfelt-{session[:8]}-{number + 1}.html"'
    return HTMLResponse(page, headers=_UNKEPT | headers)


@router.get("/speech.wav", response_class=Response, responses=brings(_WAVE))
async def speech(session: str, number: Number, request: Request, here: Here, who: Who, answer: AnswerNumber = None) -> Response:
    """The reply, spoken as it was meant."""
    spoken = (await while_there(request, _take(here, session, number, who.owner, answer))).spoken
    return Response(marked_wav(spoken.samples, spoken.rate), media_type=_WAVE, headers=_UNKEPT)


@router.get("/timeline.json")
async def timeline(
    session: str, number: Number, request: Request, here: Here, who: Who, answer: AnswerNumber = None
) -> Timeline:
    """What the face does meanwhile."""
    return (await while_there(request, _take(here, session, number, who.owner, answer))).timeline


async def _take(here: Parts, session: str, number: int, owner: str, answer: int | None) -> Take:
    if not here.settings.speaks:
        raise InputError("This server does not speak.")
    whole = await here.archive.call(SessionStore.session, session, owner)
    made = (await TurnAnswers.read(here.archive, session, number)).spoken_from(answer)
    who = whole.conversation[number].identity or whole.identity
    work = partial(here.runtime.stage.take, made.reply, style_of(made), here.runtime.persona(who))
    return await here.workshop.do(owner, lambda: here.runtime.mouth.submit(work).result())
