"""respond: answer a turn of the speaker. The gold is what was really answered, and how the speaker felt."""

from collections.abc import Iterator

from heartfelt.datasets.talk import Talk
from heartfelt.evaluation.tasks.cut import answered, chosen, felt, item_at
from heartfelt.evaluation.tasks.item import Gold, Item
from heartfelt.evaluation.tasks.protocol import Protocol

VERSION = 2


def items(talk: Talk, protocol: Protocol) -> Iterator[Item]:
    turns = talk.dialogue.turns
    if protocol.turns == "open":
        yield from _open(talk, protocol)
        return
    for place in chosen(answered(talk), protocol):
        reply = turns[place + 1]
        answered_with = felt(talk, place + 1, protocol)
        gold = (felt(talk, place, protocol) or Gold()).model_copy(
            update={"reference": reply.text, "answered_with": answered_with.emotion if answered_with else None}
        )
        if answered_with and not gold.labels:
            gold = gold.model_copy(update={"labels": answered_with.labels})
        yield item_at(talk, place, protocol, gold, listener=reply.speaker)


def _open(talk: Talk, protocol: Protocol) -> Iterator[Item]:
    turns, listener = talk.dialogue.turns, talk.dialogue.listener
    places = [place for place, turn in enumerate(turns) if turn.speaker != listener]
    for place in places[-1:]:
        replied = turns[place + 1].text if place + 1 < len(turns) and talk.follows(place + 1) else ""
        gold = (felt(talk, place, protocol) or Gold()).model_copy(update={"reference": replied})
        yield item_at(talk, place, protocol, gold)
