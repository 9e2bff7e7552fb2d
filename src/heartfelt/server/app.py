"""The server as an ASGI app: its parts, its routes, its limits, and the web app at `/`."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI

from heartfelt.errors import HeartfeltError
from heartfelt.server.admission import AdmissionQueue
from heartfelt.server.api import ROUTERS
from heartfelt.server.archive import Archive
from heartfelt.server.bodies import Bodies
from heartfelt.server.bus import Bus
from heartfelt.server.description import ABOUT, TAGS, complete, operation_id
from heartfelt.server.entrance import Guests, TokenMiddleware
from heartfelt.server.expiry import Expiry
from heartfelt.server.limits import Limits
from heartfelt.server.live_sockets import LiveSockets
from heartfelt.server.metrics import Metrics
from heartfelt.server.pace_limit import PaceLimit
from heartfelt.server.parts import Parts
from heartfelt.server.problems import RESPONSES, answer_problems
from heartfelt.server.runtime import Runtime
from heartfelt.server.session_hub import SessionHub
from heartfelt.server.settings import ServerSettings, default_store
from heartfelt.server.tokens import TokenFile
from heartfelt.server.turns import Turns
from heartfelt.server.webapp import serve_web_app
from heartfelt.server.workshop import Workshop
from heartfelt.version import VERSION

_HOUR = 3600


def create_app(
    settings: ServerSettings | None = None,
    *,
    runtime: Callable[[ServerSettings], Runtime] = Runtime,
    web: Path | None = None,
) -> FastAPI:
    """`runtime` makes what all sessions share, for tests and for parts of one's own; `web` is the folder of the web app."""
    settings = settings or ServerSettings()
    metrics = Metrics()
    guests = _guests(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None, None]:
        app.state.parts = parts = _parts(settings, runtime(settings), metrics, guests)
        tasks = [asyncio.create_task(work) for work in (_expire(parts), parts.runtime.warm(), parts.sockets.keep(metrics.log))]
        yield
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await parts.turns.close()
        await asyncio.to_thread(parts.hub.close)
        await parts.runtime.close()
        await asyncio.to_thread(parts.archive.close)

    app = FastAPI(
        title="Heartfelt",
        version=VERSION,
        summary="Answers a person with empathy, in steps that anyone can inspect.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        description=ABOUT,
        openapi_tags=TAGS,
        generate_unique_id_function=operation_id,
        responses=RESPONSES,
    )
    complete(app)
    for router in ROUTERS:
        app.include_router(router)
    answer_problems(app, metrics)
    serve_web_app(app, web)
    if guests is not None:
        app.add_middleware(TokenMiddleware, guests=guests, refused=metrics.refused)
    app.state.bodies = Bodies(max(settings.held_mb, settings.upload_mb))
    app.add_middleware(Limits, settings=settings, bodies=app.state.bodies)
    return app


def _guests(settings: ServerSettings) -> Guests | None:
    return Guests(TokenFile(Path(settings.tokens))) if settings.tokens else None


def _parts(settings: ServerSettings, runtime: Runtime, metrics: Metrics, guests: Guests | None) -> Parts:
    archive = Archive(settings.store or default_store())
    turns = Turns(runtime, archive, AdmissionQueue(settings.slots, settings.waiting), metrics)
    pace = PaceLimit(archive, settings.messages_a_minute)
    sockets = LiveSockets(archive, turns.worker, settings.live_each)
    hub = SessionHub()
    if archive.kept.address:
        hub.bus = Bus(archive.kept.address, turns.worker, hub.tell_here, archive.keeps, metrics.log)
    return Parts(settings, runtime, archive, turns, hub, metrics, pace, sockets, Workshop(), guests)


async def _expire(parts: Parts) -> None:
    """Sessions that nobody touched for as long as the settings say go, once an hour."""
    if parts.settings.keep_days is None:
        return
    expiry, store = Expiry(parts.settings.keep_days), parts.archive.kept
    while True:
        try:
            due = expiry.due(await parts.archive.run(store.newest))
            if due is not None and await parts.archive.run(store.expire, due):
                await parts.runtime.forget()
        except HeartfeltError as error:
            parts.metrics.log.warning("Old sessions could not be deleted; that is tried again in an hour. %s", error)
        await asyncio.sleep(_HOUR)
