"""Judging by a model: two systems side by side, in both orders, with the judge's own reliability beside every verdict."""

from heartfelt.evaluation.judging.criteria import CRITERIA, Criterion, criterion
from heartfelt.evaluation.judging.families import family_of, kinship
from heartfelt.evaluation.judging.judge import Asked, Bench, judge, prepare
from heartfelt.evaluation.judging.rulings import Comparison, Head, Ruling, comparisons, read
from heartfelt.evaluation.judging.trust import Trusted, trusted

__all__ = [
    "CRITERIA",
    "Asked",
    "Bench",
    "Comparison",
    "Criterion",
    "Head",
    "Ruling",
    "Trusted",
    "comparisons",
    "criterion",
    "family_of",
    "judge",
    "kinship",
    "prepare",
    "read",
    "trusted",
]
