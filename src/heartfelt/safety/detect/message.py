"""A message as the reader takes it: with the question that it answers and with what the same person said before."""

import re
from typing import NamedTuple

from heartfelt.records import Dialogue

WINDOW = 110
"""Words that are read at once. A longer message is read in pieces that overlap by a quarter."""
_WORD = re.compile(r"\S+")


class Message(NamedTuple):
    text: str
    asked: str = ""
    """The listener's last turn before it."""
    before: str = ""
    """The person's own last turn before it."""


def messages(dialogue: Dialogue) -> list[Message]:
    """Every message of the person who spoke last, in order."""
    found: list[Message] = []
    asked = before = ""
    for turn in dialogue.turns:
        if turn.speaker == dialogue.last.speaker:
            found.append(Message(turn.text, asked, before))
            asked, before = "", turn.text
        else:
            asked = turn.text
    return found


def windows(text: str) -> list[str]:
    """The pieces of a message, the last one first: what was said last counts most, should the time run out."""
    words = list(_WORD.finditer(text))
    if len(words) <= WINDOW:
        return [text.strip()]
    starts = range(0, len(words) - WINDOW // 4, WINDOW * 3 // 4)
    pieces = [text[words[i].start() : words[min(i + WINDOW, len(words)) - 1].end()] for i in starts]
    return pieces[::-1]
