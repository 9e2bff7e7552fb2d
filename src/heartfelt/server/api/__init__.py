"""The routes: one file for each thing that one can ask for."""

from heartfelt.server.api import completions, identities, live, messages, operators, sessions, traces

ROUTERS = (
    sessions.router,
    messages.router,
    traces.router,
    identities.router,
    live.router,
    completions.router,
    operators.router,
)
