"""Playing with an answer: what would follow if a step had been otherwise, and keeping that."""

from typing import Annotated

from fastapi import APIRouter, Path
from starlette.responses import Response

from heartfelt.edits import Edit
from heartfelt.server.answers import TurnAnswers
from heartfelt.server.description import EVENTS, brings
from heartfelt.server.parts import Here, Who
from heartfelt.server.store import SessionStore
from heartfelt.server.streams import streamed
from heartfelt.server.turn_observer import Tell
from heartfelt.server.wire import Keep, Replay, TurnChanged, TurnView, Waiting

router = APIRouter(prefix="/api/sessions/{session}/turns/{number}", tags=["turns"])
Number = Annotated[int, Path(ge=0, le=1_000_000)]


@router.post("/replay", response_class=Response, responses=brings(EVENTS, "Happened", "Waiting", "ErrorNotice"))
async def replay(session: str, number: Number, wish: Replay, here: Here, who: Who) -> Response:
    """What would follow from edits: a stream of `happened`, and of `waiting` before. It is held until the next, to be kept."""
    await here.pace.take(who.owner)
    whole = await here.archive.call(SessionStore.session, session, who.owner)
    answers = await TurnAnswers.read(here.archive, session, number)
    edits = tuple(Edit.parse(edit) for edit in wish.edits)

    async def work(tell: Tell) -> None:
        def waits(place: int, seconds: float) -> None:
            tell(Waiting(turn=number, place=place, seconds=seconds))

        async with here.turns.queue.passed(waits, who=who.owner):
            await answers.try_out(here.runtime, whole, edits, wish.start, tell)

    return streamed(work)


@router.post("/keep")
async def keep(session: str, number: Number, wanted: Keep, here: Here, who: Who) -> TurnView:
    """Give the turn another of its answers, or the one that was last tried: what is said next builds on it."""
    await here.archive.call(SessionStore.session, session, who.owner)
    with here.hub.enter(session):
        answers = await TurnAnswers.read(here.archive, session, number)
        turn = await answers.keep(wanted, lambda happened: here.hub.tell(session, happened))
    here.hub.tell(session, TurnChanged(turn=turn))
    return turn
