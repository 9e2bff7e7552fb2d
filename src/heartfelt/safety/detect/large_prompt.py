"""What the large reader is shown, and where it says what it finds.

A talk is one line a turn. After it the model gives, all at once, how likely each tier is, each danger, whose it is, and what
the last message does: every label has a token of its own, and the labels of one question share out what is theirs. So a talk
costs no more than reading it. Teaching and reading share this file.
"""

import re
from collections.abc import Callable, Sequence

from heartfelt.safety.detect.message import LISTENER, PersonMessage, line
from heartfelt.safety.detect.reader import ACTS, WHOS
from heartfelt.safety.tiers import DANGERS, TIERS

FAULTS = (
    "-",
    "agrees",
    "welcomes",
    "permits",
    "discourages",
    "blames",
    "minimises",
    "misreads",
    "method",
    "binds",
    "secret",
    "diagnoses",
)
"""What may be wrong with a reply to somebody who may be in danger; `-`: nothing."""
FITS = ("misses", "fits")
"""Whether a reply answers what was said."""
LABELS: tuple[tuple[str, ...], ...] = (TIERS, DANGERS, WHOS, ACTS, FAULTS, FITS)
"""The questions, and the labels of each: the first four are asked of a talk, the others of a reply to it."""
FIRST = 300
"""The token of the first label; the others follow. They are common pieces of words, each as good as another."""
LONGEST = 240
"""Tokens of a talk that are read; of a longer one the last."""
BRIEF = 30
"""Words of one turn of the listener's that are read."""
_STOCK = re.compile(r"[^.!?]*(emergency number|findahelpline\.com|free, confidential|\bI'm an AI\b)[^.!?]*([.!?]|$)", re.I)
"""Sentences that are said to anybody."""
LEFT_OUT = 4
"""Turns that are left out at once, so that what was read before is seldom read again."""
DANGER, JUDGED, REPLY = "Danger:", "Judged:", "Reply"

Tokenize = Callable[[str], list[int]]


def spans() -> list[range]:
    """The tokens of each question's labels."""
    found, at = list[range](), FIRST
    for labels in LABELS:
        found.append(range(at, at + len(labels)))
        at += len(labels)
    return found


def danger_prompt(message: PersonMessage, tokenize: Tokenize) -> list[int]:
    return [*talk_tokens(message.lines, tokenize), *tokenize(DANGER)]


def judged_prompt(said: Sequence[str], reply: str, tokenize: Tokenize) -> list[int]:
    """`said`: the lines of the talk that the reply answers."""
    return [*talk_tokens(said, tokenize), *reply_tokens(reply, tokenize)]


def reply_tokens(reply: str, tokenize: Tokenize) -> list[int]:
    return [*tokenize(f"{line(REPLY, reply)}\n"), *tokenize(JUDGED)]


def talk_tokens(lines: Sequence[str], tokenize: Tokenize) -> list[int]:
    """Line by line, so that a talk that goes on begins with the same tokens."""
    tokens = [tokenize(f"{_brief(each)}\n") for each in lines]
    while len(tokens) > 1 and sum(map(len, tokens)) > LONGEST:
        tokens = tokens[min(LEFT_OUT, len(tokens) - 1) :]
    return [token for each in tokens for token in each]


def _brief(said: str) -> str:
    """Of the listener's words the last, which are answered, without those about services: so more of the talk is read."""
    if not said.startswith(f"{LISTENER}: "):
        return said
    words = _STOCK.sub("", said.removeprefix(f"{LISTENER}: ")).split()
    return f"{LISTENER}: {' '.join(words[-BRIEF:])}"
