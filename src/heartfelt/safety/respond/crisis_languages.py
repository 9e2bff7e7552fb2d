"""What is said to somebody in danger in a language that the program does not speak: a first reply, then step by step."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from heartfelt import languages

FILE = Path(__file__).with_name("crisis_languages.toml")


def reply(code: str, said: str, heard: list[str], *, emergency: str, lines: str, ended: bool) -> str:
    """The first that this talk has not heard. `ended`: it was said that there is no danger."""
    own = _table()[_variant(code, said)]
    first = languages.danger_reply(code, emergency, lines, own)
    anywhere = own.get("emergency_anywhere") or languages.emergency_anywhere(code)
    follow = [text.replace("{emergency}", emergency or anywhere) for text in own["follow"]]
    wordings: list[str] = own["heard"] if ended else [first, *follow]
    return next((text for text in wordings if text not in heard), wordings[-1])


def knows(code: str) -> bool:
    return code in _table()


def calm(code: str, said: str) -> bool:
    """Whether it is said outright that there is no danger, or asked to be left alone."""
    text = languages.folded(said)
    return knows(code) and any(languages.folded(piece) in text for piece in _table()[_variant(code, said)]["calm"])


def texts() -> list[str]:
    return [text for own in _table().values() for text in (*own["follow"], *own["heard"])]


def _variant(code: str, said: str) -> str:
    """Who writes in Latin letters is answered in them."""
    latin = f"{code}-Latn"
    return latin if latin in _table() and languages.in_latin(said) else code


@cache
def _table() -> dict[str, dict[str, Any]]:
    return tomllib.loads(FILE.read_text("utf-8"))
