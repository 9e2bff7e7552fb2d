"""Pairwise judges: who wins, and how far the judge can be trusted.

A judge that changes its mind with the order has not judged.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import Literal, TypeAlias

from heartfelt.errors import InputError
from heartfelt.evaluation.statistics.interval import Interval, mean_interval
from heartfelt.evaluation.statistics.mcnemar import even_chances
from heartfelt.records import Record

Verdict: TypeAlias = Literal["first", "second", "tie", "none"]
Winner: TypeAlias = Literal["a", "b", "tie", "flip", "none"]


class Judgement(Record):
    """One answer of a judge about one pair of replies, a and b."""

    pair: str
    dialogue: str
    criterion: str = "overall"
    first: Literal["a", "b"]
    """Which of the two stood first."""
    verdict: Verdict
    """`none`: the judge gave no answer that could be read."""


class JudgedCriterion(Record):
    """What a judge's answers on one criterion amount to."""

    criterion: str
    pairs: int
    a: int
    """Pairs that a won in both orders, or in the one order that was asked."""
    b: int
    ties: int
    flips: int
    """Pairs whose winner changed with the order: the judge followed the place."""
    abstained: int
    """Pairs without any verdict."""
    one_order: int
    """Pairs that were asked in one order only, in which flips cannot show."""
    wins: Interval | None
    """The share of a, where ties, flips and abstentions count half; over dialogues. None below two dialogues."""
    p: float
    """Two-sided sign test over the pairs that were won."""
    first_place: float | None
    """The share of the first place among all decided answers; one half is fair."""

    @property
    def flip_rate(self) -> float | None:
        """Among pairs that were asked in both orders; None where there are none."""
        both = self.pairs - self.one_order
        return self.flips / both if both else None


def judged(judgements: Iterable[Judgement], *, seed: int = 0) -> list[JudgedCriterion]:
    """By criterion. Several answers to the same order of a pair are a vote."""
    by_criterion: dict[str, list[Judgement]] = defaultdict(list)
    for each in judgements:
        by_criterion[each.criterion].append(each)
    if not by_criterion:
        raise InputError("There are no judgements to count.")
    return [_judged(criterion, found, seed) for criterion, found in sorted(by_criterion.items())]


def stability(judgements: Iterable[Judgement]) -> float:
    """How often two answers to the same question, same pair and same order, agree."""
    asked: dict[tuple[str, str, str], list[Verdict]] = defaultdict(list)
    for each in judgements:
        asked[each.pair, each.criterion, each.first].append(each.verdict)
    same = total = 0
    for verdicts in asked.values():
        counts = [verdicts.count(verdict) for verdict in set(verdicts)]
        same += sum(count * (count - 1) for count in counts)
        total += len(verdicts) * (len(verdicts) - 1)
    if not total:
        raise InputError("No question was asked twice, so a judge's stability cannot be told.")
    return same / total


def _judged(criterion: str, found: list[Judgement], seed: int) -> JudgedCriterion:
    pairs: dict[str, list[Judgement]] = defaultdict(list)
    for each in found:
        pairs[each.pair].append(each)
    winners: dict[str, Winner] = {pair: _winner(asked) for pair, asked in pairs.items()}
    count = {kind: sum(won == kind for won in winners.values()) for kind in ("a", "b", "tie", "flip", "none")}
    decided = [each.verdict for each in found if each.verdict in ("first", "second")]
    return JudgedCriterion(
        criterion=criterion,
        pairs=len(pairs),
        a=count["a"],
        b=count["b"],
        ties=count["tie"],
        flips=count["flip"],
        abstained=count["none"],
        one_order=sum(len({each.first for each in asked}) == 1 for asked in pairs.values()),
        wins=_wins(criterion, {pair: asked[0].dialogue for pair, asked in pairs.items()}, winners, seed),
        p=even_chances(count["a"], count["a"] + count["b"])[0],
        first_place=decided.count("first") / len(decided) if decided else None,
    )


def _winner(asked: list[Judgement]) -> Winner:
    """The vote of each order; two orders that name different winners are a flip, and a tie in one leaves a tie."""
    votes: list[Winner] = [_vote([each for each in asked if each.first == first]) for first in ("a", "b")]
    said: set[Winner] = {vote for vote in votes if vote != "none"}
    if not said:
        return "none"
    if said == {"a", "b"}:
        return "flip"
    return said.pop() if len(said) == 1 else "tie"


def _vote(asked: list[Judgement]) -> Winner:
    for_a = sum(each.verdict == ("first" if each.first == "a" else "second") for each in asked)
    for_b = sum(each.verdict == ("second" if each.first == "a" else "first") for each in asked)
    if all(each.verdict == "none" for each in asked):
        return "none"
    return "tie" if for_a == for_b else "a" if for_a > for_b else "b"


def _wins(criterion: str, dialogues: dict[str, str], winners: dict[str, Winner], seed: int) -> Interval | None:
    points = [(dialogues[pair], {"a": 1.0, "b": 0.0}.get(won, 0.5)) for pair, won in winners.items()]
    return mean_interval(points, f"wins/{criterion}", seed=seed)
