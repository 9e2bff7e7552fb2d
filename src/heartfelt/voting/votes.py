"""Votes and their tallies. A voter is anything with an opinion: a model, one of its samples, a sense.

The rule for ties, everywhere: of the labels whose scores are equal, the one with the higher summed confidence (by
weight, where weights count); then the one that the earliest voter chose; then the first in the label set's order
(alphabetical where no order is given). The tally says which of these decided. But for the second, the order in which
votes come never matters.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from pydantic import Field, field_validator

from heartfelt.errors import InputError, UnknownName
from heartfelt.records import Record

Distribution = dict[str, float]
TieRule = Literal["no tie", "summed confidence", "order of voters", "order of labels"]

FLOOR = 0.01
"""The least probability that a pool ascribes to any voter: no voter, however sure, says more than a hundred to one.
Without it a single zero would be a veto, and one careless certainty would outweigh many careful opinions."""

_EQUAL = 1e-9
"""Scores this near are a tie: 0.1 + 0.2 against 0.3 is one to a person, though not to a processor."""


class Vote(Record):
    """One voter's opinion."""

    voter: str
    """Who votes."""
    ballot: str | Distribution | None
    """A label, or a share for each of several labels (normalised when counted), or None: the voter casts no vote."""
    weight: float = Field(default=1.0, ge=0, allow_inf_nan=False)
    """How reliable the voter is this time, by its own measure. 0 is as good as no vote where weights count."""

    @field_validator("ballot")
    @classmethod
    def _is_an_opinion(cls, ballot: str | Distribution | None) -> str | Distribution | None:
        if ballot == "":
            raise ValueError("A ballot with an empty label is no opinion; use None for a voter who casts no vote.")
        if isinstance(ballot, dict):
            if any(not math.isfinite(share) or share < 0 for share in ballot.values()):
                raise ValueError("A ballot's shares must be finite and not negative.")
            if not 0 < math.fsum(ballot.values()) < math.inf:
                raise ValueError("A ballot's shares add up to nothing; use None for a voter who casts no vote.")
        return ballot

    @property
    def distribution(self) -> Distribution:
        """The ballot as probabilities; empty where no vote was cast."""
        if self.ballot is None:
            return {}
        if isinstance(self.ballot, str):
            return {self.ballot: 1.0}
        total = math.fsum(self.ballot.values())
        return {label: share / total for label, share in self.ballot.items()}


class Cast(Record):
    """What one vote came to in a tally."""

    voter: str
    label: str
    """The voter's first choice."""
    confidence: float
    """The probability that the voter gave it."""
    weight: float
    """The voter's share of all weight in this tally."""


class Tally(Record):
    """The outcome of a vote, with enough to see why."""

    rule: Literal["majority", "weighted", "calibrated"]
    winner: str
    scores: Distribution
    """Every label that was named, highest first; they add up to 1."""
    margin: float
    """The winner's score less the next one's; 1 where only one label was named."""
    cast: tuple[Cast, ...]
    """Who voted for what, in the order in which they came."""
    silent: tuple[str, ...] = ()
    """Voters who cast no vote."""
    tie: TieRule = "no tie"
    """By which rule a tie was resolved."""


def majority(votes: Sequence[Vote], *, label_order: Sequence[str] = ()) -> Tally:
    """Each voter counts once, for its first choice; weights play no part. The label with the most votes wins."""
    counted = _counted(votes)
    even = [1 / len(counted)] * len(counted)
    cast = _casts(counted, even, label_order)
    scores = {label: math.fsum(each.weight for each in cast if each.label == label) for label in _named(counted)}
    return settle("majority", scores, counted, cast, _silent(votes), label_order)


def weighted(votes: Sequence[Vote], weights: Mapping[str, float] | None = None, *, label_order: Sequence[str] = ()) -> Tally:
    """Pools whole distributions, each voter by its weight: the vote's own times that of `weights`, if given.

    Only the proportions of the weights matter. A voter whom `weights` does not name is an error, not a silent 1.
    """
    if weights is not None:
        votes = [_reweighted(vote, weights) for vote in votes]
    return pooled("weighted", votes, label_order)


def pooled(rule: Literal["weighted", "calibrated"], votes: Sequence[Vote], label_order: Sequence[str]) -> Tally:
    """The logarithmic opinion pool: each label's score is the weighted geometric mean of its probabilities.

    It is preferred to averaging because it rewards what all voters find possible over what one alone finds certain,
    and because, but for the floor, evidence that all voters learn may be applied before or after pooling alike.
    """
    counted = [vote for vote in _counted(votes) if vote.weight > 0]
    if not counted:
        raise InputError("Every voter has weight zero, so there is nothing to count. Add a voter or raise a weight.")
    shares = _shares([vote.weight for vote in counted])
    logs = {
        label: math.fsum(
            share * math.log(max(vote.distribution.get(label, 0.0), FLOOR)) for vote, share in zip(counted, shares, strict=True)
        )
        for label in _named(counted)
    }
    # Scores that are equal but for rounding become equal, so that the tie rule sees them.
    peak = max(logs.values())
    scores = {label: math.exp(log - peak) if peak - log > _EQUAL else 1.0 for label, log in logs.items()}
    silent = _silent(votes) + tuple(vote.voter for vote in votes if vote.ballot is not None and vote.weight == 0)
    return settle(rule, scores, counted, _casts(counted, shares, label_order), silent, label_order)


def settle(
    rule: Literal["majority", "weighted", "calibrated"],
    raw_scores: Distribution,
    counted: Sequence[Vote],
    cast: tuple[Cast, ...],
    silent: tuple[str, ...],
    label_order: Sequence[str],
) -> Tally:
    """Normalises the scores, resolves a tie and writes the record."""
    total = math.fsum(raw_scores.values())
    scores = {label: score / total for label, score in raw_scores.items()}
    winner, tie = _winner(scores, counted, cast, label_order)
    ranked = sorted(scores, key=lambda label: (label != winner, -scores[label], _rank(label, label_order)))
    runner_up = scores[ranked[1]] if len(ranked) > 1 else 0.0
    return Tally(
        rule=rule,
        winner=winner,
        scores={label: scores[label] for label in ranked},
        margin=max(0.0, scores[winner] - runner_up),
        cast=cast,
        silent=silent,
        tie=tie,
    )


def _winner(
    scores: Distribution, counted: Sequence[Vote], cast: Sequence[Cast], label_order: Sequence[str]
) -> tuple[str, TieRule]:
    tied = _highest(scores)
    if len(tied) == 1:
        return tied[0], "no tie"
    confidence = {
        label: math.fsum(each.weight * vote.distribution.get(label, 0.0) for vote, each in zip(counted, cast, strict=True))
        for label in tied
    }
    tied = _highest(confidence)
    if len(tied) == 1:
        return tied[0], "summed confidence"
    for each in cast:
        if each.label in tied:
            return each.label, "order of voters"
    return min(tied, key=lambda label: _rank(label, label_order)), "order of labels"


def _highest(scores: Mapping[str, float]) -> list[str]:
    top = max(scores.values())
    return [label for label, score in scores.items() if top - score <= _EQUAL * max(1.0, abs(top))]


def _counted(votes: Iterable[Vote]) -> list[Vote]:
    counted = [vote for vote in votes if vote.ballot is not None]
    if not counted:
        raise InputError("No voter cast a vote, so there is no winner. Give at least one vote with a label.")
    return counted


def _silent(votes: Iterable[Vote]) -> tuple[str, ...]:
    return tuple(vote.voter for vote in votes if vote.ballot is None)


def _named(counted: Iterable[Vote]) -> list[str]:
    return sorted({label for vote in counted for label in vote.distribution})


def _shares(weights: Sequence[float]) -> list[float]:
    # Dividing by the largest first keeps very large weights from overflowing their sum.
    largest = max(weights)
    scaled = [weight / largest for weight in weights]
    total = math.fsum(scaled)
    return [weight / total for weight in scaled]


def _casts(counted: Sequence[Vote], shares: Sequence[float], label_order: Sequence[str]) -> tuple[Cast, ...]:
    return tuple(_cast(vote, share, label_order) for vote, share in zip(counted, shares, strict=True))


def _cast(vote: Vote, share: float, label_order: Sequence[str]) -> Cast:
    distribution = vote.distribution
    # A voter torn between two labels has only the order of labels to go by.
    label = min(_highest(distribution), key=lambda each: _rank(each, label_order))
    return Cast(voter=vote.voter, label=label, confidence=distribution[label], weight=share)


def _rank(label: str, label_order: Sequence[str]) -> tuple[int, str]:
    return (label_order.index(label) if label in label_order else len(label_order), label)


def _reweighted(vote: Vote, weights: Mapping[str, float]) -> Vote:
    if vote.voter not in weights:
        raise UnknownName("weight for the voter", vote.voter, weights)
    if not 0 <= weights[vote.voter] < math.inf:
        raise InputError(f"The weight of '{vote.voter}' is {weights[vote.voter]}; it must be finite and not negative.")
    return Vote(voter=vote.voter, ballot=vote.ballot, weight=vote.weight * weights[vote.voter])
