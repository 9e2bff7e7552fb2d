"""forecast: the emotion of the response, from what was said before it. Only where responses have a label of their own."""

from collections.abc import Iterator

from heartfelt.datasets.talk import Talk
from heartfelt.evaluation.tasks.cut import answered, chosen, felt, item_at
from heartfelt.evaluation.tasks.item import Item
from heartfelt.evaluation.tasks.protocol import Protocol

VERSION = 1


def items(talk: Talk, protocol: Protocol) -> Iterator[Item]:
    known = {place: gold for place in answered(talk) if (gold := felt(talk, place + 1, protocol))}
    for place in chosen(list(known), protocol):
        reply = talk.dialogue.turns[place + 1]
        gold = known[place].model_copy(update={"reference": reply.text})
        yield item_at(talk, place, protocol, gold, listener=reply.speaker)
