"""Where a service is, from what people write: `http://host:8001?timeout=60&reference=maya.wav`."""

from dataclasses import dataclass, replace
from math import isfinite
from urllib.parse import parse_qsl, unquote, urlsplit

import httpx2

from heartfelt.errors import InputError

_OPTIONS = ("reference", "timeout")


@dataclass(frozen=True)
class Address:
    url: str
    """With scheme, host and path, without a slash at the end and without a login: it stands in messages."""
    timeout: float
    """Seconds for one answer, with all attempts at it."""
    login: tuple[str, str] | None = None
    reference: str | None = None

    def __repr__(self) -> str:  # the login stays out of logs
        return f"Address({self.url!r})"


def read_address(written: str, *, timeout: float) -> Address:
    """The address as it was written, or InputError that says how to write one."""
    try:
        parts = urlsplit(written.strip())
        host, port = parts.hostname, parts.port
    except ValueError:
        raise InputError(f"The address '{_shown(written)}' cannot be read. {_HOW}") from None
    if parts.scheme not in ("http", "https") or not host or parts.fragment:
        raise InputError(f"The address '{_shown(written)}' is no address of a service. {_HOW}")
    shown = f"[{host}]" if ":" in host else host
    path = parts.path.rstrip("/").removesuffix("/v1")  # many write it, since the contract's paths begin with it
    url = f"{parts.scheme}://{shown}{f':{port}' if port else ''}{path}"
    try:
        httpx2.URL(url)
    except httpx2.InvalidURL:
        raise InputError(f"The address '{_shown(written)}' cannot be read. {_HOW}") from None
    login = (unquote(parts.username), unquote(parts.password or "")) if parts.username else None
    return _with_options(Address(url, timeout, login), parts.query)


_HOW = (
    "Write http://HOST:PORT, for example http://127.0.0.1:8001, with ?timeout=SECONDS or ?reference=NAME behind it if need be."
)


def _with_options(address: Address, query: str) -> Address:
    given = dict(parse_qsl(query, keep_blank_values=True))
    if unknown := sorted(set(given) - set(_OPTIONS)):
        raise InputError(f"The address {address.url} has an option '{unknown[0]}'; those that exist: {', '.join(_OPTIONS)}.")
    if "timeout" in given:
        address = replace(address, timeout=_seconds(given["timeout"], address.url))
    return replace(address, reference=given.get("reference") or None)


def _seconds(written: str, url: str) -> float:
    try:
        seconds = float(written)
    except ValueError:
        seconds = 0.0
    if not (isfinite(seconds) and seconds > 0):
        raise InputError(f"The address {url} has the timeout '{written}': give seconds, such as ?timeout=60.")
    return seconds


def _shown(written: str) -> str:
    """Without what may be a login."""
    return written.rpartition("@")[2]
