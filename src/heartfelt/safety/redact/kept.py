"""What stays, whatever it looks like: help lines, stand-ins, hashes and time stamps."""

import re
from collections.abc import Iterator
from functools import cache

from heartfelt.safety.redact.spans import STAND_IN
from heartfelt.safety.respond import services

_TECHNICAL = re.compile(
    r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b"
    r"|\b(?=[0-9]{0,63}[a-f])(?=[a-f]{0,63}[0-9])[0-9a-f]{16,64}\b"
    r"|\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?",
)
_SAYINGS = re.compile(r"\b(?:pro[- ](?:ana|mia)|dr\.? pepper|uncle sam|ben (?:and|&) jerry'?s)\b", re.IGNORECASE)
_DIGITS = re.compile(r"\d(?:[ ()-]{0,2}\d)*")
_DOMAIN = re.compile(r"(?:[a-z0-9-]+\.)+[a-z]{2,}")
ALWAYS = frozenset({"988", "911", "112", "999", "000", "116123", "116111", "findahelpline.com"})


def kept(text: str) -> Iterator[tuple[int, int]]:
    for pattern in (STAND_IN, _TECHNICAL, _SAYINGS, _phrases()):
        yield from (match.span() for match in pattern.finditer(text))


def helps(number: str) -> bool:
    """Whether these digits are a service's number, also with a country's code before it or without its first zero."""
    if number in service_numbers():
        return True
    return any(
        number[cut:] in service_numbers() or f"0{number[cut:]}" in service_numbers() for cut in range(4) if number[cut + 5 :]
    )


@cache
def service_numbers() -> frozenset[str]:
    texts = [text for one in services.countries() for line in one.lines for text in (line.how, line.number, line.name)]
    found = [_DIGITS.findall(text) for text in (*texts, *(one.emergency for one in services.countries()))]
    whole = {"".join(filter(str.isdigit, number)) for numbers in found for number in numbers}
    return frozenset(whole | {number.removeprefix("1") for number in whole if len(number) == 11} | ALWAYS)


@cache
def service_sites() -> frozenset[str]:
    texts = [text for one in services.countries() for line in one.lines for text in (line.source, line.hours, line.how)]
    sites = {site.removeprefix("www.") for text in texts for site in _DOMAIN.findall(text)}
    return frozenset(sites | ALWAYS)


@cache
def _phrases() -> re.Pattern[str]:
    """The names of the services and the words of how they are reached, as a reply says them."""
    lines = [line for one in services.countries() for line in one.lines]
    names = {name.strip() for line in lines for name in (*_said(line.name), *re.findall(r"[A-Z]\w+", line.how))}
    longest = sorted((name for name in names if len(name) > 3), key=len, reverse=True)
    return re.compile(r"(?<!\w)(?=[\w*#])(?:" + "|".join(map(re.escape, longest)) + r")(?!\w)")


def _said(name: str) -> list[str]:
    return [name, *re.split(r" \(|[,)]| / ", name)]
