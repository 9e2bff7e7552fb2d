"""Postal addresses and coordinates."""

import re
from collections.abc import Iterator

from heartfelt.safety.redact.spans import RedactedSpan, solid

_CAP = r"[A-ZÀ-ÖØ-Þ][\w'’.-]{0,30}"
_WAYS = (
    r"(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|Way|Place|Pl|Square|Sq|Terrace|Close|Crescent|"
    r"Cres|Highway|Hwy|Parkway|Pkwy|Circle|Cir|Row|Walk|Gardens|Grove|Mews|Trail|Alley|Quay|Wharf|Hill|Rise|View|Heights)"
)
_DOOR = r"(?:,? (?:Apt|Apartment|Unit|Suite|Ste|Flat|Floor|Fl|Room|Rm|No|#)\.? ?#?\d{0,5}[A-Za-z]?\b)?"
_BRITISH, _CANADIAN = r"[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}", r"[A-Z]\d[A-Z] ?\d[A-Z]\d"
_TOWN = rf"(?:,? (?:{_CAP} ){{0,2}}{_CAP},?(?: [A-Z]{{2}},?)? (?:\d{{5}}(?:-\d{{4}})?|{_BRITISH}|{_CANADIAN})\b)?"
_NUMBERED = re.compile(
    r"(?<![\w$€£.,])(\d{1,5}(?:[A-Za-z]|-\d{1,4}|/\d{1,3})?,? (?:[NSEW]{1,2}\.? )?"
    r"(?:(?:\d{1,3}(?:st|nd|rd|th)|" + _CAP + r") ){1,4}" + _WAYS + r"\b(?:\.(?=,))?)" + _DOOR + _TOWN
)  # fmt: skip
_SMALL = re.compile(
    r"(?<![\w$€£.,])(\d{1,5}[a-z]? (?:[nsew] )?"
    r"(?!(?:way|lane|mile|minute|hour|block|dirt|meter|metre|foot|year|day|car|km|of|the|on|in|down|to|long|and|people|different|busy|"
    r"more|other|half)s?\b)([a-z]{3,20}) (?:street|avenue|road|boulevard|st|ave|rd|blvd))\b"
)
_NAMED = re.compile(r"\b((?:" + _CAP + r" ){1,3}(?:Street|Avenue|Road|Lane|Boulevard|Crescent|Parkway|Blvd))\b")
_GERMAN = re.compile(
    r"\b([A-ZÄÖÜ][\wäöüß-]{1,30}(?:straße|strasse|str\.|weg|platz|gasse|allee|ufer|damm|ring)|(?:[A-ZÄÖÜ][\wäöüß-]{1,30} ){1,3}"
    r"(?:Straße|Strasse|Str\.|Weg|Platz|Gasse|Allee|Ufer|Damm|Ring))( \d{1,4} ?[a-z]?\b)"
    r"(?:,? \d{4,5} [A-ZÄÖÜ][\wäöüß-]{1,30})?"
)
_ROMANCE = re.compile(
    r"(?<![\w$€£.,])(\d{1,4}(?: bis| ter)?,? (?:rue|avenue|boulevard|place|chemin|impasse|allée|quai|cours) "
    r"(?:(?:de|du|des|la|le|les|l'|d') ?){0,3}"
    r"[A-ZÀ-Þ][\w'’-]{1,30}(?: [A-ZÀ-Þ][\w'’-]{1,30}){0,2}(?:,? \d{5} [A-ZÀ-Þ][\w-]{1,30})?)"
    r"|\b((?:[Cc]alle|[Aa]venida|[Cc]arrer|[Pp]laza|[Pp]aseo|Via|Viale|Piazza|Corso|[Rr]ua|[Tt]ravessa|[Uu]lica|ul\.|[Pp]raça) "
    r"(?:(?:de|del|della|dei|da|do|dos|la|las|los|el) ){0,3}[A-ZÀ-Þ][\w'’-]{1,30}(?: [A-ZÀ-Þ][\w'’-]{1,30}){0,2}"
    r",? (?:n[.º°]? ?)?\d{1,4}\b)"
)
_BOX = re.compile(r"\b(P\.? ?O\.? ?Box \d{1,7})\b", re.IGNORECASE)
_POST_CODE = re.compile(
    r"(?<![\w-])(?:(?!AD|BC|CE|AM|PM|TV|ID)[A-Z]{2} \d{5}(?:-\d{4})?"
    r"|[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[A-Z]\d[A-Z] \d[A-Z]\d)(?![\w-])"
)
_CODED = re.compile(
    rf"\b(?:zip(?: ?code)?|post(?:al)? ?code)(?: (?:is|was)|:)? (\d{{4,5}}(?:-\d{{4}})?|{_BRITISH}|{_CANADIAN})\b",
    re.IGNORECASE,
)
_DEGREES = r"[-+]?\d{1,3}\.\d{3,15}"
_PAIR = re.compile(r"(?<![\w.])(" + _DEGREES + r") ?°? ?[NS]?\s?[,;/ ]\s?(" + _DEGREES + r") ?°? ?[EWO]?(?![\w.])")
_CUED_PAIR = re.compile(
    r"\b(?:coordinates|coords|gps|lat(?:itude)?)\b[^\d\n]{0,20}"
    r"([-+]?\d{1,3}\.\d{1,15}°?[^\d\n\[]{1,20}\d{1,3}\.\d{1,15}°?)",
    re.IGNORECASE,
)
_ANGLE = r"\d{1,3}° ?\d{1,2}['′’] ?(?:\d{1,2}(?:\.\d{1,4})?[\"″”])? ?[NSEW]"
_DMS = re.compile(rf"(?<!\w){_ANGLE}(?:,? ?{_ANGLE})?")
_THREE_WORDS = re.compile(r"(?<![\w/:])(///[a-z]{2,20}\.[a-z]{2,20}\.[a-z]{2,20})\b")
_PUBLIC = frozenset({"wallstreet", "sesamestreet", "mainstreet", "highstreet", "abbeyroad", "silkroad", "memorylane"})


def places(text: str) -> Iterator[RedactedSpan]:
    for match in _NUMBERED.finditer(text):
        yield RedactedSpan(*match.span(), "address", solid(match[1]))
    for match in _GERMAN.finditer(text):
        yield RedactedSpan(*match.span(), "address", solid(match[1] + match[2]))
    for pattern in (_ROMANCE, _BOX, _SMALL, _DMS, _THREE_WORDS, _NAMED, _POST_CODE):
        yield from _spans(pattern, text)
    for pattern in (_CODED, _CUED_PAIR):
        yield from (RedactedSpan(*match.span(1), "address", solid(match[1])) for match in pattern.finditer(text))
    for match in _PAIR.finditer(text):
        if max(abs(float(match[1])), abs(float(match[2]))) > 2:  # two shares of one are no place
            yield RedactedSpan(*match.span(), "address", solid(match[0]))


def _spans(pattern: re.Pattern[str], text: str) -> Iterator[RedactedSpan]:
    for match in pattern.finditer(text):
        if (key := solid(match[0])) not in _PUBLIC:
            yield RedactedSpan(*match.span(), "address", key)
