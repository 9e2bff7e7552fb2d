"""What code can say about a reply: its form, its length, its feelings, and whose words it uses."""

import re
from collections.abc import Iterator
from typing import Any, TypeAlias

from heartfelt.agents.view import View
from heartfelt.labels.leaning import leaning
from heartfelt.records import Dialogue, Exemplars, Forecast, Plan
from heartfelt.text import sentences_of

Fault: TypeAlias = tuple[str, dict[str, Any]]
"""What is wrong, as the `findings` of `respond` name it, and what its words are filled in with."""
_WORD = re.compile(r"(?:[^\W\d_]|')+")
_MACHINE = re.compile(r"\b(as an ai|language model|i am an ai assistant|step by step|the notes|json)\b", re.I)
_YOU_FEEL = re.compile(
    r"\byou(?:'re| are| must be| must feel| feel| sound| seem| look)\s+(?:so |very |really |quite |a bit )?([a-z]+)",
    re.I,
)
COPIED_WORDS = 7
"""A run of this many words in common with an exemplar is a copy."""
ECHOED = 0.7
"""A reply of which more than this share are the person's own words, three in a row, is an echo."""
STUCK, STUCK_WORDS = 0.6, 3
"""A reply in which fewer than this share of the word pairs are different ones has got stuck."""


def bare(text: str, dialogue: Dialogue) -> str:
    """The words alone: no name before them, no quotation marks around them, on one line."""
    text = " ".join(text.split())
    for name in dict.fromkeys((dialogue.listener, *(turn.speaker for turn in dialogue.turns))):
        if text.lower().startswith(f"{name}:".lower()):
            text = text[len(name) + 1 :].strip()
    if len(text) > 1 and text[0] in '"“' and text[-1] in '"”' and not set(text[1:-1]) & set('"“”'):
        text = text[1:-1].strip()
    return text


def opening(written: str, dialogue: Dialogue, *, sentences: int) -> str:
    """What of a reply can be told while it is still being written: whole words that nothing after them can take back.

    A name before it, or quotation marks around it, may yet turn out not to belong to it.
    """
    begun, text = written.lstrip(), bare(written, dialogue)
    names = (dialogue.listener, *(turn.speaker for turn in dialogue.turns))
    if begun[:1] in ('"', "“") or any(f"{name}:".lower().startswith(begun.lower()) for name in names):
        return ""
    parts = sentences_of(text)[:sentences]
    told = " ".join(parts)
    over = written[-1:].isspace() or len(sentences_of(text)) > sentences
    return told if over else told.rpartition(" ")[0]


def faults(text: str, view: View, *, sentences: int, words: int) -> Iterator[Fault]:
    """Everything that is wrong with the reply."""
    if (count := len(_words(text))) > words:
        yield "many_words", {"count": count, "most": words}
    if len(sentences_of(text)) > sentences:
        yield "many_sentences", {"most": sentences}
    if _MACHINE.search(text):
        yield "machine", {}
    yield from _denied_feelings(text, view)
    yield from _unasked_question(text, view)
    yield from _borrowed_words(text, view)
    yield from _stuck(text)


def _denied_feelings(text: str, view: View) -> Iterator[Fault]:
    """The reply tells the person that they feel the opposite of what was forecast."""
    forecast = view.find(Forecast)
    if forecast is None:
        return
    for word in _YOU_FEEL.findall(text.replace("’", "'")):
        if leaning(word) * leaning(forecast.emotion) < 0:
            yield "denied_feeling", {"word": word, "emotion": forecast.emotion}


def _unasked_question(text: str, view: View) -> Iterator[Fault]:
    plan = view.find(Plan)
    if plan and plan.tactic == "asking an open question" and "?" not in text:
        yield "unasked_question", {}


def _borrowed_words(text: str, view: View) -> Iterator[Fault]:
    said = _runs(text, COPIED_WORDS)
    exemplars = view.find(Exemplars)
    known = [words for e in (exemplars.found if exemplars else ()) for words in (e.reply, e.situation)]
    if any(said & _runs(words, COPIED_WORDS) or _same(text, words) for words in known):
        yield "exemplar", {}
    if any(_same(text, turn.text) for turn in view.dialogue.turns):
        yield "earlier_turn", {}
    triples = _runs(text, 3)
    if triples and len(triples & _runs(view.dialogue.last.text, 3)) > ECHOED * len(triples):
        yield "echo", {}


def _stuck(text: str) -> Iterator[Fault]:
    """The same few words again and again, as small models do when they are lost."""
    words = _words(text)
    if len(words) >= 2 * STUCK_WORDS and len(_runs(text, 2)) < STUCK * (len(words) - 1):
        yield "stuck", {}


def _same(one: str, other: str) -> bool:
    return bool(_words(one)) and _words(one) == _words(other)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower().replace("’", "'"))


def _runs(text: str, length: int) -> set[tuple[str, ...]]:
    words = _words(text)
    return {tuple(words[i : i + length]) for i in range(len(words) - length + 1)}
