"""Scores that are made after a run: how likely a base model finds each reply, and which ways of empathy it holds."""

from heartfelt.evaluation.scoring.score import SCORER, score

__all__ = ["SCORER", "score"]
