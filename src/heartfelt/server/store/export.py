"""All that is stored of a session, as its owner may take it away, or move it from memory to where it is kept."""

import json
from typing import Any

from sqlalchemy import Connection, insert, select

from heartfelt.server.store import events, sessions
from heartfelt.server.store.tables import EVENT, SESSION, TURN


def export(connection: Connection, session_id: str, owner: str) -> dict[str, Any]:
    """Column by column as it is kept, not as a release reads it; the events of each turn are with it."""
    sessions.read(connection, session_id, owner)
    session = connection.execute(select(SESSION).where(SESSION.c.id == session_id)).mappings().one()
    turns = connection.execute(select(TURN).where(TURN.c.session == session_id).order_by(TURN.c.number)).mappings()
    traces = _traces(connection, session_id)
    conversation = [{**_without(turn, "session"), "events": traces.get(turn["number"], [])} for turn in turns]
    return {**session, "conversation": conversation}


def restore(connection: Connection, exported: dict[str, Any]) -> None:
    """The other way round, from another store of the same release: from now on it is kept."""
    session_id = exported["id"]
    connection.execute(insert(SESSION).values(_without(exported, "conversation") | {"kept": True}))
    for turn in exported["conversation"]:
        connection.execute(insert(TURN).values(_without(turn, "events") | {"session": session_id}))
        lines = [(each["looking_back"], json.dumps(each["event"])) for each in turn["events"]]
        events.add(connection, session_id, turn["number"], lines)


def _traces(connection: Connection, session_id: str) -> dict[int, list[dict[str, Any]]]:
    traces: dict[int, list[dict[str, Any]]] = {}
    found = select(EVENT).where(EVENT.c.session == session_id).order_by(EVENT.c.turn, EVENT.c.seq)
    for row in connection.execute(found).mappings():
        event = {"looking_back": row["looking_back"], "tried": row["tried"], "event": json.loads(row["line"])}
        traces.setdefault(row["turn"], []).append(event)
    return traces


def _without(row: Any, name: str) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key != name}
