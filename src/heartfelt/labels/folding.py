"""From a model's own words to a label of a closed set. What is not recognised stays unknown; nothing becomes neutral.

Folding is a look-up, not a guess, and always gives the same answer:

1. Case, punctuation, hyphens and curly quotes are levelled.
2. From left to right the longest known phrase is read: a label or its official code (exact), another form of it
   (inflected), another word for it (synonym). Turns of phrase such as «happy to help» are passed over.
3. A feeling that is denied within its clause («not angry») is left out and listed under `denied`.
4. A few words with many senses («down», «fine») count only where they are the whole answer.
5. The first feeling that the set has a place for is the label; further ones are listed under `others`.

Words that belong to no coarse set directly are read as one of ED's 32 labels, which reaches another set through a named
map (`trace_fixed` unless told otherwise). The path taken is part of the result.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from heartfelt.labels.lexicon import BOUNDARY, How, Lexicon, LexiconReading, derived, ignored, lexicon, phrase, tokens
from heartfelt.labels.maps import DEFAULT_MAP
from heartfelt.labels.sets import LabelSet
from heartfelt.labels.sets import label_set as set_named
from heartfelt.labels.tables import table
from heartfelt.records import Record

_REACH_OF_A_NEGATION = 4


class Folded(Record):
    """What a free text was read as, and how."""

    original: str
    """The text as it came."""
    label_set: str
    """The name of the set that was asked for."""
    label: str | None
    """The label of that set, or None where nothing was recognised or the set has no place for it."""
    how: How
    """How the words were recognised, before any map: exact (a label of the set or of ED-32), inflected, synonym;
    unplaced: a known feeling that the set does not hold; unknown: no known feeling."""
    matched: str = ""
    """The words that were read as the label."""
    path: tuple[str, ...] = ()
    """The steps from the word's own label to the set's: ('ed32:ashamed', 'trace_fixed:sad', 'ekman:sad')."""
    others: tuple[str, ...] = ()
    """Further labels that the text names, in its order: «mixed: sad/angry»."""
    denied: tuple[str, ...] = ()
    """Feelings that the text names and denies."""


class _Mention(NamedTuple):
    words: str
    reading: LexiconReading
    denied: bool


def fold(word: str, label_set: LabelSet | str, *, via: str = DEFAULT_MAP) -> Folded:
    """Reads a label of the set in a word, a phrase or a short answer; see the head of this module for the rules."""
    target = set_named(label_set) if isinstance(label_set, str) else label_set
    known = lexicon(target, via)
    words = tokens(word)
    mentions = list(_mentions(words, known)) or list(_whole_answer(words, known))
    asserted = [mention for mention in mentions if not mention.denied]
    placed = [mention for mention in asserted if mention.reading.label is not None]
    chosen = (placed or asserted or [_Mention("", LexiconReading(None, "unknown", ()), False)])[0]
    labels = dict.fromkeys(mention.reading.label for mention in placed if mention.reading.label)
    return Folded(
        original=word,
        label_set=target.name,
        label=chosen.reading.label,
        how=chosen.reading.how,
        matched=chosen.words,
        path=chosen.reading.path,
        others=tuple(label for label in labels if label != chosen.reading.label),
        denied=tuple(mention.words for mention in mentions if mention.denied),
    )


def _mentions(words: Sequence[str], known: Lexicon) -> Iterator[_Mention]:
    start = 0
    while start < len(words):
        length, reading = _longest_at(words, start, known)
        if reading:
            yield _Mention(" ".join(words[start : start + length]), reading, _is_denied(words, start))
        start += length


def _longest_at(words: Sequence[str], start: int, known: Lexicon) -> tuple[int, LexiconReading | None]:
    for length in range(min(known.longest, len(words) - start), 0, -1):
        candidate = " ".join(words[start : start + length])
        if candidate in ignored():
            return length, None
        if candidate in known.phrases:
            return length, known.phrases[candidate]
    return 1, derived(words[start], known.phrases)


def _is_denied(words: Sequence[str], start: int) -> bool:
    negation = table("words")["negation"]
    for at in range(start - 1, max(-1, start - 1 - _REACH_OF_A_NEGATION), -1):
        word = words[at]
        if " ".join(words[max(0, at - 1) : at + 1]) in negation["phrases"]:
            return True
        if word == BOUNDARY or word in negation["cancelled_by"]:
            return False
        if word in negation["words"] or word.endswith("n't"):
            return True
    return False


def _whole_answer(words: Sequence[str], known: Lexicon) -> Iterator[_Mention]:
    fillers = table("words")["fillers"]
    bare = phrase(" ".join(words))
    content = bare
    for filler in fillers["phrases"]:
        content = content.replace(filler, " ")
    stripped = " ".join(word for word in content.split() if word not in fillers["words"])
    for answer in (bare, stripped):
        if answer in known.alone:
            yield _Mention(answer, known.alone[answer], False)
            return
