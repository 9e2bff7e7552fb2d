"""Saying something and being answered: typed, with media, or again."""

import sys
import time
from typing import Annotated

from fastapi import APIRouter, File, Form, Path, UploadFile
from starlette.formparsers import MultiPartParser
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from heartfelt.errors import InputError, ModelError
from heartfelt.intake import LONGEST_TEXT, PERSON, cleaned
from heartfelt.records import Keyframe, Turn
from heartfelt.server.consent import Consent
from heartfelt.server.description import EVENTS, brings
from heartfelt.server.parts import Here, Parts, Who
from heartfelt.server.presence import while_there
from heartfelt.server.problems import problem_of
from heartfelt.server.recordings import Recordings
from heartfelt.server.store import SessionStore
from heartfelt.server.streams import streamed, wants_stream
from heartfelt.server.turn_observer import Tell, TurnObserver
from heartfelt.server.turns import TurnResult
from heartfelt.server.wire import By, FromServer, Said, SessionView, TurnView

router = APIRouter(prefix="/api/sessions/{session}", tags=["turns"])
_TOLD = brings(EVENTS, "Happened", "TurnChanged", "Waiting", "ErrorNotice")
Number = Annotated[int, Path(ge=0, le=1_000_000)]
MultiPartParser.spool_max_size = sys.maxsize
"""A recording stays in memory, however large: Starlette would write more than a megabyte to a file. The limits bound it."""


@router.post("/messages", response_model=TurnView, responses=_TOLD)
async def say(session: str, said: Said, request: Request, here: Here, who: Who) -> Response:
    """Say something. Answers with the turn, or, with `Accept: text/event-stream`, with everything as it happens."""
    await here.pace.take(who.owner)
    turn = Turn(speaker=PERSON, text=cleaned(said.text, "What you said"))
    return await _answered(request, here, who.owner, session, turn, "typed", ())


@router.post("/recordings", response_model=TurnView, responses=_TOLD)
async def say_with_media(
    session: str,
    request: Request,
    here: Here,
    who: Who,
    media: Annotated[UploadFile, File(description="A video, a sound or a picture of the person.")],
    text: Annotated[str, Form(max_length=LONGEST_TEXT, description="What is said; without it, what is heard.")] = "",
    voice: Annotated[bool, Form(description="Whether how it sounds may be measured, beyond the words.")] = False,
    face: Annotated[bool, Form(description="Whether its pictures may be looked at.")] = False,
) -> Response:
    """Say something in a recording: it is heard, seen where that is allowed, and forgotten but for what was measured."""
    await here.pace.take(who.owner)
    before = await here.archive.call(SessionStore.session, session, who.owner)
    data, name, text = await media.read(), media.filename or "The recording", text.strip()
    senses, consent = here.runtime.senses(before.model), Consent(voice=voice, face=face)
    recordings = Recordings(here.workshop, here.settings, who.owner)
    found = await while_there(request, recordings.sensed(data, senses, consent, name=name, text=text))
    heard = cleaned(found.text, "What was heard") if found.text.strip() else ""
    if not heard:
        raise InputError("Nothing was heard in the recording, so there is nothing to answer. Add what is said as `text`.")
    turn = Turn(speaker=PERSON, text=heard, readings=found.readings)
    return await _answered(request, here, who.owner, session, turn, "uploaded", found.keyframes)


@router.post("/turns/{number}/again", response_model=TurnView, responses=_TOLD)
async def answer_again(session: str, number: Number, request: Request, here: Here, who: Who) -> Response:
    """Answer a turn that is unfinished or failed."""
    await here.pace.take(who.owner)
    whole = await here.archive.call(SessionStore.session, session, who.owner)
    turn = await here.turns.take(whole, number)
    before = whole.model_copy(update={"conversation": whole.conversation[:number]})
    return await _run(request, here, who.owner, before, turn, ())


async def _answered(
    request: Request, here: Parts, owner: str, session: str, said: Turn, by: By, keyframes: tuple[Keyframe, ...]
) -> Response:
    before = await here.archive.call(SessionStore.session, session, owner)
    with here.hub.enter(session):
        turn = await here.turns.begin(before, said, by=by, alone=True)
    return await _run(request, here, owner, before, turn, keyframes)


async def _run(
    request: Request, here: Parts, owner: str, before: SessionView, turn: TurnView, keyframes: tuple[Keyframe, ...]
) -> Response:
    said_at = time.monotonic()

    def told(message: FromServer) -> None:
        here.hub.tell(before.id, message)

    async def work(tell: Tell) -> TurnResult:
        def both(message: FromServer) -> None:
            tell(message)
            told(message)

        with here.hub.enter(before.id):
            telling = TurnObserver(turn.number, said_at, both)
            answered = await here.turns.answer(before, turn, telling, keyframes=keyframes, who=owner)
        here.turns.look_back_later(before, answered, TurnObserver(turn.number, said_at, told))
        return answered

    if wants_stream(request):
        return streamed(work)
    done = await work(lambda _message: None)
    status, _, headers = (200, None, {}) if done.turn.state == "answered" else problem_of(done.failed or ModelError())
    return JSONResponse(done.turn.model_dump(mode="json"), status, headers)
