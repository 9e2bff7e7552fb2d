"""What an operator counts and times, in the form that Prometheus reads. Nothing that a person said is ever in it."""

import logging
import traceback

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from heartfelt.server.wire import Times

_SECONDS = (0.1, 0.25, 0.5, 1, 2, 3, 5, 8, 13, 21, 34, 60, 120)
_LOGGERS = ("heartfelt.server", "uvicorn.error", "asyncio")
"""Whoever logs what went wrong in a request."""


class Metrics:
    """A registry of its own for each app, so that two in one process do not collide."""

    def __init__(self) -> None:
        keep_words_out()
        self.log = logging.getLogger("heartfelt.server")
        self.registry = CollectorRegistry()
        self.turns = Counter("heartfelt_turns", "Turns by how they ended.", ["state"], registry=self.registry)
        self.live = Gauge("heartfelt_live_sockets", "Live sockets that are open.", registry=self.registry)
        self.inside = Gauge("heartfelt_turns_running", "Turns that are being answered.", registry=self.registry)
        self.waiting = Gauge("heartfelt_turns_waiting", "Turns that wait to be answered.", registry=self.registry)
        self.unmade = Gauge("heartfelt_speech_unmade", "Frequent sentences not spoken ahead yet.", registry=self.registry)
        self.refused = Counter("heartfelt_refused", "Requests that were refused, by reason.", ["code"], registry=self.registry)
        self.interrupted = Counter("heartfelt_interrupted", "Replies that were spoken over or stopped.", registry=self.registry)
        self._times = Histogram(
            "heartfelt_turn_seconds",
            "Seconds from when the person had finished.",
            ["until"],
            buckets=_SECONDS,
            registry=self.registry,
        )

    def turn(self, state: str, times: Times) -> None:
        self.turns.labels(state).inc()
        for until in ("understood", "first_step", "first_word", "last_word"):
            self.time(until, getattr(times, f"{until}_ms"))

    def time(self, until: str, ms: float | None) -> None:
        if ms is not None:
            self._times.labels(until).observe(ms / 1000)

    def text(self) -> bytes:
        return generate_latest(self.registry)


def keep_words_out() -> None:
    """What goes wrong is logged by its kind and its place: what an error says may quote what a person said."""
    for name in _LOGGERS:
        logging.getLogger(name).addFilter(_without_words)


def _without_words(record: logging.LogRecord) -> bool:
    error = record.exc_info[1] if record.exc_info else None
    if error is not None:
        place = "".join(traceback.format_tb(error.__traceback__))
        record.msg, record.args = f"{record.getMessage()}: {type(error).__name__}\n{place}", ()
        record.exc_info = None
    return True
