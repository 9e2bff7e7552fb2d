"""A person's live socket, from its opening to its end."""

import asyncio
from contextlib import suppress

from pydantic import TypeAdapter, ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from heartfelt.errors import HeartfeltError
from heartfelt.server.live.outbox import TOO_SLOW, Outbox
from heartfelt.server.live.pieces import piece_of
from heartfelt.server.live.talk import LiveTalk
from heartfelt.server.session_hub import SessionHub
from heartfelt.server.turns import Turns
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


async def converse(socket: WebSocket, session: SessionView, owner: str, turns: Turns, hub: SessionHub) -> None:
    """Until either side ends it. The socket is accepted already."""
    outbox = Outbox(socket)
    talk = LiveTalk(session.id, owner, turns, hub, outbox)
    outbox.tell(Ready(session=session))
    tasks = [asyncio.create_task(work) for work in (outbox.run(), _receive(socket, talk, outbox), outbox.overrun.wait())]
    with hub.join(session.id, outbox.tell):
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if tasks[2] in done:
                await _hang_up(socket)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await talk.close()


async def _hang_up(socket: WebSocket) -> None:
    with suppress(RuntimeError, WebSocketDisconnect, TimeoutError):
        async with asyncio.timeout(1):
            await socket.close(TOO_SLOW, "You do not keep up with what is sent. Connect again.")


async def _receive(socket: WebSocket, talk: LiveTalk, outbox: Outbox) -> None:
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
            outbox.tell(ErrorNotice(code="invalid", message=f"The message cannot be read: {where} {first['msg']}".strip()))
        except HeartfeltError as error:
            outbox.tell(ErrorNotice(code="invalid", message=str(error)))


async def _handle(message: FromClient, talk: LiveTalk, outbox: Outbox) -> None:
    match message:
        case Begin():
            await talk.begin(message)
        case Say(text=text):
            await talk.say(text)
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
