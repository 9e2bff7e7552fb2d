"""What is to be sent, in order. Telling never waits; a client that does not keep up is let go."""

import asyncio
from collections import deque

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from heartfelt.server.wire import FromServer

MOST_BYTES = 16 * 1024 * 1024
"""That may wait for one client: a minute of speech with its face, or all the events of a long turn."""
TOO_SLOW, NO_ENTRANCE = 1013, 4401


class Outbox:
    def __init__(self, socket: WebSocket):
        self._socket = socket
        self._waiting: deque[str | bytes] = deque()
        self._bytes = 0
        self._more = asyncio.Event()
        self.overrun = asyncio.Event()
        """Set once the client has fallen too far behind."""

    def tell(self, message: FromServer) -> None:
        self._put(message.model_dump_json())

    def send(self, data: bytes) -> None:
        self._put(data)

    async def run(self) -> None:
        """Until the socket is closed."""
        while True:
            await self._more.wait()
            self._more.clear()
            while self._waiting:
                message = self._waiting.popleft()
                self._bytes -= len(message)
                await self._pass_on(message)

    def _put(self, message: str | bytes) -> None:
        if self.overrun.is_set():
            return
        self._waiting.append(message)
        self._bytes += len(message)
        self._more.set()
        if self._bytes > MOST_BYTES:
            self._waiting.clear()
            self.overrun.set()

    async def _pass_on(self, message: str | bytes) -> None:
        if self._socket.application_state != WebSocketState.CONNECTED:
            raise WebSocketDisconnect(1006)
        if isinstance(message, str):
            await self._socket.send_text(message)
        else:
            await self._socket.send_bytes(message)
