"""How a good listener answers, by rule: to the person, about what they said, and with no story of its own.

The same rules choose among the drafts of a reply and, when a model is tuned, among the replies that it learns from. The word
lists are in `manner.toml`.
"""

import re
from functools import cache, lru_cache
from pathlib import Path

from heartfelt.agents.wordlists import WordLists, plain
from heartfelt.labels.leaning import leaning
from heartfelt.records import Dialogue
from heartfelt.text import sentences_of

SHORTEST = 7
"""Words of a reply that says something to the person."""
_TAKES_UP = ("warm", "feeling", "normal", "hard", "strength", "joy", "caring", "safe")
_OPEN = re.compile(
    r"\b(?:what|how(?! (?:old|long|many|much|far|often)\b)|"
    r"(?:are|is) (?:you|he|she|they|everyone|everything|it)(?: all| doing| feeling)? (?:ok|okay|alright|better|safe)|"
    r"is there|do you (?:want|feel|think|have (?:any|some))|would you|could you|"
    r"have you (?:talked|tried|thought|told|been able))\b"
)
"""Questions after the person, not after the facts."""


@cache
def lists() -> WordLists:
    return WordLists(Path(__file__).with_name("manner.toml"))


def attentive(reply: str, emotion: str) -> bool:
    """Whether a reply says something to the person before it asks, tells no story of its own, and does not jar."""
    if len(reply.split()) < SHORTEST or _has(reply, "own_story") or _has(reply, "own_life"):
        return False
    said = " ".join(part for part in sentences_of(reply) if "?" not in part[-3:])
    if len(said.split()) < 3 or not any(_has(said, words) for words in _TAKES_UP):
        return False
    asked = [part for part in sentences_of(reply) if "?" in part[-3:]]
    if leaning(emotion) < 0:
        return not _has(reply, "laughs") and not _has(reply, "jars") and all(_OPEN.search(plain(part)) for part in asked)
    return leaning(emotion) == 0 or not _has(reply, "sours")


def stock(reply: str) -> bool:
    """Whether it holds a phrase that one says to anyone."""
    return _has(reply, "stock")


def grounded(reply: str, dialogue: Dialogue) -> bool:
    """Whether it takes up a telling word of the person."""
    heard = " ".join(turn.text for turn in dialogue.turns if turn.speaker == dialogue.last.speaker)
    return bool({word[:5] for word in telling(reply)} & {word[:5] for word in telling(heard)})


@lru_cache(maxsize=20_000)
def telling(text: str) -> frozenset[str]:
    """The words that say what a text is about."""
    return frozenset(word for word in re.findall(r"[a-z']{4,}", plain(text)) if not lists().among(word, "common"))


def _has(text: str, words: str) -> bool:
    return lists().has(text, words)
