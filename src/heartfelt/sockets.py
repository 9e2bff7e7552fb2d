"""Where a server of this machine is reached. Opened before its address is told: whoever follows it at once is let in."""

import socket

from heartfelt.errors import UsageError


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 takes any that is free."""
    door = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        door.bind((host, port))
        door.listen(512)
    except OSError as error:
        door.close()
        raise UsageError(f"{host}:{port} cannot be used: {error.strerror}. Give another with --port, or 0 for any.") from error
    return door
