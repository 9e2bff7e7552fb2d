"""Dates of birth: a day is only taken out where somebody was born on it."""

import re
from collections.abc import Iterator

from heartfelt.safety.redact.spans import RedactedSpan, solid

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|"
    r"dec(?:ember)?)\b\.?"
)
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_YEAR = r"(?:,? ?(?:(?:19|20)\d\d|['’]\d\d))?(?!\d)"
_DATE = re.compile(
    rf"(?<![\w.])(?:(?:the )?{_DAY}(?: of)? {_MONTH}{_YEAR}|{_MONTH} (?:the )?{_DAY}\b{_YEAR}"
    r"|\d{4}([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([-/.])\d{1,2}(?:\2\d{2,4})?)(?!\w)",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"\b(?:born|birthday|birthdate|birth|d\.?o\.?b\.?|bday|b-day)\b[^.!?\n\d\[]{0,25}$", re.IGNORECASE)
_AFTER = re.compile(
    r"[ ,]{1,3}(?:(?:is|was|are) (?:my|his|her|our|their|your|the|\w{2,20}['’]s) (?:\w{2,10} )?(?:birthday|bday|birth)"
    r"|(?:the day|when) (?:\w{1,10} ){1,2}(?:was|were) born)",
    re.IGNORECASE,
)


def dates(text: str) -> Iterator[RedactedSpan]:
    for match in _DATE.finditer(text):
        yield RedactedSpan(*match.span(), "date", solid(match[0]).removeprefix("the"), _of_birth(text, match))


def is_date(text: str) -> bool:
    return _DATE.fullmatch(text) is not None


def _of_birth(text: str, match: re.Match[str]) -> bool:
    before = text[max(0, match.start() - 48) : match.start()]
    return bool(_BEFORE.search(before) or _AFTER.match(text, match.end()))
