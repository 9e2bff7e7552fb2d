"""Blind rating: a page on this machine, plain sheets for any rater, and what the marks amount to."""

from heartfelt.evaluation.rating.entries import ratings
from heartfelt.evaluation.rating.summary import summarise

__all__ = ["ratings", "summarise"]
