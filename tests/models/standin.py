"""A local server that replays a script of replies and faults, over plain asyncio so that it can break every rule."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

Reply = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@dataclass
class Asked:
    path: str
    headers: dict[str, str]
    body: Any


@dataclass
class StandIn:
    """Gives one reply of the script to each request; the last one repeats."""

    script: list[Reply] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    reached: asyncio.Event = field(default_factory=asyncio.Event)
    left: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a client went away before its reply was over."""
    url: str = ""

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def stop(self) -> None:
        self._server.close()
        await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            self.asked.append(await _request(reader))
            self.reached.set()
            reply = self.script[min(len(self.asked), len(self.script)) - 1]
            await _unless_left(reply(reader, writer), reader, self.left)
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            self.left.set()
        finally:
            writer.close()


async def _request(reader: asyncio.StreamReader) -> Asked:
    head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:] if line)}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Asked(head[0].split()[1], headers, json.loads(body) if body else None)


async def _unless_left(reply: Awaitable[None], reader: asyncio.StreamReader, left: asyncio.Event) -> None:
    """Stop replying as soon as the client closes its end."""
    answering, leaving = asyncio.ensure_future(reply), asyncio.ensure_future(reader.read(1))
    await asyncio.wait({answering, leaving}, return_when=asyncio.FIRST_COMPLETED)
    if not answering.done():
        left.set()
        answering.cancel()
    leaving.cancel()
    await asyncio.gather(answering, leaving, return_exceptions=True)


# ── replies ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def raw(body: str, media_type: str = "application/json", status: int = 200, **headers: str) -> Reply:
    async def reply(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        named = {"content-type": media_type, "content-length": str(len(body.encode())), **headers}
        writer.write(_head(status, named) + body.encode())

    return reply


def answer(body: object, status: int = 200, **headers: str) -> Reply:
    return raw(json.dumps(body), status=status, **headers)


def chunks(*pieces: str, media_type: str, whole: bool = True, pause: float = 0.0) -> Reply:
    """A chunked body; one that is not whole lacks the last chunk, as when a server dies."""

    async def reply(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(_head(200, {"content-type": media_type, "transfer-encoding": "chunked"}))
        for piece in pieces:
            writer.write(f"{len(piece.encode()):x}\r\n{piece}\r\n".encode())
            await writer.drain()
            await asyncio.sleep(pause)
        writer.write(b"0\r\n\r\n" if whole else b"")

    return reply


def slow_bytes(pause: float = 0.02) -> Reply:
    """Always one more byte, and never an answer."""

    async def reply(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(_head(200, {"content-type": "application/json"}))
        while True:
            writer.write(b" ")
            await writer.drain()
            await asyncio.sleep(pause)

    return reply


async def silence(_: asyncio.StreamReader, __: asyncio.StreamWriter) -> None:
    await asyncio.Event().wait()


async def hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.transport.abort()


def _head(status: int, headers: dict[str, str]) -> bytes:
    named = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    return f"HTTP/1.1 {status} Status\r\n{named}connection: close\r\n\r\n".encode()
