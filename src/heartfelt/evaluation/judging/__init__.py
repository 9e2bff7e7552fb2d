"""Judging by a model: two systems side by side, in both orders, with the judge's own reliability beside every verdict."""

from heartfelt.evaluation.judging.criteria import CRITERIA, Criterion, criterion
from heartfelt.evaluation.judging.families import family_of, kinship
from heartfelt.evaluation.judging.judge import Bench, JudgeRequest, judge, prepare
from heartfelt.evaluation.judging.rulings import Comparison, Ruling, RulingsHeader, comparisons, read
from heartfelt.evaluation.judging.trust import Trusted, trusted

__all__ = [
    "CRITERIA",
    "Bench",
    "Comparison",
    "Criterion",
    "JudgeRequest",
    "Ruling",
    "RulingsHeader",
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
