"""What goes wrong is logged by its kind and its place: what an error says may quote what a person said."""

import logging
import traceback

_LOGGERS = ("heartfelt.server", "uvicorn.error", "asyncio")
"""Whoever logs what went wrong in a request."""


def keep_words_out() -> None:
    for name in _LOGGERS:
        logging.getLogger(name).addFilter(_without_words)


def _without_words(record: logging.LogRecord) -> bool:
    error = record.exc_info[1] if record.exc_info else None
    if error is not None:
        place = "".join(traceback.format_tb(error.__traceback__))
        record.msg, record.args = f"{record.getMessage()}: {type(error).__name__}\n{place}", ()
        record.exc_info = None
    return True
