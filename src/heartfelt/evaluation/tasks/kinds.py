"""What each task asks about a talk, and its gold; `audit` has a file of its own."""

from collections.abc import Iterator

from heartfelt.datasets.talk import Talk
from heartfelt.evaluation.tasks.cut import answered, chosen, felt, item_at
from heartfelt.evaluation.tasks.item import Gold, Item
from heartfelt.evaluation.tasks.protocol import Protocol


def respond(talk: Talk, protocol: Protocol) -> Iterator[Item]:
    """Answer a turn of the speaker. The gold is what was really answered, and how the speaker felt."""
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


def forecast(talk: Talk, protocol: Protocol) -> Iterator[Item]:
    """The emotion of the response, from what was said before it. Only where responses have a label of their own."""
    known = {place: gold for place in answered(talk) if (gold := felt(talk, place + 1, protocol))}
    for place in chosen(list(known), protocol):
        reply = talk.dialogue.turns[place + 1]
        gold = known[place].model_copy(update={"reference": reply.text})
        yield item_at(talk, place, protocol, gold, listener=reply.speaker)


def recognise(talk: Talk, protocol: Protocol) -> Iterator[Item]:
    """What the speaker of a turn feels, from that turn and those before it."""
    known = {place: gold for place in range(len(talk.dialogue.turns)) if (gold := felt(talk, place, protocol))}
    for place in chosen(list(known), protocol):
        yield item_at(talk, place, protocol, known[place])


def strategy(talk: Talk, protocol: Protocol) -> Iterator[Item]:
    """By which of ESConv's eight strategies the supporter answered."""
    places = [place for place in answered(talk) if talk.strategies[place + 1]]
    for place in chosen(places, protocol):
        name, reply = talk.strategies[place + 1], talk.dialogue.turns[place + 1].text
        kept = {"reference": reply, "strategy": name, "accepted": talk.merged.get(name, (name,))}
        yield item_at(talk, place, protocol, (felt(talk, place, protocol) or Gold()).model_copy(update=kept))
