"""E-mail addresses, links, handles and the folders of a person."""

import re
from collections.abc import Iterator

from heartfelt.safety.redact.kept import service_sites
from heartfelt.safety.redact.lists import capitals, is_word
from heartfelt.safety.redact.spans import RedactedSpan, folded

_TOP = (
    r"(?:com|org|net|edu|gov|mil|info|biz|app|dev|xyz|online|site|shop|blog|io|ai|tv|gg|ly|co|eu|uk|de|fr|es|nl|pl|cz|ch|dk|fi|se|"
    r"pt|ro|gr|hu|ie|ru|ua|tr|br|mx|ar|cl|ca|au|nz|jp|kr|cn|tw|hk|sg|ph|za|ng|ke)"
)
"""Without those that are words: «told me.it was» is no address."""
_TAIL = r"[^\s<>\"'«»“”\\()\[\]{}]"
_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}")
_SPOKEN = re.compile(
    r"(?<![\w.+-])[\w.+-]{2,64}\s?(?:\(at\)|\[at\]|\bat\b)\s?[\w-]{2,63}\s?(?:\(dot\)|\[dot\]|\bdot\b)\s?" + _TOP + r"\b",
    re.IGNORECASE,
)
_URL = re.compile(r"\b(?:(?:https?|ftp|sftp|ssh|tg|mailto)://|www\.)" + _TAIL + r"{1,2000}", re.IGNORECASE)
_SITE = r"(?<![\w@./-])((?:[\w-]{1,63}\.){1,4}" + _TOP + r")(?![\w-])((?:/" + _TAIL + r"{0,2000})?)"
_DOMAIN = re.compile(_SITE, re.IGNORECASE)
_HANDLE = re.compile(r"(?<![\w@./])@[A-Za-z_][\w.]{1,40}(?<![.])|(?<![\w/])/?u/[\w-]{3,30}\b|(?<![\w#])[\w.]{2,32}#\d{4}\b")
_CUED = re.compile(
    r"\b(?:insta(?:gram)?|ig|snap(?:chat)?|twitter|tiktok|discord|telegram|skype|reddit|steam|twitch|xbox|psn|kik|wechat|signal|"
    r"facebook|youtube|linkedin|user ?name|gamer ?tag|handle|screen ?name|nick(?:name)?)"
    r"(?: (?:name|handle|user ?name|account|id|tag))?(?: (?:is|was)|:| ?=)\s{1,3}[\"'“«]?([A-Za-z0-9][\w.-]{2,40})",
    re.IGNORECASE,
)
_HOME = re.compile(r"(?:/home/|/Users/|\b[A-Za-z]:\\{1,2}Users\\{1,2})([^/\\\s\"':]{1,64})")
_HANDLE_LIKE = re.compile(r"[\d_.-]")


def links(text: str) -> Iterator[RedactedSpan]:
    for pattern in (_EMAIL, _SPOKEN):
        yield from (_trimmed(match, "e-mail") for match in pattern.finditer(text))
    yield from (_trimmed(match) for match in _URL.finditer(text) if not _public(match[0]))
    yield from (_trimmed(match) for match in _DOMAIN.finditer(text) if match[2].strip("/") or not _public(match[1]))
    yield from (_trimmed(match) for match in _HANDLE.finditer(text))
    yield from (
        RedactedSpan(*match.span(1), "link", folded(match[1])) for match in _CUED.finditer(text) if _handle_like(match[1])
    )


def homes(text: str) -> Iterator[RedactedSpan]:
    """The person whose home a path leads to."""
    return (RedactedSpan(*match.span(1), "name", folded(match[1])) for match in _HOME.finditer(text))


def _trimmed(match: re.Match[str], kind: str = "link") -> RedactedSpan:
    words = match[0].rstrip(".,;:!?-…")
    return RedactedSpan(match.start(), match.start() + len(words), "e-mail" if kind == "e-mail" else "link", folded(words))


def _handle_like(word: str) -> bool:
    """«my username is private» is no handle; «sunny_92» is, and so is what no dictionary would hold."""
    return bool(_HANDLE_LIKE.search(word.strip("._-"))) or not (is_word(folded(word)) or folded(word) in capitals())


def _public(site: str) -> bool:
    """A help line's page, or the front door of a maker that everybody knows."""
    host = re.sub(r"^https?://|^www\.", "", folded(site).rstrip(".,;:!?/")).removeprefix("www.").split("/")[0]
    parts = host.split(".")
    alone = folded(site).rstrip(".,;:!?/").endswith(host)
    return host in service_sites() or (alone and len(parts) == 2 and parts[0] in capitals())
