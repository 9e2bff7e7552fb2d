"""strategy: by which of ESConv's eight strategies the supporter answered."""

from collections.abc import Iterator

from heartfelt.datasets.talk import Talk
from heartfelt.evaluation.tasks.cut import answered, chosen, felt, item_at
from heartfelt.evaluation.tasks.item import Gold, Item
from heartfelt.evaluation.tasks.protocol import Protocol

VERSION = 1


def items(talk: Talk, protocol: Protocol) -> Iterator[Item]:
    places = [place for place in answered(talk) if talk.strategies[place + 1]]
    for place in chosen(places, protocol):
        name = talk.strategies[place + 1]
        gold = (felt(talk, place, protocol) or Gold()).model_copy(
            update={
                "reference": talk.dialogue.turns[place + 1].text,
                "strategy": name,
                "accepted": talk.merged.get(name, (name,)),
            }
        )
        yield item_at(talk, place, protocol, gold)
