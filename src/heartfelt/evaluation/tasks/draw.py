"""From a corpus, a split and a protocol to items: drawn by dialogue, in an order that the seed alone decides."""

import heapq
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from heartfelt.datasets import Dataset, DatasetNotes, Talk, dataset
from heartfelt.errors import UnknownName, UsageError
from heartfelt.evaluation.tasks import audit
from heartfelt.evaluation.tasks.guards import refuse_leaks, refuse_protocol
from heartfelt.evaluation.tasks.item import Item
from heartfelt.evaluation.tasks.kinds import forecast, recognise, respond, strategy
from heartfelt.evaluation.tasks.protocol import Protocol
from heartfelt.labels import emotion_map, label_set, map_citation

Make = Callable[[Talk, Protocol], Iterator[Item]]
TASKS: dict[str, tuple[int, Make | None]] = {
    "respond": (2, respond),
    "forecast": (1, forecast),
    "recognise": (1, recognise),
    "strategy": (1, strategy),
    "audit": (1, None),
}
"""The version of each task, and what makes its items; the audit needs the words of other dialogues first."""


class Draw(NamedTuple):
    items: list[Item]
    dialogues: int
    """How many they were drawn from."""
    without: int
    """Dialogues that were passed over: they hold no answer, or no label that the protocol's set has."""
    notes: DatasetNotes


def draw(folder: Path, protocol: Protocol) -> Draw:
    """The items of a protocol. The same protocol over the same files is always the same items in the same order."""
    known, protocol = _fitting(protocol)
    make, notes = _maker(known, folder, protocol), DatasetNotes()
    items: list[Item] = []
    used = without = 0
    for talk in _in_order(known, folder, protocol, notes):
        found = list(make(talk, protocol))
        for item in found:
            refuse_leaks(item, talk, protocol)
        items += found
        used, without = used + bool(found), without + (not found)
        if used == protocol.limit:
            break
    return Draw(items, used, without, notes)


def manifest(protocol: Protocol) -> dict[str, Any]:
    """What a run writes down: the protocol, the versions of what it stands on, and whom to cite."""
    known, protocol = _fitting(protocol)
    labels = protocol.labels or known.labels
    return {
        "protocol": protocol.model_dump(mode="json"),
        "digest": protocol.digest,
        "versions": {"task": TASKS[protocol.task][0], "dataset": known.version},
        "labels": {"set": labels, "map": "" if labels == known.labels else map_citation(protocol.mapping)},
        "dataset": {"title": known.title, "citation": known.citation, "licence": known.licence},
    }


def rank(dialogue: str, seed: int) -> bytes:
    """Where a dialogue comes in the order of a seed: of its id alone, so more dialogues never change the first."""
    return sha256(f"{seed}/{dialogue}".encode()).digest()


def _fitting(protocol: Protocol) -> tuple[Dataset, Protocol]:
    """The corpus, and the protocol with the split's own name. What does not fit together is refused."""
    known = dataset(protocol.dataset)
    if protocol.task not in TASKS:
        raise UnknownName("task", protocol.task, TASKS)
    if protocol.task not in known.tasks:
        raise UsageError(
            f"{known.title} has no labels for the task '{protocol.task}'. It has those for: {', '.join(known.tasks)}."
        )
    if protocol.turns == "open" and protocol.task != "respond":
        raise UsageError(
            f"turns='open' asks about turns without a gold answer, which '{protocol.task}' needs. Say last, first or all."
        )
    label_set(protocol.labels or known.labels)
    emotion_map(protocol.mapping)
    refuse_protocol(protocol, known)
    return known, protocol.model_copy(update={"split": known.split_named(protocol.split)})


def _in_order(known: Dataset, folder: Path, protocol: Protocol, notes: DatasetNotes) -> Iterator[Talk]:
    """Dialogues by rank. With a limit only so many are held, and some more, for a few hold nothing to ask about."""

    def order(talk: Talk) -> bytes:
        return rank(talk.dialogue.id, protocol.seed)

    if protocol.limit is None:
        yield from sorted(known.read(folder, protocol.split, notes), key=order)
        return
    held, given = protocol.limit * 2 + 50, 0
    while True:
        talks = heapq.nsmallest(held, known.read(folder, protocol.split, notes if not given else None), key=order)
        yield from talks[given:]
        if len(talks) < held:
            return
        held, given = held * 4, len(talks)


def _maker(known: Dataset, folder: Path, protocol: Protocol) -> Make:
    make = TASKS[protocol.task][1]
    if make is not None:
        return make
    talks = known.read(folder, protocol.split)
    lenders = heapq.nsmallest(audit.LENDERS, talks, key=lambda talk: rank(f"lender/{talk.dialogue.id}", protocol.seed))
    return audit.Planted.by(lenders, protocol).items
