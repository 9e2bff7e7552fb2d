"""The rating page: one file in the trace page's colours and type, that fetches nothing but what is rated."""

import base64
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import NamedTuple

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup


class Page(NamedTuple):
    html: str
    policy: str
    """What the browser may do with it: run its own script, draw its own style, and talk to this server."""


@cache
def page() -> Page:
    """The same for everyone: who rates what is fetched, so nothing of it can stand in the page's source."""
    loaders = [PackageLoader("heartfelt.evaluation.rating"), PackageLoader("heartfelt.page")]
    environment = Environment(loader=ChoiceLoader(loaders), autoescape=True, undefined=StrictUndefined)
    script = files("heartfelt.evaluation.rating").joinpath("templates", "rate.js").read_text("utf-8")
    html = environment.get_template("rate.html").render(script=Markup(script))
    fingerprint = base64.b64encode(sha256(script.encode()).digest()).decode()
    allowed = f"script-src 'sha256-{fingerprint}'; style-src 'unsafe-inline'; img-src data:; connect-src 'self'"
    return Page(html, f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
