"""Sessions: begin, list, read, change, export, delete."""

import json
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from heartfelt.safety.redact import redacted_json
from heartfelt.server.description import brings
from heartfelt.server.parts import Here, Who
from heartfelt.server.presence import while_there
from heartfelt.server.store import SessionStore
from heartfelt.server.transcript import transcript
from heartfelt.server.wire import ServerOptions, SessionChange, SessionLine, SessionRequest, SessionView

router = APIRouter(prefix="/api", tags=["sessions"])


@router.get("/options")
async def options(here: Here) -> ServerOptions:
    """What a session can be made of: recipes, models, identities."""
    return here.runtime.options()


@router.post("/sessions", status_code=201)
async def begin_session(wish: SessionRequest, here: Here, who: Who) -> SessionView:
    """Begin a session."""
    await here.pace.take(who.owner)
    chosen = here.runtime.chosen(recipe=wish.recipe, model=wish.model, identity=wish.identity, country=wish.country)
    return await here.archive.create(who.owner, wish, chosen)


@router.get("/sessions")
async def list_sessions(here: Here, who: Who) -> tuple[SessionLine, ...]:
    """The caller's own sessions, the latest first."""
    return await here.archive.list(who.owner)


@router.get("/sessions/{session}")
async def read_session(session: str, here: Here, who: Who) -> SessionView:
    """A session with its conversation."""
    return await here.archive.call(SessionStore.session, session, who.owner)


@router.patch("/sessions/{session}")
async def change_session(session: str, change: SessionChange, here: Here, who: Who) -> SessionView:
    """Another recipe, model, identity, pace, title or country, from the next turn on; or keep what was in memory only."""
    before = await here.archive.call(SessionStore.session, session, who.owner)
    if change.kept:
        with here.hub.enter(session):
            await here.archive.keep(session, who.owner)
    chosen = here.runtime.chosen(
        recipe=change.recipe or before.recipe,
        model=change.model or before.model,
        identity=change.identity or before.identity,
        country=before.country if change.country is None else change.country,
    )
    wanted = change.model_copy(update={name: chosen[name] for name in change.model_fields_set & chosen.keys()})
    return await here.archive.call(SessionStore.change, session, who.owner, wanted)


@router.delete("/sessions/{session}", status_code=204)
async def delete_session(session: str, here: Here, who: Who) -> Response:
    """Delete a session whole: no byte of what was said is left."""
    await here.archive.delete(session, who.owner)
    await here.runtime.forget()
    return Response(status_code=204)


@router.get("/sessions/{session}/export", response_model=dict[str, Any], responses=brings("text/html"))
async def export_session(
    session: str,
    request: Request,
    here: Here,
    who: Who,
    redacted: Annotated[bool, Query(description="False: with the names, places and numbers that were said.")] = True,
    form: Annotated[
        Literal["json", "html"],
        Query(alias="format", description="`json`: everything that is stored; `html`: the conversation as a page to read."),
    ] = "json",
) -> Response:
    """A session as one file; redacted unless it is asked for as it is."""
    await here.archive.call(SessionStore.owned, session, who.owner)
    made = here.workshop.do(who.owner, _file, here.archive.of(session), session, who.owner, redacted=redacted, form=form)
    content = await while_there(request, made)
    name = f'attachment; filename="heartfelt-{session[:8]}.{form}"'
    headers = {"content-disposition": name, "cache-control": "no-store"}
    return HTMLResponse(content, headers=headers) if form == "html" else Response(content, 200, headers, "application/json")


def _file(store: SessionStore, session: str, owner: str, *, redacted: bool, form: str) -> str:
    """All of a long session takes seconds to read, to redact and to write."""
    whole = store.export(session, owner)
    if redacted:
        whole = redacted_json(whole)
    return transcript(whole, redacted=redacted) if form == "html" else json.dumps(whole, ensure_ascii=False, allow_nan=False)
