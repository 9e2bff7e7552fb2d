"""The rating page on this machine, until it is interrupted."""

from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec

from heartfelt.errors import MissingExtra
from heartfelt.evaluation.rating.desk import Desk
from heartfelt.sockets import listen

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

    with listen(HOST, port) as door:
        ready(f"http://{HOST}:{door.getsockname()[1]}/")
        config = uvicorn.Config(app(desk), log_level="error", access_log=False, lifespan="off", server_header=False)
        with suppress(KeyboardInterrupt):  # that is how the page is meant to end
            uvicorn.Server(config).run(sockets=[door])
