"""An answer as server-sent events: what is told meanwhile goes out as it comes."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable

from starlette.requests import Request
from starlette.responses import StreamingResponse

from heartfelt.errors import HeartfeltError
from heartfelt.server.description import EVENTS
from heartfelt.server.problems import problem_of
from heartfelt.server.turn_observer import Tell
from heartfelt.server.wire import ErrorNotice, FromServer

_QUIET = 10.0
"""Seconds after which a comment shows that the line is alive."""


def wants_stream(request: Request) -> bool:
    return EVENTS in request.headers.get("accept", "")


def streamed(work: Callable[[Tell], Awaitable[object]]) -> StreamingResponse:
    """`work` tells; when it ends, so does the stream. A client that goes away calls it off.

    The stream has begun when something goes wrong, so that is told in it.
    """

    async def told_of(tell: Tell) -> None:
        try:
            await work(tell)
        except HeartfeltError as error:
            _, problem, _ = problem_of(error)
            tell(ErrorNotice(code=problem.code, message=problem.message))

    async def events() -> AsyncGenerator[str, None]:
        told: asyncio.Queue[FromServer | None] = asyncio.Queue()
        task = asyncio.create_task(told_of(told.put_nowait))
        task.add_done_callback(lambda _task: told.put_nowait(None))
        try:
            while (message := await told.get()) is not None:
                yield f"event: {message.kind}\ndata: {message.model_dump_json()}\n\n"
            await task
        finally:
            task.cancel()

    return StreamingResponse(kept_alive(events()), media_type=EVENTS, headers={"cache-control": "no-store"})


async def kept_alive(events: AsyncGenerator[str, None]) -> AsyncGenerator[str, None]:
    """The same, with a comment wherever nothing comes for a while. Clients pass comments over."""
    following = asyncio.ensure_future(anext(events, None))
    try:
        while True:
            if not (await asyncio.wait({following}, timeout=_QUIET))[0]:
                yield ": still here\n\n"
            elif (event := following.result()) is None:
                return
            else:
                yield event
                following = asyncio.ensure_future(anext(events, None))
    finally:
        following.cancel()
        await asyncio.wait({following})
        await events.aclose()
