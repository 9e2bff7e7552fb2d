"""Where somebody says that they are: whose services are named where no country is set (`places.toml`)."""

import re
import tomllib
import unicodedata
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("places.toml")
_HERE = (
    r"(?:(?:i|im|i'm|i’m|we|we're|here|live|living|based|am|are)\b(?:[ ,]+[\w'’-]+){0,5}?[ ,]+(?:in|near|outside(?: of)?)"
    r"|(?:here|writing|texting|calling|typing|talking|speaking)[ ,]+(?:to you )?from)"
)
"""Words that tell that the place that follows is where one is. Where somebody is from, they often are no more."""
_ELSEWHERE = re.compile(
    r"\b(?:he|she|they|hes|shes|theyre|he's|she's|he’s|she’s|was|were|born|used to|once|back|ring|call|phone|text|visit"
    r"|write to|friend|brother|sister)\b"
)


def country_in(told: list[str]) -> str:
    """The code of the country that somebody says they are in; empty where they say none, or several."""
    found = {code for text in told for code in _said(text)}
    return found.pop() if len(found) == 1 else ""


def _said(text: str) -> set[str]:
    plain = "".join(letter for letter in unicodedata.normalize("NFD", text.lower()) if not unicodedata.combining(letter))
    return {code for code, pattern in _patterns() for match in pattern.finditer(plain) if not _ELSEWHERE.search(match[0])}


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    table: dict[str, str] = tomllib.loads(FILE.read_text("utf-8"))
    return tuple((code, re.compile(rf"\b{_HERE} (?:{names})\b")) for code, names in table.items())
