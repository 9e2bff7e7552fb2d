"""The passes to be judged, with faults or without: the items of the task `audit`, and of corpora in other words than ED-32.

Faults are made in the words of ED-32. A corpus that names emotions by another set takes part with the turns whose label is a
word for one of the 32 (`joy` is `joyful`); neutral turns have nothing to plant. Only the coarse class of such a gold is sure.
"""

import heapq
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from heartfelt.datasets import Dataset, Talk, dataset
from heartfelt.evaluation.tasks.audit import LENDERS, Planted
from heartfelt.evaluation.tasks.draw import draw, rank
from heartfelt.evaluation.tasks.guards import refuse_leaks
from heartfelt.evaluation.tasks.item import Item
from heartfelt.evaluation.tasks.protocol import Protocol
from heartfelt.labels import fold
from heartfelt.records import Turn

SET = "ed32"


class Passes(NamedTuple):
    items: list[Item]
    protocol: Protocol
    """With the split's own name."""
    exact: bool
    """Whether the gold emotion is one of the corpus's own 32, or only its coarse class is sure."""
    carried: bool = False
    """Whether the steps after a fault are made again on top of it before the pass is judged, as in a real turn."""


def passes(folder: Path, protocol: Protocol) -> Passes:
    """At most `protocol.limit` dialogues, in the order of the seed. The same protocol is always the same passes."""
    known = dataset(protocol.dataset)
    protocol = protocol.model_copy(update={"split": known.split_named(protocol.split or known.test)})
    if "audit" in known.tasks or known.labelled != "turn":
        return Passes(draw(folder, protocol).items, protocol, known.labels == SET)
    return Passes(list(_drawn(known, folder, protocol)), protocol, False)


def _drawn(known: Dataset, folder: Path, protocol: Protocol) -> Iterator[Item]:
    talks = [_in_words_of_the_set(talk) for talk in known.read(folder, protocol.split)]
    lenders = heapq.nsmallest(LENDERS, talks, key=lambda talk: rank(f"lender/{talk.dialogue.id}", protocol.seed))
    planted, used = Planted.by(lenders, protocol), 0
    for talk in sorted(talks, key=lambda talk: rank(talk.dialogue.id, protocol.seed)):
        found = list(planted.items(talk, protocol))
        for item in found:
            refuse_leaks(item, talk, protocol)
        yield from found
        used += bool(found)
        if used == protocol.limit:
            return


def _in_words_of_the_set(talk: Talk) -> Talk:
    turns = tuple(_in_words(turn) for turn in talk.dialogue.turns)
    return Talk(talk.dialogue.model_copy(update={"turns": turns}), SET, numbers=talk.numbers, clips=talk.clips)


def _in_words(turn: Turn) -> Turn:
    return turn.model_copy(update={"emotion": fold(turn.emotion, SET).label if turn.emotion else None})
