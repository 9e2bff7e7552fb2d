"""For those who run the server."""

from fastapi import APIRouter
from starlette.responses import Response

from heartfelt.server.description import brings
from heartfelt.server.parts import Here
from heartfelt.version import VERSION

router = APIRouter(tags=["operators"])


@router.get("/health")
async def health() -> dict[str, str]:
    """The process is alive."""
    return {"status": "alive", "version": VERSION}


@router.get("/ready")
async def ready(here: Here) -> dict[str, str | int]:
    """Sessions can be stored and turns taken in."""
    await here.archive.run(here.archive.kept.healthy)
    queue = here.turns.queue
    return {"status": "ready", "answering": queue.inside, "waiting": queue.waiting}


@router.get("/metrics", response_class=Response, responses=brings("text/plain"))
async def metrics(here: Here) -> Response:
    """Counts and times, as Prometheus reads them."""
    here.metrics.inside.set(here.turns.queue.inside)
    here.metrics.waiting.set(here.turns.queue.waiting)
    here.metrics.unmade.set(here.runtime.warming.missing)
    return Response(here.metrics.text(), media_type="text/plain; version=0.0.4")
