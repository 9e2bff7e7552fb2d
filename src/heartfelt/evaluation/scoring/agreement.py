"""How well the presence marks agree with people: `python -m heartfelt.evaluation.scoring.agreement DIR [LIMIT]`.

ESConv's supporters named the strategy of each turn; five of the eight are one of the three mechanisms (`EIGHT_TO_THREE`). A
turn holds what its strategy says and may hold more, so a mark elsewhere is not surely wrong: this bounds agreement from
below. Development looks at `valid` alone.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np

from heartfelt.evaluation.faults.estimate import Estimate, estimated
from heartfelt.evaluation.metrics.presence import BRAIN, MECHANISMS, RULE
from heartfelt.evaluation.metrics.tallies import Floats, ratio
from heartfelt.evaluation.scoring.brain import Brain
from heartfelt.evaluation.scoring.score import by_rule
from heartfelt.evaluation.tasks.draw import draw
from heartfelt.evaluation.tasks.item import Item
from heartfelt.evaluation.tasks.protocol import Protocol
from heartfelt.evaluation.weak import EIGHT_TO_THREE, strategy_of, written_out
from heartfelt.records import Record, Scores


class Case(Record):
    """A turn whose strategy is known, and what was made of it."""

    dialogue: str
    gold: str
    chosen: dict[str, str]
    """By maker: the one mechanism that it finds foremost."""
    marks: Scores
    """As in a run."""


def cases(folder: Path, *, split: str = "valid", limit: int = 300, seed: int = 0, brain: Brain | None = None) -> list[Case]:
    """At most `limit` turns, drawn by chance; without a brain only the rule is asked."""
    drawn = draw(folder, Protocol(task="strategy", dataset="esconv", split=split, turns="all", seed=seed)).items
    known = [item for item in drawn if item.gold.strategy in EIGHT_TO_THREE]
    Random(seed).shuffle(known)
    return [_case(item, brain) for item in known[:limit]]


def balanced_accuracy(found: list[Case], chosen: Callable[[Case], str]) -> Estimate:
    """The mean over the mechanisms of the share of its turns for which it is chosen; chance is one third."""
    here = [[each.gold == name for name in MECHANISMS] for each in found]
    hit = [[each.gold == name == chosen(each) for name in MECHANISMS] for each in found]
    return estimated([each.dialogue for each in found], np.hstack([hit, here]).astype(np.float64), _mean_recall, len(found))


def separation(found: list[Case], maker: str, mechanism: str) -> float:
    """How often a turn of the mechanism is marked higher than one of another (the area under the curve); chance is a half."""
    marks = np.array([each.marks[f"presence/{maker}/{mechanism}"] for each in found])
    own = np.array([each.gold == mechanism for each in found])
    gaps = marks[own][:, None] - marks[~own][None, :]
    return float(((gaps > 0) + 0.5 * (gaps == 0)).mean())


def _case(item: Item, brain: Brain | None) -> Case:
    reply = written_out(item.gold.reference)
    chosen, marks = {RULE: strategy_of(reply)}, by_rule(reply)
    if brain:
        shares = brain.shares(item.dialogue, reply)
        whole = {name: sum(np.log(each[name]) for each in shares) for name in MECHANISMS}
        chosen[BRAIN] = max(MECHANISMS, key=lambda name: whole[name])
        marks |= {f"presence/{BRAIN}/{name}": max(each[name] for each in shares) for name in MECHANISMS}
    return Case(dialogue=item.dialogue.id, gold=EIGHT_TO_THREE[item.gold.strategy], chosen=chosen, marks=marks)


def _mean_recall(sums: Floats) -> Floats:
    return ratio(sums[..., :3], sums[..., 3:]).mean(-1)


def main(folder: str, limit: str = "300") -> None:
    found = cases(Path(folder), limit=int(limit), brain=Brain())
    foremost = max(MECHANISMS, key=lambda name: sum(each.gold == name for each in found))
    makers: dict[str, Callable[[Case], str]] = {
        RULE: lambda each: each.chosen[RULE],
        BRAIN: lambda each: each.chosen[BRAIN],
        "majority": lambda _each: foremost,
    }
    for name, chosen in makers.items():
        print(f"{name:9} balanced accuracy {balanced_accuracy(found, chosen).model_dump_json()}")
    for maker in (RULE, BRAIN):
        print(f"{maker:9} separation", {name: round(separation(found, maker, name), 3) for name in MECHANISMS})


if __name__ == "__main__":
    main(*sys.argv[1:])
