"""The safety protocol as a page: made from the settings that are running, for anybody to read."""

from fastapi import APIRouter
from markdown_it import MarkdownIt
from starlette.responses import HTMLResponse

from heartfelt.safety.protocol import protocol
from heartfelt.server.parts import Here
from heartfelt.server.settings import ServerSettings

router = APIRouter(tags=["help"])
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>Safety protocol · Heartfelt</title>
<style>
:root {{ --paper: #f8f4ee; --ink: #2c2622; --soft: #685d54; --line: #e3d9cc; --accent: #91432c; }}
@media (prefers-color-scheme: dark) {{
:root {{ --paper: #1c1815; --ink: #f0e9e0; --soft: #b3a699; --line: #3a332d; --accent: #e8a08a; }} }}
body {{ margin: 0 auto; max-width: 52rem; padding: 2rem 1.25rem 5rem; background: var(--paper); color: var(--ink);
font: 1rem/1.6 system-ui, sans-serif; }}
h1, h2 {{ font-family: Georgia, serif; font-weight: 400; line-height: 1.25; }} h2 {{ margin-top: 2.5rem; }}
a {{ color: var(--accent); }} table {{ border-collapse: collapse; width: 100%; display: block; overflow-x: auto; }}
th {{ text-align: left; color: var(--soft); font-weight: 400; }}
th, td {{ padding: .45rem .8rem .45rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }}
td:first-child {{ white-space: nowrap; }}
</style></head><body><main>
{body}
</main></body></html>
"""


@router.get("/protocol", response_class=HTMLResponse)
async def read_protocol(here: Here) -> HTMLResponse:
    """What is looked for, what happens then, which services are named, and what is stored."""
    text = protocol(here.runtime.safety(), stored=_stored(here.settings))
    return HTMLResponse(_PAGE.format(body=MarkdownIt().enable("table").render(text)))


def _stored(settings: ServerSettings) -> str:
    """In the words of whoever talks here."""
    until = f"for {settings.keep_days:g} days after they were last used" if settings.keep_days else "until they are deleted"
    return (
        f"Conversations that a person chose to keep stay {until}: their words, replies, reasons and what was measured of voice "
        "and face. Sound and pictures are measured in memory and never stored. Deleting a conversation removes its bytes. Logs "
        "and metrics hold nothing that anybody said."
    )
