"""The wire to a service: one question, a bounded answer, one deadline, and a clear error for all that goes wrong.

No proxy is used, whatever the environment says: the reply of a person's conversation goes to the address that was named and
nowhere else. For the same reason no redirect is followed.
"""

import json
import random
import ssl
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from functools import cache
from io import BytesIO
from typing import Any, BinaryIO, NamedTuple

import httpx2
from pydantic import ValidationError

from heartfelt.errors import GeneratorError, GeneratorUnavailable
from heartfelt.expression.services.address import Address
from heartfelt.expression.services.contract import ABOUT, MOST_ABOUT, VERSION, Kind, ServiceInfo
from heartfelt.models.retry import Retry, retry_after, server_says

_CONNECT_SECONDS = 10.0
_ABOUT_SECONDS = 20.0
_MOST_FAULT = 16 * 1024
_HEADERS = {"accept-encoding": "identity"}  # a bound on bytes is none on what they unpack to


class ServiceAnswer(NamedTuple):
    media_type: str
    body: bytes
    """Empty where it was written to a file."""


class _Setback(Exception):
    """An attempt that failed in a way that another may mend."""

    def __init__(self, message: str, asked_wait: float | None = None):
        super().__init__(message)
        self.asked_wait = asked_wait


class Wire:
    """Nothing is connected before the first question, and nothing stays open between two."""

    def __init__(self, address: Address, generator: str, *, attempts: int = 2, sleep: Callable[[float], None] = time.sleep):
        self.address, self.generator = address, generator
        self._retry, self._sleep = Retry(attempts=attempts, random=random.random), sleep
        self._about: ServiceInfo | None = None

    @property
    def server(self) -> str:
        return f"{self.generator} at {self.address.url}"

    def about(self, kind: Kind) -> ServiceInfo:
        """What the service says of itself, asked once; GeneratorError where it is not what is needed."""
        if self._about is None:
            seconds = min(_ABOUT_SECONDS, self.address.timeout)
            self._about = self._fitting(self.ask("GET", ABOUT, most=MOST_ABOUT, seconds=seconds), kind)
        return self._about

    def ask(
        self,
        method: str,
        path: str,
        *,
        most: int,
        into: BinaryIO | None = None,
        seconds: float | None = None,
        **content: Any,
    ) -> ServiceAnswer:
        """Ask until there is an answer or no time left. At most so many bytes are taken, into a file where one is given."""
        seconds = seconds or self.address.timeout
        deadline = time.monotonic() + seconds
        for attempt in range(1, self._retry.attempts + 1):
            try:
                with self._explained(seconds):
                    return self._once(method, path, most, into, deadline, content)
            except _Setback as setback:
                pause = self._retry.wait(attempt, setback.asked_wait)
                if attempt == self._retry.attempts or time.monotonic() + pause >= deadline:
                    raise GeneratorUnavailable(str(setback)) from None
                self._sleep(pause)
        raise AssertionError("there is at least one attempt")

    def refuse(self, what: str, *, then: str = "Look at the service's own log.") -> GeneratorError:
        """The error for an answer that cannot be used."""
        return GeneratorError(f"{self.server} {_printable(what)}. {then}")

    # ── one attempt ─────────────────────────────────────────────────────────────────────────────────────────────────

    def _once(
        self, method: str, path: str, most: int, into: BinaryIO | None, deadline: float, content: dict[str, Any]
    ) -> ServiceAnswer:
        left = max(deadline - time.monotonic(), 0.001)
        timeout = httpx2.Timeout(left, connect=min(_CONNECT_SECONDS, left))
        with (
            httpx2.Client(
                timeout=timeout, trust_env=False, auth=self.address.login, headers=_HEADERS, verify=_certificates()
            ) as client,
            client.stream(method, self.address.url + path, **content) as response,
        ):
            if response.status_code != 200:
                raise self._fault(response, path, b"".join(_pieces(response, _MOST_FAULT, deadline)))
            target = into or BytesIO()
            target.seek(0)
            target.truncate()
            for piece in self._bounded(response, most, deadline):
                target.write(piece)
            media_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
            return ServiceAnswer(media_type, b"" if into else target.getvalue())  # pyright: ignore[reportAttributeAccessIssue]

    def _bounded(self, response: httpx2.Response, most: int, deadline: float) -> Iterator[bytes]:
        taken = 0
        for piece in _pieces(response, None, deadline):
            taken += len(piece)
            if taken > most:
                then = "Let it send less, for example a smaller picture or a lower rate."
                raise self.refuse(f"sent more than {most / 1024**2:.1f} MB, which is the most that is taken", then=then)
            yield piece

    @contextmanager
    def _explained(self, seconds: float) -> Generator[None, None, None]:
        # `from None` throughout: the library's errors hold the request with its login.
        try:
            yield
        except (httpx2.ConnectError, httpx2.ConnectTimeout):
            raise _Setback(
                f"No service answers at {self.address.url}, where {self.generator} should be. Start it there, give another "
                "address, or use the embedded generator: embedded:."
            ) from None
        except (httpx2.TimeoutException, TimeoutError):
            raise GeneratorUnavailable(
                f"{self.server} did not finish its answer within {seconds:g} seconds. Allow more with ?timeout=SECONDS behind "
                "its address, or say less at once."
            ) from None
        except httpx2.DecodingError:
            raise self.refuse("sent a compressed answer that was not asked for") from None
        except httpx2.RequestError as error:
            raise _Setback(
                f"{self.server} broke off its answer ({type(error).__name__}). Look at the service's own log."
            ) from None

    # ── what it says ────────────────────────────────────────────────────────────────────────────────────────────────

    def _fault(self, response: httpx2.Response, path: str, body: bytes) -> Exception:
        status = response.status_code
        words = _printable(server_says(body.decode(errors="replace")))
        told = f"answered {status}{': ' + words if words else ''}"
        if response.is_redirect:
            there = response.headers.get("location", "elsewhere")[:200]
            return self.refuse(f"sends us on to {there}, and redirects are not followed", then="Give the last address itself.")
        if status in (401, 403):
            return self.refuse(told, then="Put the login into its address: http://USER:PASSWORD@HOST:PORT.")
        if status in (404, 405):
            return self.refuse(f"has no {path} ({told})", then="Is it the right address, and does it keep to the contract?")
        if status in (408, 425, 429) or status >= 500:
            return _Setback(f"{self.server} {told}. Look at its own log.", retry_after(response.headers.get("retry-after")))
        return self.refuse(told, then="Asking again would not help: change what is asked or the service.")

    def _fitting(self, answer: ServiceAnswer, kind: Kind) -> ServiceInfo:
        try:
            body: Any = json.loads(answer.body)
        except ValueError:
            body = None
        if not isinstance(body, dict) or "contract" not in body:
            raise self.refuse(f"does not say at {ABOUT} which contract it keeps to", then="Is it the right address?")
        if body["contract"] != VERSION:
            then = "Update whichever is older."
            raise self.refuse(f"speaks contract {str(body['contract'])[:20]}, and this Heartfelt speaks {VERSION}", then=then)
        try:
            about = ServiceInfo.model_validate(body)
        except ValidationError as error:
            wrong = ", ".join(".".join(map(str, each["loc"])) for each in error.errors()[:5])
            raise self.refuse(f"says things of itself at {ABOUT} that do not fit the contract: {wrong}") from None
        if about.kind != kind:
            raise self.refuse(f"is a {about.kind}, and a {kind} is needed", then="Give the address of the other service.")
        return about


@cache
def _certificates() -> ssl.SSLContext:
    """Whom to believe over HTTPS. Reading the list takes longer than a short answer, so it is read once."""
    return httpx2.create_ssl_context()


def _printable(words: str) -> str:
    """What others wrote, without the signs that would drive a terminal."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in words).split())


def _pieces(response: httpx2.Response, most: int | None, deadline: float) -> Iterator[bytes]:
    """The body as it comes, up to the deadline and to so many bytes: a service that drips never keeps anybody for ever."""
    taken = 0
    for piece in response.iter_bytes():  # as they come: pieces of a set size would be waited for
        if time.monotonic() > deadline:
            raise TimeoutError
        taken += len(piece)
        yield piece
        if most is not None and taken >= most:
            return
