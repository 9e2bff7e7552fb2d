"""How far to believe each voter, learnt from labelled validation answers. Never from the answers that are scored."""

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from heartfelt.errors import InputError, UnknownName
from heartfelt.records import Record
from heartfelt.voting.votes import Distribution, Tally, Vote, pooled

Labelled = tuple[Mapping[str, float], str]
"""A voter's distribution and the true label."""

WEIGHT_RULE = "log-odds of Laplace-smoothed accuracy against chance, not below 0"

_COLDEST, _HOTTEST = math.log(0.05), math.log(20.0)
_TINY = 1e-12


class VoterCalibration(Record):
    """What validation says of one voter."""

    temperature: float = Field(gt=0, allow_inf_nan=False)
    """Above 1 where the voter is surer than it is right, below 1 where it is too modest."""
    weight: float = Field(ge=0, allow_inf_nan=False)
    """By the calibration's rule; 0 for a voter no better than chance."""
    accuracy: float
    examples: int
    nll_before: float
    """Mean negative log-likelihood of the truth, in nats, as the voter gave it."""
    nll_after: float
    """The same at the fitted temperature."""


class Calibration(Record):
    """Temperatures and weights by voter. JSON by `model_dump_json` and back by `model_validate_json`."""

    voters: dict[str, VoterCalibration]
    labels: tuple[str, ...]
    """The labels between which the voters chose; their number sets chance."""
    weight_rule: str = WEIGHT_RULE

    def of(self, voter: str) -> VoterCalibration:
        """The entry of a voter."""
        if voter not in self.voters:
            raise UnknownName("calibrated voter", voter, self.voters)
        return self.voters[voter]


def fit(validation: Mapping[str, Sequence[Labelled]], *, labels: Sequence[str] = ()) -> Calibration:
    """A temperature and a weight for each voter from its labelled answers.

    The temperature minimises the negative log-likelihood. The weight is log(a / (1 − a)) + log(K − 1) with
    a = (right + 1) / (n + K): zero at chance for any number of labels K (the multi-class weight of SAMME, Zhu et
    al. 2009), where plain log-odds would silence every voter below one half, which for 32 labels is all of them.
    """
    seen = {label for answers in validation.values() for shares, truth in answers for label in (*shares, truth)}
    order = tuple(labels) or tuple(sorted(seen))
    if unknown := seen - set(order):
        raise UnknownName("label among those to calibrate", min(unknown), order)
    if len(order) < 2:
        raise InputError("Calibration needs at least two labels to choose between.")
    return Calibration(voters={voter: _fit_one(voter, validation[voter], order) for voter in validation}, labels=order)


def temper(distribution: Mapping[str, float], temperature: float) -> Distribution:
    """Raises each probability to 1/temperature and normalises. Zero stays zero; a sole label stays certain."""
    logs = {label: math.log(share) / temperature for label, share in distribution.items() if share > 0}
    peak = max(logs.values())
    powers = {label: math.exp(log - peak) for label, log in logs.items()}
    total = math.fsum(powers.values())
    return {label: powers.get(label, 0.0) / total for label in distribution}


def calibrated(votes: Sequence[Vote], calibration: Calibration, *, label_order: Sequence[str] = ()) -> Tally:
    """The weighted pool after each distribution was tempered; the weight is the fitted one times the vote's own.

    A bare label has no shape to temper and counts as a certainty, up to the pool's floor.
    """
    tempered = [_calibrated(vote, calibration) for vote in votes]
    return pooled("calibrated", tempered, label_order or calibration.labels)


def _calibrated(vote: Vote, calibration: Calibration) -> Vote:
    if vote.ballot is None:
        return vote
    known = calibration.of(vote.voter)
    return Vote(voter=vote.voter, ballot=temper(vote.distribution, known.temperature), weight=vote.weight * known.weight)


def _fit_one(voter: str, answers: Sequence[Labelled], labels: tuple[str, ...]) -> VoterCalibration:
    if not answers:
        raise InputError(f"The voter '{voter}' has no labelled answers. Leave it out or validate it first.")
    logs, truths = _arrays(voter, answers, labels)
    log_temperature = minimum(lambda at: _nll(logs, truths, math.exp(at)), _COLDEST, _HOTTEST)
    right = int((logs.argmax(axis=1) == truths).sum())
    temperature = math.exp(log_temperature)
    return VoterCalibration(
        temperature=temperature,
        weight=_weight(right, len(answers), len(labels)),
        accuracy=right / len(answers),
        examples=len(answers),
        nll_before=_nll(logs, truths, 1.0),
        nll_after=_nll(logs, truths, temperature),
    )


def _weight(right: int, total: int, classes: int) -> float:
    accuracy = (right + 1) / (total + classes)
    return max(0.0, math.log(accuracy / (1 - accuracy)) + math.log(classes - 1))


def _arrays(voter: str, answers: Sequence[Labelled], labels: tuple[str, ...]) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    position = {label: at for at, label in enumerate(labels)}
    shares = np.zeros((len(answers), len(labels)))
    for row, (given, _) in enumerate(answers):
        for label, share in Vote(voter=voter, ballot=dict(given)).distribution.items():
            shares[row, position[label]] = share
    truths = np.array([position[truth] for _, truth in answers], dtype=np.intp)
    return np.log(np.maximum(shares, _TINY)), truths


def _nll(logs: NDArray[np.float64], truths: NDArray[np.intp], temperature: float) -> float:
    scaled = logs / temperature
    scaled = scaled - scaled.max(axis=1, keepdims=True)
    normaliser = np.log(np.exp(scaled).sum(axis=1))
    return float((normaliser - scaled[np.arange(len(truths)), truths]).mean())


def minimum(function: Callable[[float], float], low: float, high: float, *, tolerance: float = 1e-6) -> float:
    """Where a function with one valley is least, by golden-section search.

    The likelihood is convex in 1/temperature, hence has one valley over log-temperature, and needs no derivative.
    """
    golden = (math.sqrt(5) - 1) / 2
    left, right = high - golden * (high - low), low + golden * (high - low)
    at_left, at_right = function(left), function(right)
    while high - low > tolerance:
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - golden * (high - low)
            at_left = function(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + golden * (high - low)
            at_right = function(right)
    return (low + high) / 2
