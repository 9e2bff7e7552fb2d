"""The parts of a running server, and how a route gets at them and at its caller."""

from dataclasses import dataclass
from typing import Annotated, TypeAlias

from fastapi import Depends, Response
from starlette.requests import HTTPConnection

from heartfelt.server.archive import Archive
from heartfelt.server.callers import Caller, caller_of
from heartfelt.server.entrance import Guests
from heartfelt.server.live_sockets import LiveSockets
from heartfelt.server.metrics import Metrics
from heartfelt.server.pace_limit import PaceLimit
from heartfelt.server.runtime import Runtime
from heartfelt.server.session_hub import SessionHub
from heartfelt.server.settings import ServerSettings
from heartfelt.server.turns import Turns
from heartfelt.server.workshop import Workshop


@dataclass(frozen=True)
class Parts:
    settings: ServerSettings
    runtime: Runtime
    archive: Archive
    turns: Turns
    hub: SessionHub
    metrics: Metrics
    pace: PaceLimit
    sockets: LiveSockets
    workshop: Workshop
    guests: Guests | None
    """Where tokens are asked for."""


def _parts(connection: HTTPConnection) -> Parts:
    return connection.app.state.parts


def _caller(connection: HTTPConnection, response: Response) -> Caller:
    caller = caller_of(connection)
    caller.remember(response, _parts(connection).settings)
    return caller


Here: TypeAlias = Annotated[Parts, Depends(_parts)]
Who: TypeAlias = Annotated[Caller, Depends(_caller)]
