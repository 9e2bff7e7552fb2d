"""Who wins, and how far the judge can be trusted: each figure with its interval over dialogues."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from heartfelt.errors import InputError
from heartfelt.evaluation.metrics.tallies import Floats, Sums, ratio
from heartfelt.evaluation.statistics.interval import Interval, interval_of
from heartfelt.evaluation.statistics.judging import JudgedCriterion, Judgement, judged
from heartfelt.records import Record

FAIR = 0.5
FLIPPY = 0.35
"""A judge that throws a coin flips on half of the pairs. From here on it is nearer to the coin than most that are published."""
Counted = Callable[[list[Judgement]], tuple[float, float]]
"""From the judgements of one dialogue to a part and a whole."""


class Trusted(Record):
    """One criterion."""

    result: JudgedCriterion
    flip_rate: Interval | None
    """Pairs whose winner changed with the order; None below two dialogues."""
    first_place: Interval | None
    """How often whatever stood first won; one half is fair."""
    stability: Interval | None
    """How often two answers to the very same question agree; None where none was repeated."""

    @property
    def follows_the_place(self) -> bool:
        """The interval of the first place's share does not hold one half."""
        return self.first_place is not None and not self.first_place.low <= FAIR <= self.first_place.high

    @property
    def words(self) -> str:
        """What to make of it, in a sentence."""
        flips = self.result.flip_rate
        if flips is None:
            return "No pair was answered in both orders, so the judge cannot be trusted yet."
        if flips >= FLIPPY:
            return f"This judge flips on {flips:.0%} of the pairs when they change places: its verdicts are no evidence."
        if self.follows_the_place:
            return "This judge leans to one place more than chance explains. Flips count half, but treat it with care."
        return "Most verdicts stand when the replies change places."


def trusted(judgements: Iterable[Judgement], *, seed: int = 0) -> list[Trusted]:
    """By criterion."""
    found = list(judgements)
    return [
        _trusted(result, [each for each in found if each.criterion == result.criterion], seed)
        for result in judged(found, seed=seed)
    ]


def _trusted(result: JudgedCriterion, found: list[Judgement], seed: int) -> Trusted:
    return Trusted(
        result=result,
        flip_rate=_share("flip_rate", found, _flips, seed),
        first_place=_share("first_place", found, _first_places, seed),
        stability=_share("stability", found, _same, seed),
    )


def _share(name: str, found: list[Judgement], counted: Counted, seed: int) -> Interval | None:
    """A share over dialogues; None where there is too little for an interval."""
    by_dialogue = _grouped(found, lambda each: each.dialogue)
    sums = np.array([counted(each) for each in by_dialogue], np.float64)
    tally = Sums(rows=(sums[:, 1] > 0).astype(np.int64), sums=sums, finish=_ratio)
    try:
        return interval_of(tally, name, tally.whole(), seed=seed) if sums[:, 1].any() else None
    except InputError:  # fewer than two dialogues, or too few of them with anything to count
        return None


def _flips(found: list[Judgement]) -> tuple[float, float]:
    results = [judged(pair)[0] for pair in _grouped(found, lambda each: each.pair)]
    return sum(each.flips for each in results), sum(each.pairs - each.one_order for each in results)


def _first_places(found: list[Judgement]) -> tuple[float, float]:
    decided = [each.verdict for each in found if each.verdict in ("first", "second")]
    return decided.count("first"), len(decided)


def _same(found: list[Judgement]) -> tuple[float, float]:
    same = total = 0
    for asked in _grouped(found, lambda each: f"{each.pair}\x00{each.first}"):
        verdicts = [each.verdict for each in asked]
        same += sum(verdicts.count(each) - 1 for each in verdicts)
        total += len(verdicts) * (len(verdicts) - 1)
    return same, total


def _grouped(found: Sequence[Judgement], by: Callable[[Judgement], str]) -> list[list[Judgement]]:
    groups: dict[str, list[Judgement]] = defaultdict(list)
    for each in found:
        groups[by(each)].append(each)
    return list(groups.values())


def _ratio(sums: Floats) -> Floats:
    return ratio(sums[..., 0], sums[..., 1])
