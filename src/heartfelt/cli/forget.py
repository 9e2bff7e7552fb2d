"""`heartfelt forget`: delete sessions from a server's database, whether it runs or not."""

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from heartfelt.cli.console import out
from heartfelt.cli.serve import StoreAddress
from heartfelt.errors import UsageError

if TYPE_CHECKING:
    from heartfelt.server.store import SessionStore


def forget(
    *,
    session: Annotated[str, typer.Option("--session", help="The id of one session.")] = "",
    everything: Annotated[bool, typer.Option("--all", help="Every session of everybody.")] = False,
    older_than: Annotated[
        float | None, typer.Option("--older-than", min=0, metavar="DAYS", help="Those that nobody touched for so long.")
    ] = None,
    store: StoreAddress = "",
) -> None:
    """Delete sessions whole: what was said, the replies and their traces. In a SQLite file no byte of them is left."""
    if sum((bool(session), everything, older_than is not None)) != 1:
        raise UsageError("Say what to forget: --session ID, --older-than DAYS, or --all. One of them.")
    from heartfelt.server.serving import require

    require()
    from heartfelt.server.settings import default_store
    from heartfelt.server.store import SessionStore

    with SessionStore.open(store or default_store()) as opened:
        count = _one(opened, session) if session else opened.expire(_before(older_than))
    out.print(f"{count} {'session is' if count == 1 else 'sessions are'} forgotten.")


def _one(store: "SessionStore", session: str) -> int:
    store.delete(session, store.owner(session))
    return 1


def _before(days: float | None) -> datetime:
    """Everything was touched before tomorrow."""
    return datetime.now(UTC) + timedelta(days=1) if days is None else datetime.now(UTC) - timedelta(days=days)
