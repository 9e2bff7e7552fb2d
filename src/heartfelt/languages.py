"""Languages other than English: told by their script or their commonest words, answered in kind, and read for outright danger.

The embedded models and detectors know English. A reply in English to somebody who wrote something else has not understood them,
whatever it says; so it says so, kindly, in their own words.
"""

import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from heartfelt.records import Danger, Sign, Tier

FILE = Path(__file__).with_name("languages.toml")
_ENGLISH = """the a i and to of is was my me it in that you for with not have this but he she they are be so what on at just
im no do if as or we his her out up all when get how why who your can will from about like one been has had its
guess think know really today too very good more now then there here them their our us him did does dont cant
it's i'm i've don't can't that's going want feel got go back would could should day time some any than into over
after before because only still never always thing something
yow madda yuh wah seh inna nuh affi haffi mek cyaan enuh bredda gwaan wid tae oot cannae didnae aff hame yer whit naw
dae dunno gonna wanna"""
ENGLISH = frozenset(_ENGLISH.split())
SCRIPTS: dict[str, tuple[str, ...]] = {
    "ARABIC": ("ar", "fa", "ur"),
    "CYRILLIC": ("ru", "uk"),
    "HIRAGANA": ("ja",),
    "KATAKANA": ("ja",),
    "CJK": ("zh",),
    "HANGUL": ("ko",),
    "DEVANAGARI": ("hi",),
    "BENGALI": ("bn",),
    "GURMUKHI": ("pa",),
    "GREEK": ("el",),
    "HEBREW": ("he",),
    "THAI": ("th",),
}
LATIN = ("es", "pt", "de", "fr", "id", "tr", "vi", "it", "pl", "nl", "hi")
CLEARLY = 2
"""By how many words another language must be ahead of English."""
UNKNOWN = (
    "I think that was not English. I am an AI program, and so far I understand only English well. "
    "If you can, try to tell me in English. I would be glad to listen."
)
GOES_ON = 3
"""Messages that may be too short to tell the language of the talk."""
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_UNSEEN = re.compile("[\u200b-\u200f\u064b-\u0652\u0670\u2060]")
_LIKE_APOSTROPHES = str.maketrans("’‘`´ʼ‑–-", "'''''   ")
_DANGERS: tuple[Danger, ...] = ("suicide", "self-harm", "abuse", "violence")
_BESIDE = 60
"""Letters before and after a phrase of danger in which «tonight» makes it imminent."""


def language_of(text: str) -> str:
    """The code of the language where it is clearly not English, else nothing. A foreign word among English ones is English."""
    plain = folded(text)
    letters = [letter for letter in plain if letter.isalpha()]
    scripts = Counter(unicodedata.name(letter, "").split()[0] for letter in letters)
    kana = scripts["HIRAGANA"] + scripts["KATAKANA"]
    if kana and (kana + scripts["CJK"]) * 2 > len(letters):
        return "ja"
    script, count = scripts.most_common(1)[0] if scripts else ("LATIN", 0)
    if script in SCRIPTS and count * 2 > len(letters):
        return _likeliest(plain, SCRIPTS[script])
    words = _WORD.findall(plain)
    best = _likeliest(plain, LATIN)
    english = sum(word in ENGLISH for word in words)
    if _count(words, best) >= english + CLEARLY:
        return best
    # Outright words of danger tell the language of a text that is too short for its commonest words to do so.
    return next((code for code in LATIN if _count(words, code) >= english and _danger(plain, code)), "")


def sorry(code: str, said: str = "", told: Iterable[str] = ()) -> str:
    """That it understands only English well, in that language; who writes it in Latin letters is answered in them. To somebody
    who goes on, in other words, and where there are people who understand: nobody can tell what was said. `told`: not again.
    In a language that is heard and not in the table, it is said in English."""
    if code not in _table():
        return UNKNOWN
    words = _table()[code]
    if "again_latin" in words and in_latin(said):
        first, again, emergency, help_ = (words[f"{name}_latin"] for name in ("sorry", "again", "emergency", "help"))
    else:
        first, again, emergency, help_ = (words[name] for name in ("sorry", "again", "emergency_anywhere", "help_anywhere"))
    texts = [first, *(_filled(text, emergency, help_) for text in again)]
    heard = set(told)
    return next((text for text in texts if text not in heard), texts[-1])


def in_latin(text: str) -> bool:
    letters = [letter for letter in text if letter.isalpha()]
    return bool(letters) and all(unicodedata.name(letter, "").startswith("LATIN") for letter in letters)


def notes() -> list[tuple[str, str, str]]:
    """Of each language its code, what it calls itself, and what can be had in it and what cannot, in its own words."""
    tables = _table().items()
    return [(code, own["own"], _filled(own["note"], own["emergency_anywhere"], own["help_anywhere"])) for code, own in tables]


def name_of(code: str) -> str:
    return _table()[code]["name"]


def signs(text: str, code: str) -> list[Sign]:
    """Outright danger in that language."""
    found = _danger(folded(text), code)
    if not found:
        return []
    danger, phrase, soon = found
    tier: Tier = "imminent" if soon else "active"
    return [Sign(by="language", tier=tier, danger=danger, quote=text, why=f"{name_of(code)}: «{phrase}»")]


def danger_reply(code: str, emergency: str, lines: str, own: dict[str, Any] | None = None) -> str:
    """What is said first in that language; `emergency` and `lines` as the table of services has them, or empty.
    `own`: words that stand for the usual ones."""
    words = _table()[code] | {key: text for key, text in (own or {}).items() if isinstance(text, str)}
    help_ = words["help_line"].replace("{lines}", lines) if lines else words["help_anywhere"]
    return _filled(words["reply"], emergency or words["emergency_anywhere"], help_)


def emergency_anywhere(code: str) -> str:
    return _table()[code]["emergency_anywhere"]


def language_in(texts: list[str]) -> str:
    """The language in which somebody goes on: a «sí» after a message in Spanish is Spanish."""
    for back, text in enumerate(reversed(texts)):
        found = language_of(text)
        if found or back == GOES_ON or sum(word in ENGLISH for word in _WORD.findall(folded(text))) >= CLEARLY:
            return found
    return ""


def _filled(text: str, emergency: str, help_: str) -> str:
    return text.replace("{emergency}", emergency).replace("{help}", help_)


def _likeliest(plain: str, codes: tuple[str, ...]) -> str:
    words = _WORD.findall(plain)
    return max(codes, key=lambda code: _count(words, code))


def _count(words: list[str], code: str) -> int:
    common = _common(code)
    return sum(word in common for word in words)


def _danger(plain: str, code: str) -> tuple[Danger, str, bool] | None:
    table = _table()[code]
    if "suicide" not in table:
        return None
    taken_back = [match.span() for match in _pattern(code, "not").finditer(plain)] if table["not"] else []
    for danger in _DANGERS:
        for match in _pattern(code, danger).finditer(plain):
            start, end = match.span()
            if any(back < end and start <= until + 1 for back, until in taken_back):
                continue
            beside = plain[max(0, start - _BESIDE) : end + _BESIDE]
            return danger, match.group(), bool(_pattern(code, "soon").search(beside))
    return None


@cache
def _pattern(code: str, key: str) -> re.Pattern[str]:
    table = _table()[code]
    texts = (
        table[key] if key in ("suicide", "soon", "not") else [each["text"] for each in table["harm"] if each["danger"] == key]
    )
    pieces = [re.escape(folded(text)) for text in texts]
    start = r"(?<![^\W\d_])" if code in LATIN else ""
    return re.compile(f"{start}(?:{'|'.join(pieces)})") if pieces else re.compile(r"(?!)")


@cache
def _common(code: str) -> frozenset[str]:
    return frozenset(folded(word) for word in _table()[code]["words"])


def folded(text: str) -> str:
    """Small letters, one blank between words, apostrophes and hyphens alike: the form in which phrases are compared."""
    small = unicodedata.normalize("NFC", text.casefold()).translate(_LIKE_APOSTROPHES)
    return " ".join(_UNSEEN.sub("", small).split())


@cache
def _table() -> dict[str, dict[str, Any]]:
    return tomllib.loads(FILE.read_text("utf-8"))
