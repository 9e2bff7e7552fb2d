"""Judging by a model: two systems side by side, in both orders, with the judge's own reliability beside every verdict."""

from heartfelt.evaluation.judging.rulings import comparisons
from heartfelt.evaluation.judging.trust import trusted

__all__ = ["comparisons", "trusted"]
