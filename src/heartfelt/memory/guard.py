"""The guard: an answer that is scored must not have been helped by itself.

It refuses three things: rows of the dialogue that is being answered, rows that are that dialogue under another id (told
by their text), and rows of a split that is being scored. Search leaves such rows out; `build` refuses to store them.
"""

from typing import Self

from heartfelt.records import Dialogue, Exemplar, Record
from heartfelt.text import normalised

# A text this long that is found inside another one was copied; shorter ones ("I am so happy today") recur by chance.
_TELLING_WORDS = 8


class Guard(Record):
    """What may not be served. The empty guard still refuses a row that says the very words of the query."""

    dialogue: str = ""
    """The id of the dialogue that is being answered."""
    scored: frozenset[str] = frozenset()
    """Splits under evaluation. `meld` stands for all of `meld/train`, `meld/dev` and `meld/test`."""
    words: tuple[str, ...] = ()
    """Everything that was said in the dialogue being answered, turn by turn."""

    @classmethod
    def of(cls, dialogue: Dialogue, *, scored: frozenset[str] | None = None) -> Self:
        """The guard for answering one dialogue. A dialogue that names its split is taken to be scored on it."""
        if scored is None:
            scored = frozenset({dialogue.split} - {""})
        return cls(dialogue=dialogue.id, scored=scored, words=tuple(turn.text for turn in dialogue.turns))

    def allows(self, exemplar: Exemplar, query: str = "") -> bool:
        if self.is_scored(exemplar.split) or _same_dialogue(self.dialogue, exemplar.dialogue):
            return False
        situation = normalised(exemplar.situation)
        return not any(_same_text(normalised(text), situation) for text in (query, *self.words))

    def is_scored(self, split: str) -> bool:
        return any(split == name or split.startswith(f"{name}/") for name in self.scored if name)


def _same_dialogue(one: str, other: str) -> bool:
    """Loaders write an id with its split before it or without: `meld/test/dia93` is `dia93`."""
    if not one or not other:
        return False
    return one == other or one.endswith(f"/{other}") or other.endswith(f"/{one}")


def _same_text(one: str, other: str) -> bool:
    if one == other:
        return bool(one)
    short, long = sorted((one, other), key=len)
    return short.count(" ") + 1 >= _TELLING_WORDS and f" {short} " in f" {long} "
