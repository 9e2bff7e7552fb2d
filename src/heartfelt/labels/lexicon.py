"""Which phrase is read as which label of a set, and by what path: `data/words.toml` turned into one look-up per set."""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any, Literal, NamedTuple

from heartfelt.labels.maps import emotion_map, is_emotion_set, spelled, translate
from heartfelt.labels.sets import COARSE, ED32, LabelSet
from heartfelt.labels.tables import table

How = Literal["exact", "inflected", "synonym", "unplaced", "unknown"]

BOUNDARY = "|"
_TOKEN = re.compile(r"[^\W_]+(?:'[^\W_]+)*'?|[|]")
_QUOTES = str.maketrans({"’": "'", "‘": "'", "`": "'"})

# Ending → endings to try instead, in this order. A form counts only if the lexicon has it, so the rules may be loose.
_ENDINGS = {
    "iness": ("y",), "ness": ("",), "ily": ("y",), "ally": ("al", ""), "ly": ("", "le"), "iest": ("y",), "ier": ("y",),
    "est": ("", "e"), "er": ("", "e"), "ement": ("ed",), "ment": ("ed", ""), "ation": ("ed",), "ion": ("ed", ""),
    "ying": ("ied",), "ing": ("ed", "", "e"), "ies": ("y",), "es": ("",), "s": ("",), "d": ("",), "ed": ("",),
}  # fmt: skip


class LexiconReading(NamedTuple):
    """What a phrase stands for in one set; `label` is None for a feeling that the set has no place for."""

    label: str | None
    how: How
    path: tuple[str, ...]


class Lexicon(NamedTuple):
    phrases: dict[str, LexiconReading]
    alone: dict[str, LexiconReading]
    longest: int


def tokens(text: str) -> list[str]:
    """Lower-case words with their apostrophes; clause ends become a boundary that no phrase and no negation crosses."""
    plain = unicodedata.normalize("NFKC", text).translate(_QUOTES).lower().replace("&", " and ")
    return _TOKEN.findall(re.sub(r"[.,;:!?()\n—–|]+|\s-+\s", f" {BOUNDARY} ", plain))


def phrase(text: str) -> str:
    """The form in which phrases are compared."""
    return " ".join(word for word in tokens(text) if word != BOUNDARY)


@lru_cache(maxsize=64)
def lexicon(target: LabelSet, via: str) -> Lexicon:
    """All phrases known for a set. Later sources win: ED-32's words, the coarse classes' words, the set's own."""
    emotion_map(via)  # an unknown map is an error even where the set does not need it
    phrases: dict[str, LexiconReading] = {}
    alone: dict[str, LexiconReading] = {}
    if is_emotion_set(target):
        phrases |= {phrase(word): LexiconReading(None, "unplaced", ()) for word in table("words")["unplaced"]["words"]}
        phrases |= dict(_ed32_words(target, via))
        phrases |= dict(_coarse_words(target))
        alone |= {key: _through_ed32(label, "synonym", target, via) for key, label in _words("alone", ED32.name)}
        alone |= {key: reading for key, reading in _coarse_section("alone", "synonym", target) if reading.label}
    phrases |= dict(_own_words(target))
    return Lexicon(phrases, alone, max(len(key.split()) for key in (*phrases, *ignored())))


def derived(word: str, phrases: dict[str, LexiconReading]) -> LexiconReading | None:
    """The reading of a regular form of a known word: «gloominess», «frustrating», «disappointment»."""
    for ending, others in _ENDINGS.items():
        # Three letters must remain, lest short words turn into feelings.
        if not word.endswith(ending) or len(word) - len(ending) < 3:
            continue
        for other in others:
            found = phrases.get(word.removesuffix(ending) + other)
            if found:
                return found._replace(how="inflected") if found.how == "exact" else found
    return None


@cache
def ignored() -> frozenset[str]:
    """Turns of phrase that hold a feeling word and name no feeling."""
    return frozenset(phrase(each) for each in table("words")["ignored"]["phrases"])


def _words(section: str, owner: str) -> Iterator[tuple[str, str]]:
    by_label: dict[str, Any] = table("words")[section].get(owner, {})
    for label, words in by_label.items():
        for word in words:
            yield phrase(word), label


def _ed32_words(target: LabelSet, via: str) -> Iterator[tuple[str, LexiconReading]]:
    for key, label in _words("synonyms", ED32.name):
        yield key, _through_ed32(label, "synonym", target, via)
    for key, label in _words("inflected", ED32.name):
        yield key, _through_ed32(label, "inflected", target, via)
    for label in ED32.labels:
        yield label, _through_ed32(label, "exact", target, via)


def _through_ed32(fine: str, how: How, target: LabelSet, via: str) -> LexiconReading:
    label = translate(fine, ED32, target, via=via, missing="none")
    steps = [f"ed32:{fine}"]
    if label != fine:
        steps.append(f"{via}:{emotion_map(via).get(fine, '-')}")
    if label is None:
        return LexiconReading(None, "unplaced", tuple(steps))
    if target != ED32:
        steps.append(f"{target.name}:{label}")
    return LexiconReading(label, how, tuple(steps))


def _coarse_words(target: LabelSet) -> Iterator[tuple[str, LexiconReading]]:
    yield from _coarse_section("synonyms", "synonym", target)
    yield from _coarse_section("inflected", "inflected", target)


def _coarse_section(section: str, how: How, target: LabelSet) -> Iterator[tuple[str, LexiconReading]]:
    for key, coarse in _words(section, COARSE.name):
        label = spelled(coarse, target)
        if label:
            yield key, LexiconReading(label, how, (f"coarse:{coarse}", f"{target.name}:{label}"))


def _own_words(target: LabelSet) -> Iterator[tuple[str, LexiconReading]]:
    # ED-32's and the coarse words were read above, with their paths; their own labels still come last, as exact.
    if target not in (ED32, COARSE):
        for key, label in _words("synonyms", target.name):
            yield key, LexiconReading(label, "synonym", (f"{target.name}:{label}",))
        for key, label in _words("inflected", target.name):
            yield key, LexiconReading(label, "inflected", (f"{target.name}:{label}",))
    for spelling, label in (*target.aliases, *((label, label) for label in target.labels)):
        yield phrase(spelling), LexiconReading(label, "exact", (f"{target.name}:{label}",))
