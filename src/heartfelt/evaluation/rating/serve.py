"""The rating page on this machine, until it is interrupted."""

import socket
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec

from heartfelt.errors import MissingExtra, UsageError
from heartfelt.evaluation.rating.desk import Desk

HOST = "127.0.0.1"


def require() -> None:
    """Say what is missing before anything is opened."""
    if not (find_spec("starlette") and find_spec("uvicorn")):
        raise MissingExtra("The rating page", "lab")


def serve(desk: Desk, *, port: int = 0, ready: Callable[[str], None]) -> None:
    """Serve until interrupted; `ready` is given the address. Port 0 takes any that is free."""
    require()
    import uvicorn

    from heartfelt.evaluation.rating.app import app

    with _listening(port) as door:
        ready(f"http://{HOST}:{door.getsockname()[1]}/")
        config = uvicorn.Config(app(desk), log_level="error", access_log=False, lifespan="off", server_header=False)
        with suppress(KeyboardInterrupt):  # that is how the page is meant to end
            uvicorn.Server(config).run(sockets=[door])


def _listening(port: int) -> socket.socket:
    """Open before the address is told, so that whoever follows it at once is let in."""
    door = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        door.bind((HOST, port))
        door.listen(64)
    except OSError as error:
        door.close()
        raise UsageError(f"Port {port} cannot be used: {error.strerror}. Give another with --port, or 0 for any.") from error
    return door
