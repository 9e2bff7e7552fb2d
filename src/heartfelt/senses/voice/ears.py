"""Recognisers by address: `embedded:`, `moonshine:`, `whisper:base`, `whisper:small`, `faster-whisper:MODEL`."""

from collections.abc import Callable
from typing import get_args

from heartfelt.errors import UnknownName, UsageError
from heartfelt.plugins import Registry
from heartfelt.senses.voice.moonshine import Moonshine
from heartfelt.senses.voice.transcribe import Transcriber
from heartfelt.senses.voice.whisper import Size, Whisper
from heartfelt.senses.voice.whisper_faster import FasterWhisper
from heartfelt.weights import Store


def open_ears(address: str) -> Transcriber:
    """The recogniser at `address`. Those that come with Heartfelt load nothing before they hear."""
    scheme, _, rest = address.partition(":")
    if scheme not in _OPENERS:
        raise UnknownName("recogniser", scheme, [f"{name}:" for name in _OPENERS])
    return _OPENERS[scheme](rest)


def _embedded(rest: str) -> Transcriber:
    """Whisper base, or Moonshine where only that was fetched: it knows English alone."""
    if rest:
        raise UsageError(f"'embedded:{rest}' has something behind `embedded:`, which takes nothing. Write `embedded:` alone.")
    store = Store()
    return Moonshine(store) if store.has("moonshine") and not store.has("whisper-base") else Whisper(store=store)


def _moonshine(_rest: str) -> Transcriber:
    return Moonshine()


def _whisper(size: str) -> Transcriber:
    for known in get_args(Size):
        if size == known:
            return Whisper(known)
    raise UnknownName("size of Whisper", size, get_args(Size))


def _faster_whisper(model: str) -> Transcriber:
    if not model:
        raise UsageError("Name a model or its folder after `faster-whisper:`, for example `faster-whisper:small`.")
    return FasterWhisper(model)


_OPENERS = Registry[Callable[[str], Transcriber]](
    "heartfelt.ears",
    {"embedded": _embedded, "moonshine": _moonshine, "whisper": _whisper, "faster-whisper": _faster_whisper},
)
"""By scheme: what opens the recogniser whose address goes on so."""
