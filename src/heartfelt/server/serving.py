"""The server on this machine, until it is told to end."""

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING

from heartfelt.errors import MissingExtra, UsageError
from heartfelt.server.settings import ServerSettings
from heartfelt.sockets import listen

if TYPE_CHECKING:
    import uvicorn

_NEEDED = ("fastapi", "uvicorn", "sqlalchemy", "alembic", "prometheus_client", "multipart", "websockets")
_LONGEST_MESSAGE = 1024 * 1024
"""Bytes of one message of the live socket."""
_GRACE = 20
"""Seconds that running requests have after the server was told to end."""


def require() -> None:
    """Say what is missing before anything is opened."""
    if not all(find_spec(name) for name in _NEEDED):
        raise MissingExtra("The server", "server")


def serve(settings: ServerSettings, *, host: str, port: int, ready: Callable[[str], None]) -> None:
    """`ready` is given the address as soon as it answers. Port 0 takes any that is free."""
    require()
    import uvicorn

    from heartfelt.server.app import create_app
    from heartfelt.server.doors import doors, room

    door = listen(host, port)
    config = uvicorn.Config(
        create_app(settings),
        http=doors(room()),
        log_level="warning",
        access_log=False,
        server_header=False,
        ws="websockets-sansio",
        ws_max_size=_LONGEST_MESSAGE,
        ws_ping_interval=20,
        ws_ping_timeout=30,
        ws_per_message_deflate=False,
        timeout_keep_alive=10,
        timeout_graceful_shutdown=_GRACE,
        h11_max_incomplete_event_size=64 * 1024,
    )
    server = _server(config, lambda: ready(_address(host, door)))
    with suppress(KeyboardInterrupt), asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
        runner.run(server.serve(sockets=[door]))
    if not server.started:
        raise UsageError("The server could not start. What it said stands above.")


def _server(config: "uvicorn.Config", up: Callable[[], None]) -> "uvicorn.Server":
    """One that says when it is up."""
    import uvicorn

    class AnnouncingServer(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets=sockets)
            if self.started:
                up()

    return AnnouncingServer(config)


def _address(host: str, door: socket.socket) -> str:
    name = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::", "::1") else host
    return f"http://{name}:{door.getsockname()[1]}/"
