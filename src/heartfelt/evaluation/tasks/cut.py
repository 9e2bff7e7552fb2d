"""Cutting a dialogue at a turn: everything before it, nothing after it, no label of it."""

from heartfelt.datasets.talk import Talk
from heartfelt.evaluation.tasks.item import Gold, Item
from heartfelt.evaluation.tasks.protocol import Protocol
from heartfelt.labels import translate
from heartfelt.records import Turn


def item_at(talk: Talk, place: int, protocol: Protocol, gold: Gold, *, listener: str | None = None) -> Item:
    """The item that asks about the turn at a place. `listener` is who is to answer, where the corpus has several people."""
    start = 0 if protocol.history is None else max(0, place - protocol.history)
    turns = talk.dialogue.turns[start : place + 1]
    kept = tuple(_seen(turn, is_target=start + index == place, protocol=protocol) for index, turn in enumerate(turns))
    return Item(
        id=f"{talk.dialogue.id}#{place}",
        place=place,
        turn_id=talk.turn_ids.get(place, ""),
        dialogue=talk.dialogue.model_copy(update={"turns": kept, "listener": listener or talk.dialogue.listener}),
        gold=gold.model_copy(update={"situation": talk.situation, "chain": talk.chains.get(place)}),
        clips=talk.clips[start : place + 1],
        speaker=talk.speaker,
        listener=talk.listener,
        situation=talk.situation if protocol.situation == "given" else "",
    )


def felt(talk: Talk, place: int, protocol: Protocol) -> Gold | None:
    """The gold emotion of a turn in the protocol's label set; None where it has none there."""
    original = talk.dialogue.turns[place].emotion
    if original is None:
        return None
    labels = protocol.labels or talk.labels
    emotion = translate(original, talk.labels, labels, via=protocol.mapping, missing="none")
    return Gold(emotion=emotion, labels=labels, original=original) if emotion else None


def answered(talk: Talk) -> list[int]:
    """Places of turns that somebody else answered right away. Where there is a listener, only the listener's answers count."""
    turns, listener = talk.dialogue.turns, talk.dialogue.listener
    listens = any(turn.speaker == listener for turn in turns)

    def answers(turn: Turn, before: Turn) -> bool:
        return turn.speaker == listener != before.speaker if listens else turn.speaker != before.speaker

    return [place - 1 for place in range(1, len(turns)) if answers(turns[place], turns[place - 1]) and talk.follows(place)]


def chosen(places: list[int], protocol: Protocol) -> list[int]:
    match protocol.turns:
        case "first":
            return places[:1]
        case "all":
            return places
        case _:
            return places[-1:]


def _seen(turn: Turn, *, is_target: bool, protocol: Protocol) -> Turn:
    if turn.emotion is None or (protocol.previous_labels == "given" and not is_target):
        return turn
    return turn.model_copy(update={"emotion": None})
