"""What the models behind a network share: attempts, the waits between them, one deadline, and the answer's pieces."""

import asyncio
import json
import random
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar
from urllib.parse import parse_qsl

from pydantic import ValidationError

from heartfelt.errors import InputError, ModelError, ModelRefusal, ModelTimeout, ModelUnavailable
from heartfelt.models.answers import ThinkingFilter
from heartfelt.models.seam import Capabilities, Completion, Request, Usage

Found = TypeVar("Found")


class Delta(NamedTuple):
    """A piece of an answer as the server sent it. `finish` says that the text is complete; usage may follow it."""

    text: str = ""
    finish: Literal["stop", "length"] | None = None
    usage: Usage | None = None


Attempt: TypeAlias = Callable[[], AsyncGenerator[Delta, None]]
"""Asks the server once. Raises `Setback` where asking again may help, and a `ModelError` where it will not."""


class Setback(Exception):
    """An attempt that failed in a way that another may mend; `kind` is the error if none does."""

    def __init__(self, message: str, kind: type[ModelError] = ModelUnavailable, *, asked_wait: float | None = None):
        super().__init__(message)
        self.kind, self.asked_wait = kind, asked_wait


@dataclass(frozen=True)
class Retry:
    """How often and when to ask again: exponential backoff with full jitter, unless the server names a wait.

    Full jitter, because clients that failed together must not come back together.
    """

    attempts: int = 4
    base: float = 0.5
    longest: float = 8.0
    longest_asked: float = 30.0
    """The most that a server's Retry-After is waited for."""
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    random: Callable[[], float] = random.random

    def wait(self, failed: int, asked: float | None) -> float:
        if asked is not None:
            return min(max(asked, 0.0), self.longest_asked)
        return self.random() * min(self.longest, self.base * 2 ** (failed - 1))


async def converse(request: Request, *, model: str, attempt: Attempt, retry: Retry) -> AsyncGenerator[str | Completion, None]:
    """The pieces of the answer as they come and, last, the completion of them all."""
    began = time.perf_counter()
    patience = _Patience(model, request.timeout)
    for number in range(1, retry.attempts + 1):
        answer = _Answer()
        try:
            async with aclosing(attempt()) as deltas:
                while (delta := await patience.wait(anext(deltas, None))) is not None:
                    if piece := answer.take(delta):
                        yield piece
            answer.require_end(model)
        except Setback as setback:
            pause = retry.wait(number, setback.asked_wait)
            _give_up_if(number == retry.attempts or pause >= patience.left, setback, answer, number)
            await patience.wait(retry.sleep(pause))
        else:
            if piece := answer.rest():
                yield piece
            yield answer.completion(model, number, began)
            return


async def last(pieces: AsyncIterator[str | Completion]) -> Completion:
    """Drain a conversation, for callers that only want its completion."""
    completions = [piece async for piece in pieces if isinstance(piece, Completion)]
    return completions[-1]


class _Patience:
    """One deadline for all attempts. Only waiting counts: what the caller does between two pieces is its own affair."""

    def __init__(self, model: str, seconds: float):
        self._model, self._seconds, self.left = model, seconds, seconds

    async def wait(self, awaited: Awaitable[Found]) -> Found:
        began = time.perf_counter()
        limit = asyncio.timeout(self.left)
        try:
            async with limit:
                return await awaited
        except TimeoutError:
            if not limit.expired():
                raise
            raise ModelTimeout(
                f"{self._model} did not finish its answer within {self._seconds:g} seconds. "
                "Allow more time, ask for fewer tokens, or use a faster model."
            ) from None
        finally:
            self.left -= time.perf_counter() - began


@dataclass
class _Answer:
    """What one attempt has brought so far."""

    pieces: list[str] = field(default_factory=list[str])
    finish: Literal["stop", "length"] | None = None
    usage: Usage = field(default_factory=Usage)
    _filter: ThinkingFilter = field(default_factory=ThinkingFilter)

    def take(self, delta: Delta) -> str:
        self.finish = delta.finish or self.finish
        self.usage = delta.usage or self.usage
        return self._said(self._filter.feed(delta.text))

    def rest(self) -> str:
        return self._said(self._filter.end())

    def require_end(self, model: str) -> None:
        # A connection that breaks can look like one that ends; only the finish tells them apart.
        if self.finish is None:
            raise Setback(f"{model} stopped before the end of its answer.", ModelError)

    def completion(self, model: str, attempts: int, began: float) -> Completion:
        return Completion(
            text="".join(self.pieces),
            model=model,
            usage=self.usage,
            ms=(time.perf_counter() - began) * 1000,
            finish=self.finish or "stop",
            attempts=attempts,
        )

    def _said(self, piece: str) -> str:
        if piece:
            self.pieces.append(piece)
        return piece


def _give_up_if(hopeless: bool, setback: Setback, answer: _Answer, number: int) -> None:
    if said := sum(map(len, answer.pieces)):
        # The caller has shown these words already, and another attempt would not begin with the same ones.
        raise ModelError(f"The stream was cut after {said} characters. {setback} Ask again.") from None
    if hopeless:
        raise setback.kind(f"{setback} Gave up after {number} attempt{'s' if number > 1 else ''}.") from None


# ── what servers say when they fail ─────────────────────────────────────────────────────────────────────────────────


def fault(server: str, status: int, body: str, headers: Mapping[str, str]) -> Setback | ModelRefusal:
    """The error for a status that means the same everywhere: too busy or broken now, or refused for good."""
    said = server_says(body)
    message = f"{server} answered {status}{': ' + said if said else ''}."
    if status in {408, 425, 429} or status >= 500:
        return Setback(message, asked_wait=retry_after(headers.get("retry-after")))
    return ModelRefusal(f"{message} Asking again would not help: change the request or the server's settings.")


def unreadable(server: str, media_type: str, hint: str) -> Setback | ModelRefusal:
    """The error for a success that cannot be read: broken on its way, or from something that is no model server."""
    if not media_type or "json" in media_type or "event-stream" in media_type:
        return Setback(f"{server} sent an answer that is empty or broken.", ModelError)
    return ModelRefusal(f"{server} answered with {media_type.split(';')[0]} instead of JSON. {hint}")


def server_says(body: str) -> str:
    """The sentence in an error's body, whichever of the usual places it is in; nothing for a page of HTML."""
    try:
        found: Any = json.loads(body)
    except ValueError:
        found = "" if body.lstrip().startswith("<") else body
    while isinstance(found, dict):
        found = next((found[key] for key in ("error", "message", "detail") if key in found), "")
    words = " ".join(str(found).split()).rstrip(".")
    return words if len(words) <= 300 else words[:299] + "…"


def retry_after(value: str | None) -> float | None:
    """Seconds from a Retry-After header, which holds seconds or a date."""
    if not value:
        return None
    try:
        return float(value)
    except ValueError:
        pass
    try:
        when = parsedate_to_datetime(value)
    except ValueError:
        return None
    return (when - datetime.now(UTC)).total_seconds() if when.tzinfo else None


def flags(query: str) -> Capabilities:
    """What an address says of its model after the question mark: `images=1&context=32768`."""
    given = dict(parse_qsl(query, keep_blank_values=True))
    try:
        return Capabilities.model_validate(given)
    except ValidationError as error:
        wrong = ", ".join(_option(str(e["loc"][0]), given) for e in error.errors())
        known = ", ".join(Capabilities.model_fields)
        raise InputError(
            f"The model's address has an option that cannot be used: {wrong}. Options are {known}, as in ?images=1."
        ) from None


def _option(name: str, given: dict[str, str]) -> str:
    """What no model has may be a key that somebody put there: it is named, and not repeated."""
    return f"{name}={given[name]}" if name in Capabilities.model_fields else name
