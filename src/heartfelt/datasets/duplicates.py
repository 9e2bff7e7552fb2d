"""Dialogues that stand in two splits: what was learnt from one would be scored on the other."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import combinations
from typing import TypeAlias

from heartfelt.datasets.talk import Talk
from heartfelt.records import Record
from heartfelt.text import normalised

TELLING_WORDS = 8
"""A turn this long does not recur by chance."""
Hash: TypeAlias = int


class Overlap(Record):
    """What two splits share."""

    splits: tuple[str, str]
    same: int
    """Dialogues of the second whose every word is in the first."""
    near: int
    """Dialogues of the second that share at least half of their longer turns, and at least two, with one of the first."""
    examples: tuple[tuple[str, str], ...]
    """Ids: of the first split, of the second."""


@dataclass
class Fingerprints:
    """Hashes of dialogues, a few numbers each."""

    whole: dict[str, dict[Hash, str]] = field(default_factory=dict[str, dict[Hash, str]])
    turns: dict[str, dict[str, frozenset[Hash]]] = field(default_factory=dict[str, dict[str, frozenset[Hash]]])

    def add(self, split: str, talk: Talk) -> None:
        texts = [normalised(turn.text) for turn in talk.dialogue.turns]
        telling = frozenset(_hash(text) for text in texts if text.count(" ") + 1 >= TELLING_WORDS)
        if telling or sum(text.count(" ") + 1 for text in texts) >= TELLING_WORDS:  # «Hi.» «Hello.» is no copy
            self.whole.setdefault(split, {}).setdefault(_hash("\n".join(texts)), talk.dialogue.id)
        if len(telling) > 1:
            self.turns.setdefault(split, {})[talk.dialogue.id] = telling

    def overlaps(self, splits: Iterable[str], examples: int = 3) -> list[Overlap]:
        found = [self._overlap(one, other, examples) for one, other in combinations(splits, 2)]
        return [each for each in found if each.same or each.near]

    def _overlap(self, one: str, other: str, examples: int) -> Overlap:
        first, second = self.whole.get(one, {}), self.whole.get(other, {})
        same = {second[shared]: first[shared] for shared in first.keys() & second.keys()}
        near = {name: found for name, found in self._near(one, other).items() if name not in same}
        pairs = sorted((found, name) for name, found in (same | near).items())
        return Overlap(splits=(one, other), same=len(same), near=len(near), examples=tuple(pairs[:examples]))

    def _near(self, one: str, other: str) -> dict[str, str]:
        holders: defaultdict[Hash, list[str]] = defaultdict(list)
        for name, hashes in self.turns.get(one, {}).items():
            for each in hashes:
                holders[each].append(name)
        found: dict[str, str] = {}
        for name, hashes in self.turns.get(other, {}).items():
            shared = Counter(holder for each in hashes for holder in holders.get(each, ()))
            best, count = max(shared.items(), key=lambda item: (item[1], item[0]), default=("", 0))
            if count >= 2 and count * 2 >= len(hashes):
                found[name] = best
        return found


def _hash(text: str) -> Hash:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest())
