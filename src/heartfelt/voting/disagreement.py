"""How far the voters contradict each other. A smile over a sad sentence is news, and averaging would hide it."""

import math
from collections.abc import Mapping, Sequence

from heartfelt.records import Record
from heartfelt.voting.votes import Cast, Vote, weighted


class Disagreement(Record):
    """A conflict among voters."""

    score: float
    """From 0, all say the same, to 1, two equally weighty camps (or more) with nothing in common."""
    winner: str
    """The label against which dissent is measured."""
    dissenters: tuple[Cast, ...]
    """The voters whose first choice is another one."""


def disagreement(votes: Sequence[Vote], *, winner: str | None = None, label_order: Sequence[str] = ()) -> Disagreement:
    """The generalised Jensen-Shannon divergence of the votes by weight, in bits, not above 1; and who dissents.

    One bit is the divergence of two equal camps without a common label. Capping there, rather than dividing by the
    number of voters, keeps the score steady when a voter of hardly any weight joins. Silent voters and those of weight
    zero do not count.
    """
    tally = weighted(votes, label_order=label_order)
    counted = [vote for vote in votes if vote.ballot is not None and vote.weight > 0]
    shares = [each.weight for each in tally.cast]
    against = winner if winner is not None else tally.winner
    return Disagreement(
        score=_divergence([vote.distribution for vote in counted], shares),
        winner=against,
        dissenters=tuple(each for each in tally.cast if each.label != against),
    )


def _divergence(distributions: Sequence[Mapping[str, float]], shares: Sequence[float]) -> float:
    labels = sorted({label for each in distributions for label in each})
    parts = list(zip(distributions, shares, strict=True))
    mixture = [math.fsum(share * each.get(label, 0.0) for each, share in parts) for label in labels]
    within = math.fsum(share * _entropy(list(each.values())) for each, share in parts)
    return min(1.0, max(0.0, _entropy(mixture) - within))


def _entropy(probabilities: Sequence[float]) -> float:
    return -math.fsum(each * math.log2(each) for each in probabilities if each > 0)
