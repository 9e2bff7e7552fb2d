"""Words as 64-bit numbers, so that a million replies are counted with arrays and not with sets of tuples.

A word is the first eight bytes of its BLAKE2b hash; an n-gram mixes those of its words. Numbers do not depend on the run, so
n-grams of two runs can be compared. Among ten million different n-grams the chance of one collision is about 3 in a million.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]
Ints = NDArray[np.int64]
Tokeniser: TypeAlias = Literal["lower-whitespace", "lower-words"]
Span: TypeAlias = Literal["within", "across"]
"""Whether n-grams end with their response or cross into the next one."""

_WORD = re.compile(r"\w+(?:['’]\w+)*|[^\w\s]")
TOKENISERS: dict[Tokeniser, Callable[[str], list[str]]] = {
    "lower-whitespace": lambda text: text.lower().split(),
    "lower-words": lambda text: _WORD.findall(text.lower()),
}
"""`lower-whitespace` leaves «sorry.» and «sorry» apart; `lower-words` splits punctuation off."""

_CHUNK = 1 << 18


@dataclass(frozen=True)
class TextTokens:
    """The words of many texts in one array; text i has those from `ends[i - 1]` to `ends[i]`."""

    hashes: Hashes
    lengths: Ints

    @property
    def owner(self) -> Ints:
        """The text that each word belongs to."""
        return np.repeat(np.arange(len(self.lengths)), self.lengths)


def tokenised(texts: Iterable[str], tokeniser: Tokeniser) -> TextTokens:
    """Reads the texts one after the other; only the numbers stay."""
    split, known = TOKENISERS[tokeniser], _Known()
    pieces: list[Hashes] = []
    lengths: list[int] = []
    row: list[int] = []
    for text in texts:
        words = split(text)
        lengths.append(len(words))
        row.extend(map(known.__getitem__, words))
        if len(row) > _CHUNK:
            pieces.append(np.array(row, np.uint64))
            row = []
    return TextTokens(np.concatenate([*pieces, np.array(row, np.uint64)]), np.array(lengths, np.int64))


class _Known(dict[str, int]):
    """Hashes each different word once."""

    def __missing__(self, word: str) -> int:
        self[word] = found = int.from_bytes(blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
        return found


def grams(tokens: TextTokens, size: int, span: Span = "within") -> tuple[Hashes, Ints]:
    """Every n-gram as a number, and the text in which it starts."""
    owner = tokens.owner
    count = max(0, len(owner) - size + 1)
    mixed = tokens.hashes[:count]
    for shift in range(1, size):
        mixed = _mix(mixed) ^ tokens.hashes[shift : shift + count]
    starts = owner[:count]
    if span == "across" or size == 1:
        return mixed, starts
    whole = starts == owner[size - 1 : size - 1 + count]
    return mixed[whole], starts[whole]


def _mix(values: Hashes) -> Hashes:
    """The finaliser of SplitMix64 (Steele et al., OOPSLA 2014): one to one, so that no n-grams fall together here."""
    mixed = values + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))
