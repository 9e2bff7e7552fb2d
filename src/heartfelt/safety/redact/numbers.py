"""Telephone, card, account, identity and number-plate numbers. Ages, counts, sums, years and help lines stay."""

import re
from collections.abc import Iterator

from heartfelt.safety.redact.dates import is_date
from heartfelt.safety.redact.kept import helps
from heartfelt.safety.redact.spans import RedactedSpan, solid

_GAP = r"(?:[ \u00a0.\-‑–/]|\)[ \-]?| ?\(| - )?"
_RUN = re.compile(rf"(?<![\w$€£¥₹])(?<!\d[.,])(?:\+ ?|\()?\(?\d(?:{_GAP}\d){{3,30}}(?![\w%°])(?!,\d)")
_SHAPES = frozenset({
    "3-4", "4-4", "5-4", "5-5", "4-6", "5-6", "2-7", "3-7", "4-7", "2-8", "3-8",
    "3-2-2", "3-2-4", "3-3-3", "3-3-4", "3-4-4", "2-3-4", "2-4-4", "4-3-3", "4-3-4", "4-4-3", "4-4-4", "1-4-4",
    "1-3-3-4", "2-2-2-2", "3-3-2-2", "4-3-2-2", "2-3-2-2", "2-3-3-2", "2-2-2-2-2",
})  # fmt: skip
"""How many digits stand together in telephone and social-security numbers of many countries."""
_SUM_AFTER = re.compile(
    r" ?(?:[$€£¥₹%]|dollars?|bucks|euros?|pounds?|rupees|yen|usd|eur|gbp|kr|zł|people|persons|views|followers|subscribers|"
    r"years?|days?|hours?|minutes?|seconds?|miles?|km|kilometers?|meters?|metres?|feet|steps|calories|kcal|kg|lbs?|mg|ml|points|"
    r"words|tokens|characters|times|copies|students|employees|square|sq|ms|degrees)\b",
    re.IGNORECASE,
)
_YEARS = re.compile(r"(?:19|20)\d\d ?[-–/ ] ?(?:(?:19|20)\d\d|\d\d)(?: ?[-–/ ] ?(?:19|20)\d\d)*")
_THOUSANDS = re.compile(r"\d{1,3}(?:[ .\u00a0]\d{3})*[ .\u00a0]?(?:000|500)")
_DECIMAL = re.compile(r"\d+\.\d+")
_COUNTED = re.compile(r"\d{1,2}(?:[ -]\d{1,2})+")
_COUNTING_UP = "0123456789101112131415"
_OWN = (
    r"(?:account|acct|passport|iban|ssn|social security|social|national insurance|insurance|licen[cs]e|plate|registration|"
    r"pin|passcode|password|routing|sort code|tax|vat|student|employee|member(?:ship)?|customer|patient|policy|badge|serial|"
    r"tracking|booking|reference|case|order|ticket|card|credit card|debit card|phone|telephone|tel|cell|mobile|landline|fax|"
    r"whatsapp|vin|nhs|medicare|medicaid|id|identity|door|gate|alarm|security|cvv|cvc)"
)
_WORD = r"(?: ?(?:number|numbers|no\.?|nr\.?|code|id|card|plate|#))"
_LINK = r"(?: (?:is|was|ends in|ending in|ends with|ending with)|:| ?=| ?#)"
_CUE = re.compile(
    rf"(?:\b{_OWN}(?:{_WORD}{{1,2}}{_LINK}?|{_LINK})"
    rf"|\b(?:my|his|her|their|our|the|your) (?:new |old )?(?:number|digits|code|pin){_LINK}"
    r"|\b(?:call|text|phone|ring|reach|dial|message|whatsapp|contact) (?:me|him|her|them|us) (?:at|on|under)"
    r"|\b(?:pin|ssn|badge|passport|acct|iban))"
    r" ?[:#]? ?[(\"'“«]?$",
    re.IGNORECASE,
)
_LETTERED = re.compile(
    r"(?<![\w-])(?:"
    r"[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?"  # IBAN
    r"|[A-Z]{2} ?\d\d ?\d\d ?\d\d ?[A-D]"  # a British insurance number
    r"|[A-Z]{1,3}\d{5,10}[A-Z]{0,2}|\d{2}[A-Z]{2}\d{5}|\d{8}[A-Z]|[A-Z]{5}\d{4}[A-Z]|\d{5,9}[A-Z]\d{3,6}"  # passports
    r"|[A-Z]{2}\d\d ?[A-Z]{3}|\d[A-Z]{3}\d{3}|[A-Z]{3}-\d{3,4}|[A-Z]{2}-\d{3}-[A-Z]{2}|[A-Z]{1,3}-[A-Z]{1,2} ?\d{1,4}"  # plates
    r"|(?=[A-Z]{0,16}\d)[A-HJ-NPR-Z0-9]{17}|0x[0-9a-fA-F]{40}"  # vehicles, wallets
    r")(?![\w-])"
)
_CUED = re.compile(
    rf"\b(?i:{_OWN}(?:{_WORD}{{1,2}}{_LINK}?|{_LINK})) ?[\"'“«]?"
    r"((?=[A-Z]{0,9}[ -]?[A-Z]{0,3} ?\d)[A-Z0-9]{1,17}(?:[ -][A-Z0-9]{1,7}){0,3})(?!\w)"
)
_PLATE = re.compile(
    r"\b(?i:(?:plates?|registration|reg)(?: (?:number|no\.?))?(?: (?:is|was|says|said|reads)|:)?) "
    r"((?i:[a-z]{1,4}[ -]?\d{1,4}|\d{1,4}[ -]?[a-z]{2,4}[ -]?\d{1,4})(?:[ -]?[A-Z]{1,3})?)\b"
)
_OCTET = r"(?:25[0-5]|2[0-4]\d|1?\d?\d)"
_IP4 = re.compile(rf"(?<![\w.])(?:{_OCTET}\.){{3}}{_OCTET}(?!\w|\.\d)")
_QUARTET = r"[0-9a-fA-F]{1,4}"
_IP6 = re.compile(rf"(?<![\w:])(?:(?:{_QUARTET}:){{4,7}}{_QUARTET}|(?:{_QUARTET}:){{1,6}}(?::{_QUARTET}){{1,6}})(?![\w:])")
_DIGIT = r"(?:zero|oh|o|one|two|three|four|five|six|seven|eight|nine)"
_SPOKEN = re.compile(rf"\b(?:(?:double |triple )?{_DIGIT}[ ,-]{{1,3}}){{5,18}}(?:double |triple )?{_DIGIT}\b", re.IGNORECASE)
_COUNTING = "zero one two three four five six seven eight nine ten"


def numbers(text: str) -> Iterator[RedactedSpan]:
    for pattern in (_IP4, _IP6, _LETTERED):
        yield from (_span(match) for match in pattern.finditer(text))
    for match in (*_CUED.finditer(text), *_PLATE.finditer(text)):
        if any(map(str.isdigit, match[1])) and not _stays(text, match.end(1), match[1]):
            yield RedactedSpan(*match.span(1), "number", solid(match[1]))
    for match in _RUN.finditer(text):
        sure = not _stays(text, match.end(), match[0]) and (_shaped(match[0]) or _cued(text, match))
        yield RedactedSpan(*match.span(), "number", solid(match[0]), sure)
    for match in _SPOKEN.finditer(text):
        if " ".join(match[0].lower().split()) not in _COUNTING:
            yield _span(match)


def _span(match: re.Match[str]) -> RedactedSpan:
    return RedactedSpan(*match.span(), "number", solid(match[0]))


def _stays(text: str, end: int, number: str) -> bool:
    """Years, sums, measures, dates, counting, and the numbers of those who help."""
    digits = "".join(filter(str.isdigit, number))
    return bool(
        helps(digits)
        or is_date(number)
        or _YEARS.fullmatch(number)
        or _DECIMAL.fullmatch(number)
        or (_THOUSANDS.fullmatch(number) and not number.startswith("0"))
        or _SUM_AFTER.match(text, end)
        or (_COUNTED.fullmatch(number) and digits in _COUNTING_UP)
    )


def _shaped(number: str) -> bool:
    groups = [len(group) for group in re.findall(r"\d+", number)]
    digits = sum(groups)
    if digits < 7:
        return False
    if number.lstrip("(").startswith(("+", "0")) or digits >= 13 or len(groups) == 1:
        return True
    return "-".join(map(str, groups)) in _SHAPES or set(groups) == {1}


def _cued(text: str, match: re.Match[str]) -> bool:
    return bool(_CUE.search(text[max(0, match.start() - 60) : match.start()]))
