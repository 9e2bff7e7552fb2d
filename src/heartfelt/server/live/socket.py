"""A person's live socket, from its opening to its end."""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from functools import partial
from logging import Logger
from typing import Any

from pydantic import TypeAdapter, ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from heartfelt.errors import HeartfeltError
from heartfelt.server.live.outbox import NO_ENTRANCE, TOO_SLOW, Outbox
from heartfelt.server.live.pieces import piece_of
from heartfelt.server.live.talk import LiveTalk, notice_of, unforeseen
from heartfelt.server.parts import Parts
from heartfelt.server.problems import sayable
from heartfelt.server.wire import (
    Again,
    Begin,
    EndTurn,
    ErrorNotice,
    FromClient,
    Ping,
    Played,
    Pong,
    Ready,
    Say,
    SessionView,
    Stop,
)

_FROM_CLIENT: TypeAdapter[FromClient] = TypeAdapter(FromClient)
_DRAINED = 2.0
"""Seconds for what has arrived on a line that is broken."""


async def converse(
    socket: WebSocket, session: SessionView, owner: str, here: Parts, sent_away: Coroutine[Any, Any, None]
) -> None:
    """Until either side ends it, or `sent_away` returns. The socket is accepted already."""
    outbox = Outbox(socket)
    pace = partial(here.pace.take, owner)
    talk = LiveTalk(session.id, owner, here.turns, here.hub, outbox, pace)
    outbox.tell(Ready(session=session))
    works = (outbox.run(), _receive(socket, talk, outbox, here.metrics.log), outbox.overrun.wait(), sent_away)
    tasks = [asyncio.create_task(work) for work in works]
    with here.hub.join(session.id, outbox.tell):
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if tasks[0] in done:  # what arrived before the line broke is still taken
                await asyncio.wait([tasks[1]], timeout=_DRAINED)
            if tasks[2] in done:
                await _hang_up(socket, TOO_SLOW, "You do not keep up with what is sent. Connect again.")
            elif tasks[3] in done:
                await _hang_up(socket, NO_ENTRANCE, "Your token is no longer known here. Ask whoever runs the server.")
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await talk.close()


async def _hang_up(socket: WebSocket, code: int, why: str) -> None:
    with suppress(RuntimeError, WebSocketDisconnect, TimeoutError):
        async with asyncio.timeout(1):
            await socket.close(code, why)


async def _receive(socket: WebSocket, talk: LiveTalk, outbox: Outbox, log: Logger) -> None:
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        try:
            if message.get("bytes") is not None:
                await talk.take(piece_of(message["bytes"]))
            else:
                await _handle(_FROM_CLIENT.validate_json(message.get("text") or ""), talk, outbox)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            outbox.tell(
                ErrorNotice(code="invalid", message=sayable(f"The message cannot be read: {where} {first['msg']}".strip()))
            )
        except HeartfeltError as error:
            outbox.tell(notice_of(error))
        except Exception as error:
            log.exception("a message of a live socket failed")
            outbox.tell(unforeseen(error))


async def _handle(message: FromClient, talk: LiveTalk, outbox: Outbox) -> None:
    match message:
        case Begin():
            await talk.begin(message)
        case Say():
            await talk.say(message)
        case EndTurn():
            await talk.end_turn()
        case Stop():
            await talk.stop(message)
        case Played():
            await talk.played(message)
        case Again(turn=turn):
            await talk.again(turn)
        case Ping(sent=sent):
            outbox.tell(Pong(sent=sent))
