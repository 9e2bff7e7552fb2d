"""Scores that are made after a run: how likely a base model finds each reply, and which ways of empathy it holds."""

from heartfelt.evaluation.scoring.presence import BRAIN, MECHANISMS, RULE, presence_metrics
from heartfelt.evaluation.scoring.score import SCORER, perplexity_metrics, score

__all__ = ["BRAIN", "MECHANISMS", "RULE", "SCORER", "perplexity_metrics", "presence_metrics", "score"]
