"""Lists of words and phrases in a TOML file, and whether a text holds one of them."""

import re
import tomllib
from functools import lru_cache
from pathlib import Path


class WordLists:
    """Phrases are matched whole, in lower case; `*` stands for the rest of a word. Sections are for the reader."""

    def __init__(self, path: Path):
        self._patterns = {name: _pattern(words) for name, words in _lists(tomllib.loads(path.read_text("utf-8")))}

    def __contains__(self, name: str) -> bool:
        return name in self._patterns

    def has(self, text: str, name: str) -> bool:
        return bool(self._patterns[name].search(plain(text)))

    def count(self, text: str, name: str) -> int:
        """How many different ones."""
        return len(set(self._patterns[name].findall(plain(text))))

    def among(self, word: str, name: str) -> bool:
        return bool(self._patterns[name].fullmatch(word))


@lru_cache(maxsize=20_000)
def plain(text: str) -> str:
    return text.lower().replace("’", "'")


def _lists(data: dict[str, object]) -> list[tuple[str, list[str]]]:
    found: list[tuple[str, list[str]]] = []
    for name, value in data.items():
        found += _lists(value) if isinstance(value, dict) else [(name, value)]  # type: ignore[arg-type]
    return found


def _pattern(words: list[str]) -> re.Pattern[str]:
    options = (re.escape(word).replace(r"\*", r"[a-z']*") for word in sorted(words, key=len, reverse=True))
    return re.compile(rf"(?<![a-z'])(?:{'|'.join(options)})(?![a-z'])")
