"""What each kind of written thing is read as: one pattern and one reading for numbers, money, times, units, addresses."""

import re
import tomllib
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

from heartfelt.expression.voice import counting

Found: TypeAlias = re.Match[str]
Reading: TypeAlias = tuple[str, Callable[[Found], str]]

_NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?|\.\d+"
_LETTER = r"[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff][\u0300-\u036f]*"
WORD = rf"(?:{_LETTER})+(?:['\u2019-](?:{_LETTER})+)*"


@cache
def lists() -> dict[str, Any]:
    """The tables of `words.toml`."""
    return tomllib.loads(files("heartfelt.expression.voice").joinpath("words.toml").read_text(encoding="utf-8"))


@cache
def readings() -> tuple[Reading, ...]:
    """The first that fits at a place wins, so the longer come before the shorter. No two groups share a name."""
    table = lists()
    units, scales, money = (_any_of(table[name]) for name in ("units", "scales", "money"))
    return (
        (r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64})+", lambda found: _address(found[0])),
        (r"(?:https?://|www\.)[^\s<>\"]*[\w/]", lambda found: _address(re.sub(r"^https?://", "", found[0]))),
        (
            r"(?<![\w.])[A-Za-z0-9-]{1,64}(?:\.[A-Za-z0-9-]{1,64})*\.(?:com|org|net|io|edu|gov|info)\b(?:/[^\s<>\"]*[\w/])?",
            lambda found: _address(found[0]),
        ),
        (rf"(?P<coin>{money})\s?(?P<sum>{_NUMBER})(?:\s?(?P<many>{scales})\b)?", _money),
        (rf"(?<!\d)(?P<sum2>{_NUMBER})\s?(?P<coin2>{money})", _money),
        (r"(?<![\d:])(?P<hour>[01]?\d|2[0-4]):(?P<minute>[0-5]\d)(?!\d)(?:\s?(?P<half>[aApP])\.?[mM]\b\.?)?", _time),
        (r"(?<!\d)(?P<hour2>1[0-2]|0?\d)\s?(?P<half2>[aApP])\.?[mM]\b\.?", _time),
        (r"(?<!\d)(?P<year>\d{4})-(?P<month>0[1-9]|1[0-2])-(?P<day>0[1-9]|[12]\d|3[01])(?!\d)", _date),
        (r"(?<!\d)(?P<decade>\d{4}|['\u2019]\d\d|\d0)['\u2019]?s\b", _decade),
        (r"(?P<which>\d{1,15})(?:st|nd|rd|th)\b", lambda found: counting.ordinal(int(found["which"]))),
        (r"\+\d{1,3}(?:[-. ]\d{2,4}){2,}|(?<!\d)(?:\d{3}[-. ])?\d{3}-\d{4}(?!\d)", lambda found: _digits(found[0])),
        (r"(?<!\d)(?P<one>\d\d?)/(?P<two>\d\d?)/(?P<three>\d{4}|\d\d)(?!\d)", _slashed),
        (r"\d{1,6}(?:\.\d{1,6}){2,}", lambda found: " point ".join(_whole(part) for part in found[0].split("."))),
        (r"(?P<from>\d{1,6})\s?[\u2013-]\s?(?=\d)", lambda found: f"{_whole(found['from'])} to"),
        (r"(?P<above>\d{1,6})[/\u2044](?P<below>\d{1,6})(?![\d/])", _quotient),
        (rf"(?P<amount>{_NUMBER})\s?(?P<unit>{units})(?![\w\u2019'])", _amount),
        (
            rf"(?P<minus>(?<!\w)[-\u2212])?(?P<number>{_NUMBER})",
            lambda found: "minus " * bool(found["minus"]) + _whole(found["number"]),
        ),
        (rf"(?<!\w)(?:{_any_of(table['titles'])})", lambda found: table["titles"][found[0].lower()]),
        (rf"(?<!\w)(?:{_any_of(table['abbreviations'])})", lambda found: table["abbreviations"][found[0].lower()]),
        (r"(?<!\w)(?:[A-Za-z]\.){2,}", lambda found: found[0].replace(".", "").upper()),
        (WORD, lambda found: found[0].replace("\u2019", "'")),
    )


def _any_of(names: dict[str, Any]) -> str:
    """Longest first, or «m» would be found in «mm»; in either case of its first letter, for the start of a sentence."""
    either = (
        f"[{name[0].upper()}{name[0]}]{re.escape(name[1:])}" if name.endswith(".") else re.escape(name)
        for name in sorted(names, key=len, reverse=True)
    )
    return "|".join(either)


def _whole(text: str) -> str:
    """A bare number of four digits is said as a year is, be it one or not: «fifteen hundred»."""
    if re.fullmatch(r"\d{4}", text) and 1100 <= int(text) <= 2099:
        return counting.year(int(text))
    return counting.decimal(text)


def _money(found: Found) -> str:
    name = found["coin"] or found["coin2"]
    amount = found["sum"] or found["sum2"]
    one, many, small, smalls = lists()["money"][name]
    if found["many"]:
        return f"{counting.decimal(amount)} {lists()['scales'][found['many']]} {many}"
    whole, _, rest = amount.replace(",", "").partition(".")
    if len(rest) not in (0, 2) or len(whole) > 15:
        return f"{counting.decimal(amount)} {many}"
    count, parts = int(whole or 0), int(rest or 0)
    said = [f"{counting.cardinal(count)} {one if count == 1 else many}"] if count or not parts else []
    if parts:
        said.append(f"{counting.cardinal(parts)} {small if parts == 1 else smalls}")
    return " and ".join(said)


def _time(found: Found) -> str:
    hour = int(found["hour"] or found["hour2"])
    minute = int(found["minute"] or 0)
    half = found["half"] or found["half2"]
    words = [counting.cardinal(hour)]
    if minute:
        words.append(f"oh {counting.cardinal(minute)}" if minute < 10 else counting.cardinal(minute))
    elif not half:
        words.append("o'clock" if 0 < hour <= 12 else "hundred")
    if half:
        words.append("AM" if half in "aA" else "PM")
    return " ".join(words)


def _date(found: Found) -> str:
    month = lists()["months"]["names"][int(found["month"]) - 1]
    return f"{month} {counting.ordinal(int(found['day']))} {counting.year(int(found['year']))}"


def _slashed(found: Found) -> str:
    """Which number is the month nobody can tell, so they are said as they stand."""
    return " ".join((counting.decimal(found["one"]), counting.decimal(found["two"]), counting.year(int(found["three"]))))


def _decade(found: Found) -> str:
    number = int(found["decade"].lstrip("'\u2019"))
    return counting.plural(counting.year(number) if number >= 100 else counting.cardinal(number))


def _quotient(found: Found) -> str:
    above, below = int(found["above"]), int(found["below"])
    if below == 0:
        return f"{counting.cardinal(above)} over zero"
    return counting.quotient(above, below)


def _amount(found: Found) -> str:
    one, many = lists()["units"][found["unit"]]
    return f"{counting.decimal(found['amount'])} {one if found['amount'] == '1' else many}"


def _digits(text: str) -> str:
    return ("plus " if text.startswith("+") else "") + counting.digits(re.sub(r"\D", "", text))


def _address(text: str) -> str:
    """A web or mail address, with its signs said."""
    names = {".": " dot ", "@": " at ", "/": " slash ", "-": " dash ", "_": " underscore ", "+": " plus ", "=": " equals "}
    said = "".join(names.get(character, character if character.isalnum() else " ") for character in text)
    said = re.sub(r"\d+", lambda found: f" {counting.digits(found[0])} ", said)
    return " ".join(re.sub(r"\bwww\b", "W W W", said).split())
