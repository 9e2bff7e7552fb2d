"""The safety protocol as a page: made from the settings that are running, for anybody to read."""

from fastapi import APIRouter
from starlette.responses import HTMLResponse, Response

from heartfelt.safety.protocol import protocol
from heartfelt.server.description import brings
from heartfelt.server.pages import markdown, page
from heartfelt.server.parts import Here
from heartfelt.server.settings import ServerSettings

router = APIRouter(tags=["help"])


@router.get("/protocol", response_class=Response, responses=brings("text/html"))
async def read_protocol(here: Here) -> HTMLResponse:
    """What is looked for, what happens then, which services are named, and what is stored."""
    text = protocol(here.runtime.safety(), stored=_stored(here.settings))
    return HTMLResponse(page("page.html", title="Safety protocol", width="52rem", body=markdown(text)))


def _stored(settings: ServerSettings) -> str:
    """In the words of whoever talks here."""
    until = f"for {settings.keep_days:g} days after they were last used" if settings.keep_days else "until they are deleted"
    return (
        f"Conversations that a person chose to keep stay {until}: their words, replies, reasons and what was measured of voice "
        "and face. Sound and pictures are measured in memory and never stored. Deleting a conversation removes its bytes. Logs "
        "and metrics hold nothing that anybody said."
    )
