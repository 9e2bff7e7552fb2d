"""A message as the readers take it: with the question that it answers and with what was said before."""

import re
from typing import NamedTuple

from heartfelt.records import Dialogue

WINDOW = 110
"""Words that are read at once. A longer message is read in pieces that overlap by a quarter."""
PERSON, LISTENER = "Person", "Listener"
_WORD = re.compile(r"\S+")


class PersonMessage(NamedTuple):
    text: str
    asked: str = ""
    """The listener's last turn before it."""
    before: str = ""
    """The person's own last turn before it."""
    earlier: tuple[str, ...] = ()
    """All that was said before it, a line a turn, as `line` writes them."""

    @property
    def lines(self) -> tuple[str, ...]:
        """The talk up to this message, which is the last line."""
        known = self.earlier or (*_lines(PERSON, self.before), *_lines(LISTENER, self.asked))
        return (*known, line(PERSON, self.text))


def line(speaker: str, text: str) -> str:
    """One turn on one line, whatever it holds: nobody can write a turn of the other's into their own."""
    return f"{speaker}: {' '.join(text.split())}"


def messages(dialogue: Dialogue) -> list[PersonMessage]:
    """Every message of the person who spoke last, in order."""
    found: list[PersonMessage] = []
    said: list[str] = []
    asked = before = ""
    for turn in dialogue.turns:
        if turn.speaker == dialogue.last.speaker:
            found.append(PersonMessage(turn.text, asked, before, tuple(said)))
            asked, before = "", turn.text
            said.append(line(PERSON, turn.text))
        else:
            asked = turn.text
            said.append(line(LISTENER, turn.text))
    return found


def windows(text: str) -> list[str]:
    """The pieces of a message, the last one first: what was said last counts most, should the time run out."""
    words = list(_WORD.finditer(text))
    if len(words) <= WINDOW:
        return [text.strip()]
    starts = range(0, len(words) - WINDOW // 4, WINDOW * 3 // 4)
    pieces = [text[words[i].start() : words[min(i + WINDOW, len(words)) - 1].end()] for i in starts]
    return pieces[::-1]


def _lines(speaker: str, text: str) -> tuple[str, ...]:
    return (line(speaker, text),) if text else ()
