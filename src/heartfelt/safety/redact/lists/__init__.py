"""Names, words and capitals: what a name is likely to be, and what it is not."""

from functools import cache, lru_cache
from pathlib import Path

from heartfelt.labels.tables import table
from heartfelt.safety.redact.spans import folded

_ENDINGS = (
    "s", "es", "ed", "d", "ing", "er", "ers", "est", "ly", "y", "ness", "ful", "less", "ish", "able", "ment", "n't", "nt"
)  # fmt: skip
_CLITICS = ("'s", "'d", "'ll", "'ve", "'re", "'m", "s'", "'")


@cache
def _sections(name: str) -> dict[str, frozenset[str]]:
    sections: dict[str, set[str]] = {}
    current: set[str] = sections.setdefault("", set())
    for line in (Path(__file__).parent / name).read_text("utf-8").splitlines():
        if line.startswith("["):
            current = sections.setdefault(line.strip("[]"), set())
        elif not line.startswith("#"):
            current.update(line.split())
    return {title: frozenset(words) for title, words in sections.items()}


@cache
def plain_names() -> frozenset[str]:
    """Names in whatever case they are written."""
    return _sections("names.txt")["plain"]


@cache
def word_names() -> frozenset[str]:
    """Names that are words as well, such as «mark»: a capital in the middle of a sentence decides."""
    return _sections("names.txt")["also words"]


@cache
def feeling_names() -> frozenset[str]:
    """Names that are feelings as well, such as «joy»: only what stands before them decides, for feelings must survive."""
    return _sections("names.txt")["also feelings"]


@cache
def cue(section: str) -> frozenset[str]:
    """What stands before and after names."""
    return _sections("cues.txt")[section]


@cache
def capitals() -> frozenset[str]:
    """Days, countries, languages, beliefs, makers: written with a capital, and no name."""
    return frozenset().union(*_sections("capitals.txt").values())


@cache
def _words() -> frozenset[str]:
    feelings = " ".join(_strings(table("words")))
    return _sections("words.txt")[""] | frozenset(folded(feelings).replace("-", " ").split()) | feeling_names()


def _strings(data: object) -> list[str]:
    if isinstance(data, dict):
        return [text for key, value in data.items() for text in (str(key), *_strings(value))]
    if isinstance(data, list | tuple):
        return [text for value in data for text in _strings(value)]
    return [data] if isinstance(data, str) else []


@lru_cache(maxsize=65536)
def is_word(word: str) -> bool:
    """Whether this is common English, be it inflected. `word` is folded."""
    return any(form in _words() for form in (word, *_stems(word)))


def _stems(word: str) -> list[str]:
    stems = [stem for ending in _ENDINGS if len(stem := word.removesuffix(ending)) >= 3 and stem != word]
    return [*stems, *(stem[:-1] for stem in stems if stem[-1:] == stem[-2:-1]), *(f"{stem}e" for stem in stems), *_with_y(word)]


def _with_y(word: str) -> list[str]:
    """«Happiest» is «happy»."""
    return [f"{word.removesuffix(end)}y" for end in ("ies", "ied", "ier", "iest", "ily", "iness") if word.endswith(end)]


def bare(word: str) -> str:
    """Folded and without «'s» and the like."""
    whole = folded(word)
    if "'" not in whole:
        return whole
    for ending in _CLITICS:
        if whole.endswith(ending) and len(whole) > len(ending):
            return whole.removesuffix(ending)
    return whole
