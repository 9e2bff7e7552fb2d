"""audit: a pass through the steps in which known ones are wrong, and clean passes. Which step is to blame?

The faults are those of `tuning.faults`, made out of other dialogues of the same split. Which dialogues lend theirs depends on
the seed alone, so an item stays the same however many are drawn.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from heartfelt.datasets.talk import Talk
from heartfelt.errors import UnknownName
from heartfelt.evaluation import weak
from heartfelt.evaluation.planting import STEPS, Faults
from heartfelt.evaluation.tasks.cut import answered, chosen, felt, item_at
from heartfelt.evaluation.tasks.item import Item
from heartfelt.evaluation.tasks.protocol import Protocol

LENDERS = 200
"""Dialogues that faults are made out of."""


@dataclass(frozen=True)
class Planted:
    """The task, once it is known which dialogues lend their words."""

    faults: Faults

    @classmethod
    def by(cls, lenders: list[Talk], protocol: Protocol) -> "Planted":
        if protocol.recipe not in STEPS:
            raise UnknownName("recipe with planted faults", protocol.recipe, STEPS)
        return cls(Faults.of(found for talk in lenders for place in answered(talk) if (found := _weak(talk, place))))

    def items(self, talk: Talk, protocol: Protocol) -> Iterator[Item]:
        places = [place for place in answered(talk) if felt(talk, place, protocol) and _weak(talk, place)]
        for place in chosen(places, protocol):
            known, gold = _weak(talk, place), felt(talk, place, protocol)
            assert known is not None and gold is not None
            random = Random(f"{protocol.seed}/{protocol.recipe}/{talk.dialogue.id}/{place}")
            made = self.faults.audited(known, protocol.recipe, random)
            kept = {"reference": talk.dialogue.turns[place + 1].text, "verdicts": made.verdicts, "planted": made.kinds}
            item = item_at(talk, place, protocol, gold.model_copy(update=kept))
            yield item.model_copy(update={"done": made.done})


def _weak(talk: Talk, place: int) -> weak.WeakLabels | None:
    """What each step should have made of a turn; None where its reply is not worth imitating."""
    emotion = talk.dialogue.turns[place].emotion
    if emotion is None:
        return None
    cut = talk.dialogue.model_copy(update={"turns": talk.dialogue.turns[: place + 1]})
    found = weak.gold(cut, emotion, talk.dialogue.turns[place + 1].text)
    return found if found.plan else None
