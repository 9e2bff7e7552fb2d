"""What is said to somebody in danger in a language that the program does not speak: a first reply, then step by step."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from heartfelt import languages

FILE = Path(__file__).with_name("crisis_languages.toml")


BEGINNING = 16
"""Letters by which the first reply is known again."""
STAYING = 1
"""Of the usual replies after the first: that it goes on listening, and whether somebody is near. Fits every danger."""
DISTANCE = 2
"""The usual ones before this speak of distance from what could hurt: somebody who is hurt by others, or ill, has words of their
own instead."""


def reply(code: str, said: str, heard: list[str], *, family: str, emergency: str, lines: str, ended: bool) -> str:
    """What is asked is answered; then the first that this talk has not heard. `ended`: it was said that there is no danger."""
    own = _table()[_variant(code, said)]
    first = languages.danger_reply(code, emergency, lines, own)
    anywhere = own.get("emergency_anywhere") or languages.emergency_anywhere(code)
    follow = [text.replace("{emergency}", emergency or anywhere) for text in _follow(own, family)]
    told = " ".join(heard)
    begun = first[:BEGINNING] in told  # its lines may have been those of another danger
    wordings: list[str] = own["heard"] if ended else follow if begun else [first, *follow]
    text = next((text for text in wordings if text not in told), wordings[-1])
    answer = _answer(own, said, family)
    return f"{answer} {text}" if answer and answer not in told else text


def _follow(own: dict[str, Any], family: str) -> list[str]:
    usual: list[str] = own["follow"]
    special: list[str] = own.get(family, {}).get("follow", [])
    return [*usual[:STAYING], *special, *usual[DISTANCE:]] if special else usual


def _answer(own: dict[str, Any], said: str, family: str) -> str:
    text = languages.folded(said)
    fitting = [one for one in own.get("answers", []) if family in one.get("families", (family,))]
    return next((one["says"] for one in fitting if any(languages.folded(piece) in text for piece in one["asked"])), "")


def knows(code: str) -> bool:
    return code in _table()


def calm(code: str, said: str) -> bool:
    """Whether it is said outright that there is no danger, or asked to be left alone."""
    text = languages.folded(said)
    return knows(code) and any(languages.folded(piece) in text for piece in _table()[_variant(code, said)]["calm"])


def texts() -> list[str]:
    """Every sentence, but for the first replies."""
    return [text for own in _table().values() for text in _said(own)]


def _said(own: dict[str, Any]) -> list[str]:
    special = [text for family in ("home", "body") for text in own.get(family, {}).get("follow", [])]
    return [*own["follow"], *own["heard"], *special, *(one["says"] for one in own.get("answers", []))]


def _variant(code: str, said: str) -> str:
    """Who writes in Latin letters is answered in them."""
    latin = f"{code}-Latn"
    return latin if latin in _table() and languages.in_latin(said) else code


@cache
def _table() -> dict[str, dict[str, Any]]:
    return tomllib.loads(FILE.read_text("utf-8"))
