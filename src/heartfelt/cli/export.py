"""`heartfelt export`: what a server's database holds of a session, as one file."""

import json
from pathlib import Path
from typing import Annotated

import typer

from heartfelt.cli.console import err
from heartfelt.cli.serve import StoreAddress


def export(
    session: Annotated[str, typer.Argument(help="The id of the session.")],
    *,
    to: Annotated[Path, typer.Option("--out", "-o", help="The file to write; one that ends in .html is a page to read.")],
    raw: Annotated[bool, typer.Option("--raw", help="As it is stored, with all names and numbers that were said.")] = False,
    store: StoreAddress = "",
) -> None:
    """Write a session with its conversation and traces as JSON, or its conversation as a page: redacted, unless --raw asks
    for it as it is."""
    from heartfelt.server.serving import require

    require()
    from heartfelt.safety.redact import redacted_json
    from heartfelt.server.settings import default_store
    from heartfelt.server.store import SessionStore
    from heartfelt.server.transcript import transcript

    with SessionStore.open(store or default_store()) as opened:
        whole = opened.export(session, opened.owner(session))
    data = whole if raw else redacted_json(whole)
    page = to.suffix == ".html"
    text = transcript(data, redacted=not raw) if page else json.dumps(data, indent=2, ensure_ascii=False) + "\n"
    to.parent.mkdir(parents=True, exist_ok=True)
    to.touch(mode=0o600)
    to.write_text(text, "utf-8")
    err.print(f"Written: {to}", style="dim", markup=False)
