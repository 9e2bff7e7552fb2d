"""The routes: one file for each thing that one can ask for."""

from heartfelt.server.api import (
    answers,
    completions,
    docs,
    entrance,
    helplines,
    identities,
    live,
    messages,
    operators,
    protocol,
    sessions,
    traces,
)

ROUTERS = (
    sessions.router,
    messages.router,
    answers.router,
    traces.router,
    identities.router,
    helplines.router,
    protocol.router,
    live.router,
    completions.router,
    entrance.router,
    operators.router,
    docs.router,
)
