"""Which strings of an export are words that somebody said, and which are labels, hashes or pictures."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

LABELS = frozenset({
    "kind", "step", "steps", "started_from", "audited", "stopped", "without", "until", "voting", "unsensed",
    "emotion", "labels", "category", "choice", "stance", "tactic", "tone", "tier", "danger", "source", "by", "channel",
    "intended", "expected", "recognised", "bank", "mapping", "age", "gender", "timbre", "voice", "face", "match",
    "model", "voters", "recipe", "version", "mime", "country", "deployment", "split", "scored",
    "state", "pace", "locale", "language", "made", "touched",
})  # fmt: skip
"""Fields whose values come from a fixed set."""
HASHES = frozenset({"template", "prompt", "dialogue_hash", "hash", "sha256", "id", "session"})
WHOLE = frozenset({"identity", "budget", "shares", "distribution", "wanted", "measured", "models"})
"""Fields that hold nothing anybody said."""
SPEAKERS = frozenset({"speaker", "listener"})
MEDIA = frozenset({"keyframes", "pictures", "images", "audio"})
LONGEST_LABEL = 80
DEEPEST = 100
"""Levels of nesting; nothing that Heartfelt writes comes near, and what lies deeper is dropped."""
_HASH = re.compile(r"(?:sha256:)?(?=[0-9-]{0,63}[a-f])[0-9a-f-]{8,64}")
_FILE = re.compile(r"data:[\w/+.-]{0,80};base64,|[A-Za-z0-9+/=_\r\n-]{200}")
Json: TypeAlias = Any


@dataclass(frozen=True)
class Changes:
    """What is done to each sort of string."""

    text: Callable[[str], str]
    words: Callable[[list[str]], list[str]]
    """Words that were heard one by one, each with its time."""
    label: Callable[[str], str]


def texts(data: Json, field: str = "", depth: int = 0) -> Iterator[str]:
    """All that was said or written, in order; words that were heard one by one as the sentence that they are."""
    if isinstance(data, str):
        if not is_label(field, data) and not _FILE.match(data):
            yield data
    elif depth > DEEPEST or field in WHOLE or field in MEDIA:
        return
    elif isinstance(data, dict):
        for key, value in data.items():
            yield from texts(value, str(key), depth + 1)
    elif isinstance(data, list | tuple):
        if heard := _heard(data):
            yield " ".join(heard)
        else:
            for value in data:
                yield from texts(value, field, depth + 1)


def speakers(data: Json, depth: int = 0) -> Iterator[str]:
    if isinstance(data, dict) and depth <= DEEPEST:
        for key, value in data.items():
            if key in SPEAKERS and isinstance(value, str):
                yield value
            yield from speakers(value, depth + 1)
    elif isinstance(data, list | tuple) and depth <= DEEPEST:
        for value in data:
            yield from speakers(value, depth + 1)


def changed(data: Json, changes: Changes, field: str = "", depth: int = 0) -> Json:
    """The same shape, with other strings. Pictures and sounds are dropped."""
    if isinstance(data, str):
        return _string(data, changes, field)
    if isinstance(data, dict | list | tuple) and depth > DEEPEST:
        return None
    if isinstance(data, dict) and field in WHOLE:
        return data
    if isinstance(data, dict):
        return {key: changed(value, changes, str(key), depth + 1) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return _list(list(data), changes, field, depth)
    return data


def is_label(field: str, value: str) -> bool:
    if field in HASHES:
        return _HASH.fullmatch(value) is not None
    return field in WHOLE or (field in LABELS and len(value) <= LONGEST_LABEL)


def _string(value: str, changes: Changes, field: str) -> str:
    if _FILE.match(value):
        return ""
    return changes.label(value) if is_label(field, value) else changes.text(value)


def _list(data: list[Json], changes: Changes, field: str, depth: int) -> list[Json]:
    if field in MEDIA:
        return []
    if heard := _heard(data):
        return [{**word, "text": text} for word, text in zip(data, changes.words(heard), strict=True)]
    return [changed(value, changes, field, depth + 1) for value in data]


def _heard(data: list[Json] | tuple[Json, ...]) -> list[str]:
    """The words of a list of words with their times, and nothing for any other list."""
    if all(isinstance(one, dict) and {"text", "start", "end"} <= one.keys() <= _WORD_FIELDS for one in data):
        return [str(one["text"]) for one in data]
    return []


_WORD_FIELDS = frozenset({"text", "start", "end", "confidence"})
