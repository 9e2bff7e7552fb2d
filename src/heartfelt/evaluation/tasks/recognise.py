"""recognise: what the speaker of a turn feels, from that turn and those before it."""

from collections.abc import Iterator

from heartfelt.datasets.talk import Talk
from heartfelt.evaluation.tasks.cut import chosen, felt, item_at
from heartfelt.evaluation.tasks.item import Item
from heartfelt.evaluation.tasks.protocol import Protocol

VERSION = 1


def items(talk: Talk, protocol: Protocol) -> Iterator[Item]:
    known = {place: gold for place in range(len(talk.dialogue.turns)) if (gold := felt(talk, place, protocol))}
    for place in chosen(list(known), protocol):
        yield item_at(talk, place, protocol, known[place])
