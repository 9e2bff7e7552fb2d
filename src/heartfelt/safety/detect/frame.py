"""How a message is put to the reader, and with which words it answers. Training and reading share this file."""

import re
from collections.abc import Callable

from heartfelt.records import Danger, Tier

HEAD, TAIL = 'A person says: "', '"\nAre they in danger?'
TIER_WORDS: dict[Tier, str] = {"none": " no", "concern": " maybe", "active": " yes", "imminent": " now"}
DANGER_WORDS: dict[Danger, str] = {
    "suicide": " suicide",
    "self-harm": " cutting",
    "abuse": " abuse",
    "violence": " violence",
    "medical": " medical",
    "eating": " eating",
    "child": " child",
    "despair": " hope",
}
"""Each is one token of the model's vocabulary."""
WINDOW = 110
"""Words that are read at once. A longer message is read in pieces that overlap by a quarter."""
_WORD = re.compile(r"\S+")


def windows(text: str) -> list[str]:
    """The pieces of a message, the last one first: what was said last counts most, should the time run out."""
    words = list(_WORD.finditer(text))
    if len(words) <= WINDOW:
        return [text.strip()]
    starts = range(0, len(words) - WINDOW // 4, WINDOW * 3 // 4)
    pieces = [text[words[i].start() : words[min(i + WINDOW, len(words)) - 1].end()] for i in starts]
    return pieces[::-1]


def prompt(text: str, tokens: Callable[[str], list[int]]) -> list[int]:
    """Quotation marks of the message become single ones, so that it cannot end its own quotation."""
    said = text.replace('"', "'").replace("“", "'").replace("”", "'")
    return tokens(HEAD) + tokens(said) + tokens(TAIL)
