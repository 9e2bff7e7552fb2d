"""Addresses of models as they may be shown: what may be a login or a key in them stays out of traces and messages."""

import re
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from heartfelt.errors import UsageError
from heartfelt.models.seam import Capabilities

_LOGIN = re.compile(r"//[^/?#\s]*@")


def shown(address: str) -> str:
    """The address without a login, and without options that no model has: a key may be among them."""
    scheme, _, rest = address.partition(":")
    match scheme:
        case "openai":
            return f"openai:{shown_url(rest)}"
        case "ollama":
            name, _, query = rest.partition("?")
            return f"ollama:{name}?{_known(query)}".rstrip("?")
        case "embedded" | "scripted":
            return address
        case _:  # a voice or a face
            return _LOGIN.sub("//", address)


def shown_url(url: str) -> str:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:  # a login with bare signs in it: nobody knows where it ends
        return f"…{url.rpartition('@')[2]}" if "@" in url else "…"
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path, _known(parts.query), parts.fragment))


def refuse_login(address: str, where: str) -> None:
    """For what is written into files that are handed on."""
    if shown(address) != address:
        raise UsageError(
            f"{where} names {shown(address)} with a login or a key, which would stand in the files of the run. "
            "Leave it out of the address; a key is taken from OPENAI_API_KEY."
        )


def _known(query: str) -> str:
    if not query:
        return ""
    given = parse_qsl(query, keep_blank_values=True)
    kept = [(name, value) for name, value in given if name in Capabilities.model_fields]
    return query if kept == given else urlencode(kept)
