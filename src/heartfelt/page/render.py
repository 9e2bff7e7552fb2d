"""From a trace to a page: the built viewer, which is the web app's own, with the trace put into it as data."""

import base64
import html
import json
import re
from dataclasses import asdict
from functools import cache
from hashlib import sha256
from pathlib import Path

from heartfelt.errors import InputError, MissingBuild
from heartfelt.page.media import PageMedia, media_beside
from heartfelt.page.thin import thinned
from heartfelt.trace import Trace

_VIEWER = Path(__file__).with_name("viewer.html")
_MARKS = re.compile("%(TITLE|REPLY|TRACE)%")
_UNSAFE = re.compile("[<>&\u2028\u2029\ud800-\udfff]")
"""In a script, what could end it or begin a comment; and what JavaScript or UTF-8 does not take."""
_TITLE = 60
"""Letters of the reply in the name of the page."""


def render(trace: Trace, folder: Path | None = None) -> str:
    """The whole page as text. `folder` is where it will lie: the film and the sound of the reply are looked for there."""
    reply = _reply(trace)
    filled = {
        "TITLE": html.escape(_short(reply) or "A turn without a reply"),
        "REPLY": html.escape(reply or "No reply was written."),
        "TRACE": page_data(trace, folder),
    }
    return _MARKS.sub(lambda mark: filled[mark[1]], _viewer())


def write_page(trace: Trace, target: Path, media: Path | None = None) -> None:
    """Write the page. `media` is the folder with the film and the sound of the reply, if they do not lie beside the page."""
    page = render(trace, media or target.parent)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(page, encoding="utf-8", errors="xmlcharrefreplace")


def page_data(trace: Trace, folder: Path | None = None) -> str:
    """What the viewer reads: the events of the turn and what there is to play, as JSON that no text can break out of."""
    if trace.started is None:
        raise InputError("The trace is empty.")
    made, events = trace.performance, [thinned(event) for event in trace.events]
    media = media_beside(made.files, folder, seconds=made.seconds, text=_reply(trace)) if made else PageMedia()
    shown = json.dumps({"shown": [asdict(each) | {"link": each.link} for each in media.shown], "remarks": media.remarks})
    data = f'{{"events": [{",".join(event.model_dump_json() for event in events)}], "media": {shown}}}'
    return _UNSAFE.sub(lambda sign: f"\\u{ord(sign[0]):04x}", data)


def policy() -> str:
    """What the browser may do: draw the page, and play what is in it. No other script runs, and nothing is fetched."""
    found = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', _viewer())
    return html.unescape(found[1]) if found else "default-src 'none'"


@cache
def _viewer() -> str:
    """The built page without what it says about its sources."""
    try:
        return _VIEWER.read_text("utf-8").partition("<!--sources")[0]
    except FileNotFoundError:
        raise MissingBuild("The page that shows traces is not built. In a checkout of Heartfelt, run: make web") from None


def _reply(trace: Trace) -> str:
    if trace.finished:
        return trace.finished.reply
    return next((made.reply for made in reversed(trace.passes) if made.reply), "")


def _short(text: str) -> str:
    return text if len(text) <= _TITLE else f"{text[:_TITLE].rpartition(' ')[0] or text[:_TITLE]}…"


# ── what the laboratory's report shares ─────────────────────────────────────────────────────────────────────────────


@cache
def _script() -> str:
    return Path(__file__).with_name("templates").joinpath("page.js").read_text("utf-8")


def _policy(*, played: bool) -> str:  # pyright: ignore[reportUnusedFunction] (the report imports it)
    """What the browser may do with a report: draw it, and run its own script."""
    fingerprint = base64.b64encode(sha256(_script().encode()).digest()).decode()
    media = " media-src data:;" if played else ""
    return f"default-src 'none'; style-src 'unsafe-inline'; img-src data:;{media} script-src 'sha256-{fingerprint}'"
